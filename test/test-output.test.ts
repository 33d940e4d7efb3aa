import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './support/imports.ts'
import {
  e2eFailures,
  e2eSeconds,
  isPlain,
  partLine,
  plainEnvironment,
  slowestLine,
  unitReporter,
  unitSeconds,
} from './support/test-output.mjs'

test('output is plain unless a person looks at it', () => {
  expect(isPlain({ isTTY: true, env: {} })).toBe(false)
  expect(isPlain({ isTTY: undefined, env: {} })).toBe(true)
  expect(isPlain({ isTTY: true, env: { CI: 'true' } })).toBe(true)
})

test('in a log the tests print neither dots nor colours, even where colours are forced', () => {
  const args = ['run', '--root', ROOT, `--reporter=${unitReporter(true)}`, 'test/protocol/remember.test.ts']
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/vitest/vitest.mjs'), ...args],
    {
      env: plainEnvironment({ ...process.env, FORCE_COLOR: '1', CI: 'true' }),
    },
  )
  expect(status).toBe(0)
  for (const mark of ['\u001b', '·']) expect(`${stdout}${stderr}`).not.toContain(mark)
})

test('each part is one line with its counts', () => {
  const counts = { passed: 3, failed: 1, skipped: 0 }
  expect(partLine({ good: false, title: 'unit', seconds: 1.24, counts })).toBe(
    '✗ unit: 3 passed, 1 failed, 0 skipped (1.2 s)',
  )
  expect(partLine({ good: true, title: 'lint', seconds: 2 })).toBe('✓ lint (2.0 s)')
})

test('the files that took longest are told', () => {
  const testResults = ['/x/test/a.test.ts', 'C:\\x\\test\\b.test.ts'].map((name, i) => ({
    name,
    startTime: 0,
    endTime: i * 2000,
  }))
  const units = unitSeconds({ testResults })
  expect(slowestLine(units)).toBe('  slowest: b.test.ts 2 s, a.test.ts 0 s')
  expect(slowestLine(units, 1)).toBe('  slowest: b.test.ts 2 s')
  const spec = { file: 'c.spec.ts', tests: [{ results: [{ duration: 1500 }, { duration: 2500 }] }] }
  expect(slowestLine(e2eSeconds({ suites: [{ specs: [spec], suites: [{ specs: [spec] }] }] }))).toBe(
    '  slowest: c.spec.ts 8 s',
  )
  expect([unitSeconds(undefined).size, e2eSeconds(undefined).size]).toEqual([0, 0])
})

test('what fails end to end is told in full, without colours', () => {
  const failing = {
    title: 'signs in',
    file: 'a.spec.ts',
    line: 7,
    tests: [{ status: 'unexpected', results: [{ errors: [{ message: '\u001b[31mno\u001b[39m button\nCall log' }] }] }],
  }
  const passing = {
    title: 'registers',
    file: 'a.spec.ts',
    line: 1,
    tests: [{ status: 'expected', results: [{ errors: [] }] }],
  }
  const report = {
    suites: [{ title: 'a.spec.ts', specs: [passing], suites: [{ title: 'bank', specs: [failing] }] }],
    errors: [{ message: 'no page' }],
  }
  expect(e2eFailures(report)).toEqual([
    '✗ no page\n',
    '✗ a.spec.ts › bank › signs in (a.spec.ts:7)\nno button\nCall log\n',
  ])
  expect(e2eFailures(undefined)).toEqual([])
})
