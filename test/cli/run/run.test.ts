import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Environment } from '../../../src-main/cli/command.ts'
import { stepListener } from '../../../src-main/cli/run/listen.ts'
import { startWatch } from '../../../src-main/cli/run/watch.ts'
import { type RunReport, runReportSchema } from '../../../src-main/core/contract/run-report.ts'
import { findProblem } from '../../../src-main/core/contract/validate.ts'
import type { Job } from '../../../src-main/testing/scenario/runner/run-jobs.ts'
import type { StepReport } from '../../../src-main/testing/scenario/scenario-setting.ts'
import { startTestBench } from '../../support/bench.ts'
import { heardTerminal } from '../../support/heard-terminal.ts'
import { FAILS, REGISTERS as GOOD } from '../../support/many-scenarios.ts'
import { runCommand } from '../../support/run-command.ts'
import { folderOfFile } from '../../support/temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')

const BAD = FAILS.replace('Registers', 'Waits for nothing')

const folder = folderOfFile()
const tests = join(folder, 'tests')
mkdirSync(tests)
for (const [name, text] of Object.entries({ a: GOOD, b: BAD, c: GOOD }))
  writeFileSync(join(tests, `${name}.yaml`), text)

const handset = (args: readonly string[], more: Partial<Environment> = {}) =>
  runCommand(['run', ...args], undefined, { version: '1.2.3', root, ...more })

let made = 0
const newOut = (): string => join(folder, `out-${++made}`)
const reportIn = (out: string): RunReport => JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'))
/** What a run found, without the times that no two runs share. */
const foundIn = (out: string) =>
  reportIn(out).scenarios.map(({ id, outcome, attempts }) => ({
    id,
    outcome,
    attempts: attempts.map(({ workspace, steps }) => ({
      workspace,
      said: steps.map(({ said, received }) => [said, received]),
    })),
  }))

test('a folder is played whole, the report keeps its schema, and one failure makes the exit code 1', async () => {
  const out = newOut()
  const { code, errors } = await handset([tests, '--report', 'json,junit', '--out', out])
  expect({ code, errors }).toEqual({ code: 1, errors: [] })
  const report = reportIn(out)
  expect(findProblem(report, runReportSchema)).toBeUndefined()
  expect(report.counts).toEqual({ passed: 2, failed: 1, flaky: 0, skipped: 0, stopped: 0 })
  expect(readdirSync(out).sort()).toEqual(['junit.xml', 'last-run.json', 'run.json', 'traces'])
  expect(report.scenarios.map(({ attempts }) => attempts[0]?.trace !== undefined)).toEqual([false, true, false])
})

test('one failure of an unseeded run is replayed alone by its ID, with the same values', async () => {
  const [whole, alone] = [newOut(), newOut()]
  await handset([tests, '--shuffle', '--report', 'json', '--out', whole])
  const failed = foundIn(whole).filter(({ outcome }) => outcome === 'failed')
  const { code } = await handset(['--replay', failed[0]?.id ?? '', '--report', 'json', '--out', alone])
  expect(code).toBe(1)
  expect(foundIn(alone)).toEqual(failed)
})

test('what chance faults did to a scenario is done again when its ID is replayed', async () => {
  const [whole, alone] = [newOut(), newOut()]
  // The seed goes with the path: a file that lies where it does on every machine.
  const file = join(import.meta.dirname, 'by-chance.yaml')
  await handset([file, '--repeat', '2', '--seed', '1', '--report', 'json', '--out', whole])
  const [failed, passed] = foundIn(whole)
  expect([failed?.outcome, passed?.outcome]).toEqual(['failed', 'passed'])
  for (const one of [failed, passed]) {
    await handset(['--replay', one?.id ?? '', '--report', 'json', '--out', alone])
    expect(foundIn(alone)).toEqual([one])
  }
})

test('--last-failed plays only what failed, until it passes', async () => {
  const out = newOut()
  const file = join(tests, '..', 'fixed', 'b.yaml')
  mkdirSync(join(file, '..'))
  writeFileSync(file, BAD)
  writeFileSync(join(file, '../a.yaml'), GOOD)
  const again = [join(file, '..'), '--report', 'json', '--out', out]
  expect((await handset(again)).code).toBe(1)
  // What a filter left out is not forgotten.
  expect((await handset([...again, '--filter', '/a.yaml/'])).code).toBe(0)
  writeFileSync(file, GOOD)
  expect((await handset([...again, '--last-failed'])).code).toBe(0)
  expect(reportIn(out).scenarios.length).toBe(1)
  expect((await handset([...again, '--last-failed'])).code).toBe(2)
})

