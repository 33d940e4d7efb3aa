import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { NODE_PACKAGES } from '../../src-main/recent-node.mjs'
import { ROOT } from '../support/imports.ts'

/** A project of which only the starter is Handset's: what it starts says which it is. */
const project = () => {
  const root = mkdtempSync(join(tmpdir(), 'handset-bin-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const name of ['bin.mjs', 'is-built.mjs', 'recent-node.mjs']) {
    mkdirSync(join(root, 'src-main'), { recursive: true })
    copyFileSync(join(ROOT, 'src-main', name), join(root, 'src-main', name))
  }
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  put('package.json', '{"type":"module"}')
  const age = (path: string, seconds: number): void =>
    utimesSync(join(root, path), Date.now() / 1000 - seconds, Date.now() / 1000 - seconds)
  for (const path of ['bin.mjs', 'is-built.mjs', 'recent-node.mjs', '']) age(join('src-main', path), 60)
  const run = (...nodeOptions: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [
      ...nodeOptions,
      join(root, 'src-main/bin.mjs'),
      'x',
    ])
    return { status, out: stdout.toString().trim(), errors: stderr.toString().trim() }
  }
  return { root, put, age, run }
}

/** With a source and a build of it that is younger. */
const builtProject = () => {
  const made = project()
  made.put('src-main/cli.ts', 'console.log("source")')
  made.put('src-main/deep/part.ts', '')
  made.put('out/main/cli.js', 'console.log("build")')
  for (const path of ['src-main/cli.ts', 'src-main/deep/part.ts', 'src-main/deep', 'src-main']) made.age(path, 60)
  made.age('out/main/cli.js', 30)
  return made
}

const SOURCE = { status: 0, out: 'source', errors: '' }
const BUILD = { status: 0, out: 'build', errors: '' }

test('the build is run while it is newer than all of its source', () => {
  expect(builtProject().run()).toEqual(BUILD)
})

test('the source is run where there is no build', () => {
  const { root, run } = builtProject()
  rmSync(join(root, 'out'), { recursive: true })
  expect(run()).toEqual(SOURCE)
})

test.each(['src-main/deep/part.ts', 'src-main/deep', 'electron.vite.config.ts', 'package-lock.json'])(
  'the source is run when %s is newer than the build',
  (path) => {
    const { put, age, run } = builtProject()
    if (!path.startsWith('src-main')) put(path, '')
    age(path, 10)
    expect(run()).toEqual(SOURCE)
  },
)

test('the build is run, however old, where there is no source', () => {
  const { root, age, run } = builtProject()
  rmSync(join(root, 'src-main/cli.ts'))
  age('out/main/cli.js', 90)
  expect(run()).toEqual(BUILD)
})

/** What an older Node says of itself. */
const OLDER = `--import=data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.1.0"}})`
const own = new Map(Object.entries(NODE_PACKAGES)).get(`${process.platform}-${process.arch}`)

test.skipIf(own === undefined || process.platform === 'win32')('an older Node goes on with the one npm brought', () => {
  const { root, put, run } = project()
  put('src-main/cli.ts', 'console.log(process.versions.node, process.argv[2])')
  mkdirSync(join(root, 'node_modules', String(own), 'bin'), { recursive: true })
  symlinkSync(process.execPath, join(root, 'node_modules', String(own), 'bin/node'))
  expect(run(OLDER)).toEqual({ status: 0, out: `${process.versions.node} x`, errors: '' })
})

test('an older Node without the other one is one line and exit code 1, from the starter as from npm’s scripts', () => {
  const { errors, ...rest } = project().run(OLDER)
  expect(rest).toEqual({ status: 1, out: '' })
  expect(errors.split('\n')).toEqual([expect.stringContaining('Node 20.1.0')])
  const guard = join(ROOT, 'test/support/needs-recent-node.mjs')
  const guarded = spawnSync(process.execPath, [OLDER, '--import', guard, '--eval', 'console.log("went on")'])
  expect(guarded.status).toBe(1)
  expect(guarded.stdout.toString()).toBe('')
  expect(guarded.stderr.toString().trim()).toBe(errors)
})
