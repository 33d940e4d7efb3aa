import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codeBelow, ROOT } from './support/imports.ts'
import * as output from './support/test-output.mjs'

test('output is plain unless a person looks at it', () => {
  expect(output.isPlain({ isTTY: true, env: {} })).toBe(false)
  expect(output.isPlain({ isTTY: undefined, env: {} })).toBe(true)
  expect(output.isPlain({ isTTY: true, env: { CI: 'true' } })).toBe(true)
})

test('each part is one line with its counts', () => {
  const counts = { passed: 3, failed: 1, skipped: 0 }
  expect(output.partLine({ good: false, title: 'unit', seconds: 1.24, counts })).toBe(
    '✗ unit: 3 passed, 1 failed, 0 skipped (1.2 s)',
  )
  expect(output.partLine({ good: true, title: 'lint', seconds: 2 })).toBe('✓ lint (2.0 s)')
})

test('the files that took longest are told', () => {
  const files = ['test/a.test.ts', 'test/b.test.ts'].map((file, i) => ({ file, seconds: i * 2, errors: [], tests: [] }))
  expect(output.slowestLine(output.unitSeconds({ files }))).toBe('  slowest: b.test.ts 2 s, a.test.ts 0 s')
  expect(output.slowestLine(output.unitSeconds({ files }), 1)).toBe('  slowest: b.test.ts 2 s')
  const spec = { file: 'c.spec.ts', tests: [{ results: [{ duration: 1500 }, { duration: 2500 }] }] }
  expect(output.slowestLine(output.e2eSeconds({ suites: [{ specs: [spec], suites: [{ specs: [spec] }] }] }))).toBe(
    '  slowest: c.spec.ts 8 s',
  )
  expect([output.unitSeconds(undefined).size, output.e2eSeconds(undefined).size]).toEqual([0, 0])
})

const unitReport = {
  files: [
    { file: 'test/a.test.ts', errors: [{ name: 'Error', message: 'no module' }], tests: [] },
    {
      file: 'test/b.test.ts',
      errors: [],
      tests: [
        { title: 'passes', state: 'passed', line: 1, errors: [] },
        {
          title: 'bank > it’s $1',
          state: 'failed',
          line: 7,
          errors: [
            {
              name: 'AssertionError',
              message: 'no',
              diff: '- 1\n+ 2',
              stacks: [{ file: 'C:\\x\\test\\b.test.ts', line: 9 }],
            },
          ],
        },
        { title: 'dies', state: 'pending', line: 20, errors: [] },
      ],
    },
  ],
  outside: [{ name: 'Error', message: 'a worker exited' }],
}
const e2eReport = {
  errors: [{ message: 'no page' }],
  suites: [
    {
      title: 'a.spec.ts',
      file: 'a.spec.ts',
      specs: [{ title: 'registers', file: 'a.spec.ts', line: 1, tests: [{ status: 'expected', results: [] }] }],
      suites: [
        {
          title: 'bank',
          file: 'a.spec.ts',
          specs: [
            {
              title: 'signs in',
              file: 'a.spec.ts',
              line: 7,
              tests: [
                {
                  status: 'unexpected',
                  results: [{ errors: [{ message: '\u001b[31mno\u001b[39m button', location: { line: 8 } }] }],
                },
              ],
            },
          ],
        },
      ],
    },
  ],
}

test('a red run ends with each failure: file, line, claim, difference, and the command that plays it alone', () => {
  const failures = [...output.unitFailures(unitReport), ...output.e2eFailures(e2eReport)]
  expect(output.failureLines(failures).filter(Boolean)).toEqual([
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
  expect([...output.failureLines([]), ...output.unitFailures(undefined), ...output.e2eFailures(undefined)]).toEqual([])
})

test('a failed test that passes alone is flaky, and told with both outputs', () => {
  const failure = { part: 'unit', file: 'test/a.test.ts', line: 9, from: 7, title: 'holds', details: ['1 is not 2'] }
  const lines = output.failureLines([
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

test('a browser’s test is named alone as Playwright takes it, whatever its part', () => {
  const failure = { part: 'long', file: 'test/e2e/a.spec.ts', line: 8, from: 7, title: 'bank › signs in', details: [] }
  expect(output.failureLines([failure])).toContain("  npm test -- long test/e2e/a.spec.ts:7 -g 'bank signs in'")
})

test('of a long difference twelve lines are told, those that differ first', () => {
  const diff = ['no', ...Array.from({ length: 40 }, (_, i) => (i % 20 === 0 ? `- ${i}` : `  ${i}`))].join('\n')
  expect(output.briefly(diff)).toEqual(['no', '- 0', '- 20'])
  const long = output.briefly(Array.from({ length: 40 }, (_, i) => `line ${i}`).join('\n'))
  expect([long.length, long.at(-1)]).toEqual([12, '… and 29 more lines'])
})

test('runs count while the tree is the same, and since the last red one', () => {
  const run = { tree: 'a', good: true, wall: 1, processor: 1, passed: 1, failed: 0, failures: [] }
  const wanted = ['quiet', 'quiet', 'busy']
  expect(output.resume([], 'a', wanted)).toEqual({ done: [], left: wanted })
  const done = [{ ...run, kind: 'quiet' }]
  expect(output.resume([{ ...run, tree: 'b', kind: 'busy' }, ...done], 'a', wanted)).toEqual({
    done,
    left: ['quiet', 'busy'],
  })
  const red = { ...run, good: false, kind: 'quiet' }
  expect(output.resume([...done, red, ...done], 'a', wanted)).toEqual({ done, left: ['quiet', 'busy'] })
})

test('a test says that it belongs to a longer part as test/support/parts.ts reads it', () => {
  const sourceOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
  const tests = codeBelow('test', /\.(test|spec)\.tsx?$/).filter((file) => file !== 'test/test-output.test.ts')
  expect(
    tests.filter((file) => /HANDSET_TEST_(LONG|NIGHTLY)/.test(sourceOf(file)) && !file.startsWith('test/postgres/')),
  ).toEqual([])
  // A spec has its tags alone: between parts only the sizes and colour schemes of test/e2e/support differ.
  expect(tests.filter((file) => file.endsWith('.spec.ts') && /\bisLong\b/.test(sourceOf(file)))).toEqual([])
})