/** A bench that runs already, until the test is over: how to reach it, and what is open on it. */
const openBench = async () => {
  const { bench, client, close } = await startTestBench()
  onTestFinished(close)
  const env = { HANDSET_TOKEN: bench.token, HANDSET_CONTROL_URL: bench.controlUrl }
  const workspaces = async () => (await client.call('workspaces.list')).workspaces.map(({ id }) => id)
  return { env, client, close, workspaces }
}

test('scenarios run on a bench that runs already, and leave nothing on it', async () => {
  const { env, workspaces } = await openBench()
  expect((await handset([tests, '--attach', '--parallel', '3', '--out', newOut()], { env })).code).toBe(1)
  expect(await workspaces()).toEqual(['main'])
})

/** Does something as soon as the first scenario is over. */
const afterTheFirst = (act: () => unknown) => {
  const { terminal, errors } = heardTerminal()
  const acted: unknown[] = []
  const out = (text: string): void => {
    terminal.out(text)
    if (acted.length === 0) acted.push(act())
  }
  return { terminal: { ...terminal, out }, errors, over: () => Promise.all(acted) }
}

test('a bench that goes away in the middle ends the run in one line with exit code 3, and what was played is kept', async () => {
  const { env, close } = await openBench()
  const out = newOut()
  const { terminal, errors, over } = afterTheFirst(close)
  const args = [join(tests, 'a.yaml'), '--attach', '--repeat', '200', '--report', 'json', '--out', out]
  const { code } = await handset(args, { env, terminal })
  await over()
  expect({ code, errors }).toEqual({
    code: 3,
    errors: [expect.stringMatching(/^handset run: nothing answers at [^\n]+$/)],
  })
  const { outcome, counts } = reportIn(out)
  expect({ outcome, failed: counts.failed }).toEqual({ outcome: 'stopped', failed: 0 })
  expect(counts.passed).toBeGreaterThan(0)
})

test('a run that is ended by hand leaves nothing on a bench that goes on', async () => {
  const { env, workspaces } = await openBench()
  const stop = new AbortController()
  const { terminal } = afterTheFirst(() => stop.abort())
  const args = [join(tests, 'a.yaml'), '--attach', '--repeat', '200', '--parallel', '3']
  expect((await handset(args, { env, terminal, stop: stop.signal })).code).toBe(130)
  expect(await workspaces()).toEqual(['main'])
})

test.each([
  ['may open no workspace', {}, []],
  ['may not reveal secrets', { may_open: 2 }, []],
  ['may open one at a time, for two at a time', { may_open: 1, reveal_secrets: true }, ['--parallel', '2']],
] as const)(
  'a token that %s is one line and exit code 3 before the first scenario, and leaves nothing on the bench',
  async (_, limits, more) => {
    const { env, client, workspaces } = await openBench()
    const { secret } = await client.call('tokens.create', { body: { workspaces: ['main'], ...limits } })
    const traced = ['--trace', 'on', '--out', newOut()]
    const limited = { env: { ...env, HANDSET_TOKEN: secret } }
    const { code, out, errors } = await handset([tests, '--attach', ...traced, ...more], limited)
    expect({ code, out }).toEqual({ code: 3, out: '' })
    expect(errors).toEqual([expect.stringMatching(/^handset run: [^\n]+$/)])
    expect(await workspaces()).toEqual(['main'])
  },
)

test.each([
  [[], 2],
  [['nothing-here'], 2],
  [['TESTS/*.json'], 2],
  [['TESTS', '--filter', 'nobody'], 2],
  [['TESTS', '--filter', '/(/'], 2],
  [['TESTS', '--tag', 'none'], 2],
  [['TESTS', '--shard', '3/2'], 2],
  [['TESTS', '--report', 'pdf'], 2],
  [['TESTS', '--token', 'x'], 2],
  [['--replay', 'no-id'], 2],
  [['--replay', 'gone.yaml@1'], 2],
  [['TESTS', '--last-failed', '--out', 'TESTS/none'], 2],
  [['TESTS', '--attach', '--control-url', 'http://localhost:9/control/v1', '--token', 'x'], 3],
  [['TESTS', '--attach', '--data', 'TESTS'], 3],
  [['TESTS', '--report', 'json', '--out', 'TESTS/a.yaml'], 3],
  [['TESTS', '--report', 'json', '--out', 'TESTS/a.yaml/below'], 3],
] as const)('%j is one line and exit code %i, and nothing runs', async (args, expected) => {
  const { code, out, errors } = await handset(args.map((arg) => arg.replace('TESTS', tests)))
  expect({ code, out }).toEqual({ code: expected, out: '' })
  expect(errors).toEqual([expect.stringMatching(/^handset run: [^\n]+$/)])
})

