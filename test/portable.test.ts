import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const git = (...args: string[]): readonly string[] =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
    .split('\0')
    .filter((line) => line !== '')

/** A copy without its history has nothing to ask. */
const isCheckout = existsSync(join(root, '.git'))
const files = isCheckout ? git('ls-files', '-z') : []

/** What Windows takes for devices, with or without an ending. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

const isForWindows = (path: string): boolean =>
  path.split('/').every((name) => !/[<>:"|?*\\]|[. ]$/.test(name) && !DEVICE.test(name))

/** Where a test asks for what only POSIX has: who may read a file, and Linux's folder of processes. */
const POSIX_ONLY = /mode & 0o|['"`]\/proc\b/
const GUARD = /process\.platform|existsSync\('\/proc'\)/
/** A test, or something else that stands in no other. */
const BEGINS = /^\s*(test|it)\b|^[a-z]/

/** The lines that fail on Windows for want of a guard, in the same line or before it in the same test. */
const unguarded = (text: string): readonly string[] => {
  const lines = text.split('\n')
  return lines.filter((line, nth) => {
    if (!POSIX_ONLY.test(line)) return false
    const begin = lines.findLastIndex((each, place) => place <= nth && BEGINS.test(each))
    return !GUARD.test(lines.slice(Math.max(begin, 0), nth + 1).join('\n'))
  })
}

/** A path from the address of a file: on Windows with a stroke before the drive, and everywhere with %20 for a blank. */
const FILE_PATHNAME = /import\.meta\.url\)\s*\.pathname/

describe.runIf(isCheckout)('the project can be checked out on every system', () => {
  it('with no two files whose names differ only in case', () => {
    const seen = new Map<string, string>()
    const same = files.filter((file) => seen.size === seen.set(file.toLowerCase(), file).size)
    expect(same).toEqual([])
  })

  it('with names that Windows takes, and short enough for its 260 characters', () => {
    expect(files.filter((file) => !isForWindows(file) || file.length > 160)).toEqual([])
    expect(['a/nul.txt', 'a:b', 'dot.', 'con'].filter(isForWindows)).toEqual([])
  })

  it('with line feeds, whatever the checkout of the system would make of them', () => {
    const lines = git('ls-files', '-z', '--eol')
    const attributes = lines.filter((line) => !/\battr\/(text=auto eol=lf|-text)/.test(line))
    expect(attributes).toEqual([])
    expect(lines.filter((line) => /^i\/(crlf|mixed)/.test(line))).toEqual([])
  })
})

describe.runIf(isCheckout)('the source', () => {
  it('makes no path of a file out of its address by pathname', () => {
    const sources = files.filter((file) => /\.(ts|tsx|mjs)$/.test(file))
    expect(sources.filter((file) => FILE_PATHNAME.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
    expect(FILE_PATHNAME.test("new URL('../vectors/', import.meta.url)" + '.pathname')).toBe(true)
  })
})

describe.runIf(isCheckout)('a test', () => {
  it('asks for the modes of files, and for /proc, only where they are', () => {
    // The package is tested by .ci/run, on Linux alone.
    const elsewhere = /^test\/(package\/|portable\.)/
    const tests = files.filter((file) => /\.(test|spec)\.tsx?$/.test(file) && !elsewhere.test(file))
    const found = tests.flatMap((file) => unguarded(readFileSync(join(root, file), 'utf8')).map((line) => [file, line]))
    expect(found).toEqual([])
    const asks = 'expect(statSync(file).mode & 0o777).toBe(0o600)'
    expect(unguarded(`test('a', () => {\n  ${asks}\n})`)).toHaveLength(1)
    const guarded = `  test.skipIf(process.platform === 'win32')('b', () => {\n    ${asks}\n  })`
    expect(unguarded(guarded)).toEqual([])
    // The guard of one test is none for the next.
    expect(unguarded(`${guarded}\n  test('c', () => {\n    ${asks}\n  })`)).toHaveLength(1)
    expect(unguarded(`const OUT = '${'/proc'}/none'`)).toHaveLength(1)
  })
})
