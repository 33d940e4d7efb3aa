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