test('a step that can never be as it says is exit code 2 with its line, and nothing runs', async () => {
  const file = join(newOut(), 'typo.yaml')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, 'name: x\nsteps:\n  - advance: { s: 1 }\n  - profile: { mesage_ttl_s: 60 }\n')
  const { code, out, errors } = await handset([file])
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(errors).toEqual([expect.stringMatching(/typo\.yaml: line 4, column \d+: /)])
})

test('each of several shards plays its part, and the report says which', async () => {
  const parts = await Promise.all(
    [1, 2].map(async (part) => {
      const out = newOut()
      const code = (await handset([tests, '--shard', `${part}/2`, '--report', 'json', '--out', out])).code
      const { shard, scenarios } = reportIn(out)
      return { code, shard, names: scenarios.map(({ name }) => name) }
    }),
  )
  expect(parts).toEqual([
    { code: 0, shard: '1/2', names: ['Registers', 'Registers'] },
    { code: 1, shard: '2/2', names: ['Waits for nothing'] },
  ])
})

test('GitHub gets annotations on stdout and a summary behind what its file holds already', async () => {
  const summary = join(folder, 'summary')
  writeFileSync(summary, 'before\n')
  const env = { GITHUB_STEP_SUMMARY: summary }
  const { code, out } = await handset([tests, '--report', 'github', '--seed', '1'], { env })
  expect(code).toBe(1)
  expect(out.match(/^::error .*$/gm)).toEqual([expect.stringMatching(/^::error file=.*b\.yaml,line=6,title=Waits for/)])
  expect(readFileSync(summary, 'utf8')).toMatch(/^before\n### Handset: 2 passed, 1 failed\n/)
})

test('a summary that cannot be written is one line, and exit code 3 when nothing else failed', async () => {
  const env = { GITHUB_STEP_SUMMARY: folder }
  const { code, errors } = await handset([join(tests, 'a.yaml'), '--report', 'github'], { env })
  expect({ code, errors }).toEqual({ code: 3, errors: [expect.stringMatching(/^handset run: [^\n]+$/)] })
})

test.skipIf(process.platform !== 'linux')('--watch watches no folder that packages or tools bring', () => {
  // Folders that this process watches, by inotify.
  const watchedFolders = (): number =>
    readdirSync('/proc/self/fdinfo').reduce((sum, fd) => {
      const info = existsSync(`/proc/self/fdinfo/${fd}`) ? readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8') : ''
      return sum + (info.match(/^inotify /gm)?.length ?? 0)
    }, 0)
  const watched = join(folder, 'with-packages')
  for (const each of ['own/deeper', 'node_modules/some/package', '.git/objects'])
    mkdirSync(join(watched, each), { recursive: true })
  const stop = new AbortController()
  const before = watchedFolders()
  startWatch([join(watched, '**/*.yaml')], stop.signal)
  expect(watchedFolders() - before).toBe(3)
  stop.abort()
})

/** Plays with --watch: calls `then` for each line until the second run has ended. */
const watchTwoRuns = async (path: string, then: (line: string) => void): Promise<string> => {
  const stop = new AbortController()
  const lines: string[] = []
  const out = (text: string): void => {
    lines.push(text)
    const waits = lines.filter((line) => line.startsWith('Waiting')).length
    if (waits === 2) stop.abort()
    else then(text)
  }
  const terminal = { error: () => undefined, color: false, width: 100, out }
  expect((await handset([path, '--watch'], { stop: stop.signal, terminal })).code).toBe(130)
  return lines.join('\n')
}

test('--watch plays again when a file changes, and ends by hand with 130', async () => {
  const watched = join(folder, 'watched')
  mkdirSync(join(watched, 'deeper'), { recursive: true })
  const file = join(watched, 'deeper/a.yaml')
  writeFileSync(file, BAD)
  const said = await watchTwoRuns(watched, (line) => {
    if (line.startsWith('Waiting')) writeFileSync(file, GOOD)
  })
  expect(said.match(/ (passed|failed) {2}/g)).toEqual([' failed  ', ' passed  '])
})

test('--watch plays again after a run during which a file was saved', async () => {
  const file = join(folder, 'saved-meanwhile.yaml')
  writeFileSync(file, BAD)
  const said = await watchTwoRuns(file, (line) => {
    if (line.includes('✗')) writeFileSync(file, GOOD)
  })
  expect(said.match(/Waiting| (passed|failed) {2}/g)).toEqual([' failed  ', 'Waiting', ' passed  ', 'Waiting'])
})

test.each([
  ['the script that a scenario starts', 'script.mjs', 'process.exit(0)'],
  ['a file that it includes', 'parts/start.steps.yaml', '- exec: { program: node, args: [-e, ""], ready: ended }'],
])('--watch plays again when %s changes', async (_which, changes, good) => {
  const own = join(folder, `uses-${changes.replace(/\W/g, '-')}`)
  mkdirSync(join(own, 'parts'), { recursive: true })
  writeFileSync(join(own, 'script.mjs'), 'process.exit(1)')
  writeFileSync(join(own, 'parts/start.steps.yaml'), '- exec: { program: node, args: [script.mjs], ready: ended }')
  writeFileSync(join(own, 'a.yaml'), 'name: Starts\nsteps:\n  - include: parts/start.steps.yaml')
  const said = await watchTwoRuns(join(own, 'a.yaml'), (line) => {
    if (line.startsWith('Waiting')) writeFileSync(join(own, changes), good)
  })
  expect(said.match(/ (passed|failed) {2}/g)).toEqual([' failed  ', ' passed  '])
})

test('a report that cannot be written is one line and exit code 3, and nothing half-written is left', async () => {
  const out = newOut()
  mkdirSync(join(out, 'run.json'), { recursive: true })
  const { code, errors } = await handset([join(tests, 'a.yaml'), '--report', 'json', '--out', out])
  expect({ code, errors: errors.length }).toEqual({ code: 3, errors: 1 })
  expect(readdirSync(out)).toEqual(['run.json'])
})

test('what a program wrote stands below its first line', () => {
  const { terminal, out } = heardTerminal()
  const step = { number: 1, part: 'steps', line: 3, word: 'exec', title: 'starts', ok: false, said: '', events: [] }
  const failed = { ...step, expected: 'runs', received: 'wrote:\none\ntwo', took_ms: 1, from_seq: 0, to_seq: 0 }
  stepListener(terminal).step?.({ file: 'a.yaml' } as Job, failed as StepReport)
  const lines = out.join('\n').split('\n')
  const column = lines.find((line) => line.includes('wrote:'))?.indexOf('wrote:')
  expect(lines.slice(-2).map((line) => line.search(/\S/))).toEqual([column, column])
})

type Pattern = { readonly regexp: string } & Partial<Record<'file' | 'line' | 'column' | 'message', number>>

/** What VS Code makes of an output: the patterns of a matcher fit lines that follow each other, and messages are joined. */
const problemsIn = (lines: readonly string[], patterns: readonly Pattern[]) =>
  lines.flatMap((_, from) => {
    const found = patterns.map(({ regexp }, i) => new RegExp(regexp).exec(lines[from + i] ?? ''))
    if (found.some((match) => match === null)) return []
    const all = (name: 'file' | 'line' | 'column' | 'message') =>
      patterns.flatMap(({ [name]: group }, i) => (group === undefined ? [] : [found[i]?.[group]])).join('\n')
    return [{ file: all('file'), line: all('line'), column: all('column'), message: all('message') }]
  })

test('the task for VS Code finds the line of a mistake and of each failed step', async () => {
  const { tasks } = JSON.parse(readFileSync(join(root, 'docs/using/vscode-tasks.json'), 'utf8'))
  const [mistakes, failures]: readonly Pattern[][] = tasks[0].problemMatcher.map(
    (one: { pattern: Pattern[] }) => one.pattern,
  )
  const wrong = join(folder, 'wrong.yaml')
  writeFileSync(wrong, GOOD.replace('scan: {', 'scann: {'))
  const read = await handset([wrong])
  expect(problemsIn(read.errors, mistakes ?? [])).toMatchObject([{ file: wrong, line: '6', column: '5' }])
  const played = await handset([tests])
  const lines = played.out.split('\n')
  const file = relative(process.cwd(), join(tests, 'b.yaml'))
  expect(problemsIn(lines, failures ?? [])).toMatchObject([
    { file, line: '6', message: expect.stringMatching(/.\nexpected +{/) },
  ])
  expect(problemsIn(lines, mistakes ?? [])).toEqual([])
})
