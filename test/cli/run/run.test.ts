import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Environment } from '../../../src-main/cli/command.ts'
import { main } from '../../../src-main/cli/main.ts'
import { type RunReport, runReportSchema } from '../../../src-main/contract/run-report.ts'
import { findProblem } from '../../../src-main/contract/validate.ts'
import { startTestBench } from '../../support/bench.ts'
import { heardTerminal } from '../../support/heard-terminal.ts'

const root = join(import.meta.dirname, '../../..')

const GOOD = `name: Registers
phones:
  alice: { account: { name: Alice, phone: '13812345678' } }
steps:
  - register: { user_id: u-1, username: alice }
  - scan: { phone: alice }
  - approve: { phone: alice }
  - expect: { status: success }
`
const BAD = GOOD.replace('Registers', 'Waits for nothing').replace('- scan', '- expect: { status: success }\n  - scan')

let folder: string
let tests: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'handset-runs-'))
  tests = join(folder, 'tests')
  mkdirSync(tests)
  writeFileSync(join(tests, 'a.yaml'), GOOD)
  writeFileSync(join(tests, 'b.yaml'), BAD)
  writeFileSync(join(tests, 'c.yaml'), GOOD)
})
afterAll(() => rmSync(folder, { recursive: true }))

const handset = async (args: readonly string[], more: Partial<Environment> = {}) => {
  const { terminal, out, errors } = heardTerminal()
  const code = await main(['run', ...args], {
    terminal,
    ...{ version: '1.2.3', root, env: {}, platform: 'linux', stop: new AbortController().signal },
    ...more,
  })
  return { code, out: out.join('\n'), errors }
}

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

test('--last-failed plays only what failed, until it passes', async () => {
  const out = newOut()
  const file = join(tests, '..', 'fixed', 'b.yaml')
  mkdirSync(join(file, '..'))
  writeFileSync(file, BAD)
  writeFileSync(join(file, '../a.yaml'), GOOD)
  const again = [join(file, '..'), '--report', 'json', '--out', out]
  expect((await handset(again)).code).toBe(1)
  writeFileSync(file, GOOD)
  expect((await handset([...again, '--last-failed'])).code).toBe(0)
  expect(reportIn(out).scenarios.length).toBe(1)
  expect((await handset([...again, '--last-failed'])).code).toBe(2)
})

test('scenarios run on a bench that runs already, and leave nothing on it', async () => {
  const bench = await startTestBench()
  try {
    const { controlUrl, token } = bench.bench
    const env = { HANDSET_TOKEN: token }
    const attached = [tests, '--attach', '--control-url', controlUrl, '--parallel', '3', '--out', newOut()]
    expect((await handset(attached, { env })).code).toBe(1)
    expect((await bench.client.call('workspaces.list')).workspaces.map(({ id }) => id)).toEqual(['main'])
  } finally {
    await bench.close()
  }
})

test.each([
  [[], 2],
  [['nothing-here'], 2],
  [['TESTS/*.json'], 2],
  [['TESTS', '--filter', 'nobody'], 2],
  [['TESTS', '--filter', '/(/'], 2],
  [['TESTS', '--tag', 'none'], 2],
  [['TESTS', '--shard', '3/2'], 2],
  [['TESTS', '--parallel', '0'], 2],
  [['TESTS', '--report', 'pdf'], 2],
  [['TESTS', '--token', 'x'], 2],
  [['--replay', 'no-id'], 2],
  [['--replay', 'gone.yaml@1'], 2],
  [['TESTS', '--last-failed', '--out', 'TESTS/none'], 2],
  [['TESTS', '--attach', '--control-url', 'http://localhost:9/control/v1', '--token', 'x'], 3],
  [['TESTS', '--attach', '--data', 'TESTS'], 3],
  [['TESTS', '--report', 'json', '--out', 'TESTS/a.yaml'], 3],
  [['TESTS', '--report', 'json', '--out', '/proc/handset'], 3],
] as const)('%j is one line and exit code %i, and nothing runs', async (args, expected) => {
  const { code, out, errors } = await handset(args.map((arg) => arg.replace('TESTS', tests)))
  expect({ code, out }).toEqual({ code: expected, out: '' })
  expect(errors).toEqual([expect.stringMatching(/^handset run: [^\n]+$/)])
})

test('a run that is ended by hand reports what it came to, whole', async () => {
  const out = newOut()
  const stop = new AbortController()
  const terminal = { error: () => undefined, color: false, width: 100 }
  const { code } = await handset([tests, '--json', '--report', 'json,junit', '--out', out], {
    stop: stop.signal,
    // As soon as the second scenario begins.
    terminal: { ...terminal, out: (text) => void (text.includes('b.yaml') && stop.abort()) },
  })
  expect(code).toBe(130)
  const report = reportIn(out)
  expect([report.outcome, report.scenarios.map(({ outcome }) => outcome)]).toEqual([
    'stopped',
    ['passed', 'stopped', 'stopped'],
  ])
  expect(readdirSync(out).sort()).toEqual(['junit.xml', 'run.json'])
})

test('a report that cannot be written is one line and exit code 3, and nothing half-written is left', async () => {
  const out = newOut()
  mkdirSync(join(out, 'run.json'), { recursive: true })
  const { code, errors } = await handset([join(tests, 'a.yaml'), '--report', 'json', '--out', out])
  expect({ code, errors: errors.length }).toEqual({ code: 3, errors: 1 })
  expect(readdirSync(out)).toEqual(['run.json'])
})
