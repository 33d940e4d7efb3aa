import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test } from 'vitest'
import { NODE_PACKAGES } from '../../src-main/cli/launch/recent-node.mjs'
import { ROOT } from '../support/imports.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const STARTER = ['bin.mjs', 'cli/launch/early-end.mjs', 'cli/launch/is-built.mjs', 'cli/launch/recent-node.mjs']

/** A project of which only the starter is Handset's: what it starts says which it is. */
const project = () => {
  const root = temporaryFolder()
  for (const name of STARTER) {
    mkdirSync(dirname(join(root, 'src-main', name)), { recursive: true })
    copyFileSync(join(ROOT, 'src-main', name), join(root, 'src-main', name))
  }
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  put('package.json', '{"type":"module"}')
  const age = (path: string, seconds: number): void =>
    utimesSync(join(root, path), Date.now() / 1000 - seconds, Date.now() / 1000 - seconds)
  for (const path of [...STARTER, 'cli/launch', 'cli', '']) age(join('src-main', path), 60)
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

/** The Node that npm brought is the one that runs the tests. */
const projectWithNode = () => {
  const made = project()
  mkdirSync(join(made.root, 'node_modules', String(own), 'bin'), { recursive: true })
  symlinkSync(process.execPath, join(made.root, 'node_modules', String(own), 'bin/node'))
  return made
}

test.skipIf(own === undefined || process.platform === 'win32')('an older Node goes on with the one npm brought', () => {
  const { put, run } = projectWithNode()
  put('src-main/cli.ts', 'console.log(process.versions.node, process.argv[2])')
  expect(run(OLDER)).toEqual({ status: 0, out: `${process.versions.node} x`, errors: '' })
})

/** A command whose modules take longer than anybody waits. */
const LOADING = 'console.log("loading"); await new Promise((done) => setTimeout(done, 60_000))'
const LISTENING = `process.on("SIGINT", () => { console.log("heard"); process.exit(7) }); ${LOADING}`

const interrupted = async (file: string, ...nodeOptions: readonly string[]) => {
  const child = spawn(process.execPath, [...nodeOptions, file, 'run'], { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [out, errors]: [string[], string[]] = [[], []]
  createInterface(child.stdout).on('line', (line) => {
    out.push(line)
    if (line === 'loading') child.kill('SIGINT')
  })
  createInterface(child.stderr).on('line', (line) => errors.push(line))
  const code = await new Promise((resolve) => child.once('close', resolve))
  return { code, out, errors }
}

const ENDED_EARLY = { code: 130, out: ['loading'], errors: [expect.stringMatching(/^handset: /)] }

describe.skipIf(process.platform === 'win32')('Ctrl-C while modules load', () => {
  test('ends the command with exit code 130 and one line', async () => {
    const { root, put } = project()
    put('src-main/cli.ts', LOADING)
    expect(await interrupted(join(root, 'src-main/bin.mjs'))).toEqual(ENDED_EARLY)
  })

  test('ends the command of the npm package with exit code 130 and one line', async () => {
    const { root, put } = project()
    copyFileSync(join(ROOT, 'src-main/cli/launch/package-bin.mjs'), join(root, 'bin.mjs'))
    copyFileSync(join(ROOT, 'src-main/cli/launch/early-end.mjs'), join(root, 'early-end.mjs'))
    put('out/main/cli.js', LOADING)
    expect(await interrupted(join(root, 'bin.mjs'))).toEqual(ENDED_EARLY)
  })

  test.skipIf(own === undefined)('ends it in one line also below an older Node', async () => {
    const { root, put } = projectWithNode()
    put('src-main/cli.ts', LOADING)
    expect(await interrupted(join(root, 'src-main/bin.mjs'), OLDER)).toEqual(ENDED_EARLY)
  })

  test.skipIf(own === undefined)('ends it in one line before the other Node reads its first module', async () => {
    const { root, put } = project()
    put(join('node_modules', String(own), 'bin/node'), '#!/bin/sh\necho loading\nexec sleep 60\n')
    chmodSync(join(root, 'node_modules', String(own), 'bin/node'), 0o755)
    expect(await interrupted(join(root, 'src-main/bin.mjs'), OLDER)).toEqual(ENDED_EARLY)
  })

  test('is left to a command that listens itself', async () => {
    const { root, put } = project()
    put('src-main/cli.ts', LISTENING)
    expect(await interrupted(join(root, 'src-main/bin.mjs'))).toEqual({
      code: 7,
      out: ['loading', 'heard'],
      errors: [],
    })
  })
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
