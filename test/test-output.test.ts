import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codeBelow, ROOT } from './support/imports.ts'
import { e2eFailures, failureLines, unitFailures } from './support/test-output.mjs'

const stacks = [{ file: 'C:\\x\\test\\b.test.ts', line: 9 }]
const unitReport = {
  files: [
    { file: 'test/a.test.ts', errors: [{ name: 'Error', message: 'no module' }], tests: [] },
    {
      ...{ file: 'test/b.test.ts', errors: [] },
      tests: [
        { title: 'passes', state: 'passed', line: 1, errors: [] },
        {
          ...{ title: 'bank > it’s $1', state: 'failed', line: 7 },
          errors: [{ name: 'AssertionError', message: 'no', diff: '- 1\n+ 2', stacks }],
        },
        { title: 'dies', state: 'pending', line: 20, errors: [] },
      ],
    },
  ],
  outside: [{ name: 'Error', message: 'a worker exited' }],
}
const spec = (title: string, line: number, status: string, ...errors: readonly object[]) => ({
  ...{ title, file: 'a.spec.ts', line },
  tests: [{ status, results: [{ errors }] }],
})
const noButton = { message: '\u001b[31mno\u001b[39m button', location: { line: 8 } }
const bank = { title: 'bank', file: 'a.spec.ts', specs: [spec('signs in', 7, 'unexpected', noButton)] }
const e2eReport = {
  errors: [{ message: 'no page' }],
  suites: [{ title: 'a.spec.ts', file: 'a.spec.ts', specs: [spec('registers', 1, 'expected')], suites: [bank] }],
}

test('a red run ends with each failure: file, line, claim, difference, and the command that plays it alone', () => {
  const failures = [...unitFailures(unitReport), ...e2eFailures(e2eReport)]
  expect(failureLines(failures).filter(Boolean)).toEqual([
    '6 failed:',
    ...['✗ test/a.test.ts', '    Error: no module', '  npm test -- unit test/a.test.ts'],
    ...['✗ test/b.test.ts:9  bank > it’s $1', '    AssertionError: no', '    - 1', '    + 2'],
    "  npm test -- unit test/b.test.ts:7 -t '^bank > it’s .1$'",
    ...['✗ test/b.test.ts:20  dies', '    Error: It did not end.', "  npm test -- unit test/b.test.ts:20 -t '^dies$'"],
    ...['✗ outside any test of unit', '    Error: a worker exited', '  npm test -- unit'],
    ...['✗ outside any test of e2e', '    no page', '  npm test -- e2e'],
    ...[
      '✗ test/e2e/a.spec.ts:8  bank › signs in',
      '    no button',
      "  npm test -- e2e test/e2e/a.spec.ts:7 -g 'bank signs in'",
    ],
  ])
  expect([...failureLines([]), ...unitFailures(undefined), ...e2eFailures(undefined)]).toEqual([])
})

test('a failed test that passes alone is flaky, and told with both outputs', () => {
  const failure = { part: 'unit', file: 'test/a.test.ts', line: 9, from: 7, title: 'holds', details: ['1 is not 2'] }
  const lines = failureLines([
    { ...failure, again: { good: true, details: ['It passed.'] } },
    { ...failure, again: { good: false, details: ['1 is not 2'] } },
  ])
  const tail = ["  npm test -- unit test/a.test.ts:7 -t '^holds$'", '']
  expect(lines).toEqual([
    ...['2 failed, 1 of them flaky:', ''],
    ...['~ flaky: test/a.test.ts:9  holds', '    1 is not 2', '  Played again alone:', '    It passed.', ...tail],
    ...['✗ test/a.test.ts:9  holds', '    1 is not 2', '  Played again alone:', '    the same', ...tail],
  ])
})

test('a test says that it belongs to a longer part as test/support/parts.ts reads it', () => {
  const sourceOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
  const tests = codeBelow('test', /\.(test|spec)\.tsx?$/).filter((file) => file !== 'test/test-output.test.ts')
  expect(
    tests.filter((file) => /HANDSET_TEST_(LONG|NIGHTLY)/.test(sourceOf(file)) && !file.startsWith('test/postgres/')),
  ).toEqual([])
  // A spec has its tag alone: what it does is the same in each part.
  expect(tests.filter((file) => file.endsWith('.spec.ts') && /\bisLong\b/.test(sourceOf(file)))).toEqual([])
})
