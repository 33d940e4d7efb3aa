import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeEach, expect, test } from 'vitest'
import { systemRefusalText } from '../../../src-main/cli/problem-texts.ts'
import { openResultsFolder } from '../../../src-main/cli/run/results-folder.ts'
import type { RunReport } from '../../../src-main/core/contract/run-report.ts'
import { writeScenarios } from '../../support/many-scenarios.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const BIN = join(import.meta.dirname, '../../../src-main/bin.mjs')

let folder: string
let tests: string
let out: string
beforeEach(() => {
  folder = temporaryFolder()
  tests = join(folder, 'tests')
  out = join(folder, 'out')
  mkdirSync(tests)
  mkdirSync(out)
})

const reports = ['--report', 'json,junit', '--out']
const start = (args: readonly string[]) => {
  const child = spawn(process.execPath, [BIN, 'run', ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const errors: string[] = []
  createInterface(child.stderr).on('line', (line) => errors.push(line))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, errors, ended }
}

const played = async (...args: readonly string[]) => {
  const { child, errors, ended } = start(args)
  child.stdout.resume()
  return { code: await ended, errors }
}

test.skipIf(process.platform === 'win32')(
  'Ctrl-C in a parallel run ends every program it started, says so in a line, and leaves whole reports',
  async () => {
    const mark = `handset-left-over-${process.pid}`
    for (const name of ['a', 'b', 'c', 'd']) {
      const program = `exec: { program: sh, args: [-c, 'echo up; sleep 600 # ${mark}'], ready: { line: up } }`
      const step = 'wait: { kind: verdict, until: { s: 500 } }'
      writeFileSync(join(tests, `${name}.yaml`), `name: ${name}\nsteps:\n  - ${program}\n  - ${step}\n`)
    }
    const { child, errors, ended } = start(['tests', '--parallel', '4', '--json', ...reports, out])
    let up = 0
    for await (const line of createInterface(child.stdout)) {
      const { event, word, ok } = JSON.parse(line)
      if (event === 'step' && word === 'exec' && ok === true) up += 1
      if (up === 4) break
    }
    child.stdout.resume()
    child.kill('SIGINT')
    expect({ code: await ended, errors }).toEqual({ code: 130, errors: [expect.stringMatching(/^handset run: /)] })
    const report: RunReport = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'))
    expect([report.outcome, report.counts.stopped]).toEqual(['stopped', 4])
    expect(readdirSync(out).sort()).toEqual(['junit.xml', 'run.json'])
    expect(spawnSync('pgrep', ['-f', mark], { encoding: 'utf8' }).stdout).toBe('')
  },
)

test('a run whose --timeout is over ends its programs, names what was not played, and fails', async () => {
  const step = 'wait: { kind: verdict, until: { s: 500 } }'
  for (const name of ['y', 'z']) writeFileSync(join(tests, `${name}.yaml`), `name: ${name}\nsteps:\n  - ${step}\n`)
  const run = await played('tests', '--timeout', '1s', ...reports, out)
  const why = /^handset run: the time of --timeout is over: 2 of 2 .*: tests\/y\.yaml \(in step 1\), tests\/z\.yaml\.$/
  expect(run).toEqual({ code: 1, errors: [expect.stringMatching(why)] })
  const report: RunReport = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'))
  expect([report.outcome, report.counts.stopped]).toEqual(['stopped', 2])
  const junit = readFileSync(join(out, 'junit.xml'), 'utf8')
  expect(junit).toContain('failures="0" errors="1" skipped="1"')
  expect(junit).toMatch(
    /name="y"[\s\S]*<error message="The run was ended in step 1."\/>[\s\S]*name="z"[\s\S]*<skipped /,
  )
})

test('a --timeout without a unit is refused, from the project’s file as well', async () => {
  writeScenarios(tests, { count: 1 })
  const refused = (option: string) => ({ code: 2, errors: [expect.stringContaining(option)] })
  expect(await played('tests', '--timeout', '4')).toEqual(refused('--timeout'))
  writeFileSync(join(folder, 'handset.config.yaml'), 'run: { timeout: soon }')
  expect(await played('tests')).toEqual(refused('run.timeout'))
})

test('run.profile of the project’s file is the profile of each scenario, which may say otherwise', async () => {
  const scenario = (status: string, own = ''): string =>
    `name: ${status}\n${own}steps:\n  - register: { user_id: u-1, username: alice }\n  - advance: { s: 61 }\n  - expect: { status: ${status} }\n`
  writeFileSync(join(tests, 'shared.yaml'), scenario('timeout'))
  writeFileSync(join(tests, 'own.yaml'), scenario('init', 'profile: { message_ttl_s: 120 }\n'))
  writeFileSync(join(folder, 'handset.config.yaml'), 'run: { paths: [tests], profile: { message_ttl_s: 60 } }')
  expect(await played()).toEqual({ code: 0, errors: [] })
  writeFileSync(join(folder, 'handset.config.yaml'), 'run: { profile: { message_ttl: 60 } }')
  const { code, errors } = await played('tests')
  expect(code).toBe(2)
  expect(errors.join()).toMatch(/run\.profile.*message_ttl_s/)
})

const mountDisk = (): boolean =>
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', out]).status === 0

test('a disk without room for the reports is one line that names the file and exit code 3, and nothing half-written is left', async (at) => {
  at.skip(!mountDisk(), 'only root may mount a small disk')
  try {
    writeFileSync(join(out, 'filler'), new Uint8Array(8 * 1024))
    writeScenarios(tests, { count: 3 })
    const run = await played('tests', ...reports, out)
    const params = { file: join(out, 'run.json'), errno: 'ENOSPC', message: '' }
    const refusal = systemRefusalText({ code: 'file_refused', params })
    expect(run).toEqual({ code: 3, errors: [`handset run: ${refusal}`] })
    expect(readdirSync(out).filter((name) => /new|run\.json/.test(name))).toEqual([])
  } finally {
    spawnSync('umount', [out])
  }
})

test('what another run writes into the same folder is not touched', () => {
  const others = join(out, 'run.json.1.new')
  writeFileSync(others, 'half of it')
  writeFileSync(join(out, 'run.json.new'), 'half of it')
  const results = openResultsFolder(out)
  expect([results.prepare().ok, results.write('run.json', '{}').ok]).toEqual([true, true])
  expect(readdirSync(out).sort()).toEqual(['run.json', 'run.json.1.new', 'run.json.new'])
  expect(readFileSync(others, 'utf8')).toBe('half of it')
})
