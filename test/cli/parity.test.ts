import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FEWER_CASES } from '../support/check-service.ts'
import { lineOf, parity, recorded } from '../support/parity.ts'
import { runCommand } from '../support/run-command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** `npm test -- long` compares all of them, and their times. */
const EVERY_THIRD = FEWER_CASES.filter((_, n) => n % 3 === 0)

test('a bench of our own differs in nothing', async () => {
  const file = await recorded({ profile: {}, cases: EVERY_THIRD })
  expect(readFileSync(file, 'utf8')).not.toMatch(
    /-secret-that-is-long-enough|device_token[\\":]+[^*\\":]|Bearer [\w-]{12}/,
  )
  const { code, differences, profile, compared } = await parity(file)
  // Of so few calls even the quickest are slow while other tests run.
  const untimed = differences.filter(({ kind }) => kind !== 'time')
  expect({ code, untimed, profile }).toEqual({ code: 0, untimed: [], profile: {} })
  expect(compared).toBeGreaterThan(50)
})

test('of three planted differences each is named, and a setting goes with what it writes', async () => {
  const planted = { clock_skew_s: 60 }
  const file = await recorded({
    profile: planted,
    cases: FEWER_CASES.filter(({ says }) => says.heading === 'When it is refused'),
    change: (answer) => {
      answer.headers.server = 'cloud/1'
      answer.text = answer.text.replace('"code":40103', '"code":40104')
    },
  })
  const { code, differences, written } = await parity(file)
  expect({ code, profile: written.profile }).toEqual({ code: 1, profile: planted })
  expect(differences.filter(({ kind }) => kind !== 'time').map(lineOf)).toEqual([
    'clock_skew_s: 60: code, GET /rp/credentials, code, 40106, 0',
    'clock_skew_s: 60: value, code 40106, data.reason.params.allowed, 60, 300',
    'nothing: header, server, present, absent',
    'nothing: code, GET /rp/credentials, code, 40104, 40103',
  ])
})

test.each([
  ['no JSON', 'not json', 'it is no JSON.'],
  ['something else', '{"cases":[]}', 'it is no recording.'],
  [
    'half a recording',
    '{"base_url":"http://a","profile":{},"measured":{},"cases":[{"id":"x"}]}',
    'it is no recording.',
  ],
  [
    'settings of another version',
    '{"base_url":"http://a","profile":{"colour":"red"},"measured":{},"cases":[]}',
    'it was written by another version.',
  ],
])('a file that is %s is refused with what is wrong', async (_, text, problem) => {
  const file = join(temporaryFolder(), 'given.json')
  writeFileSync(file, text)
  const { code, errors } = await runCommand(['parity', file])
  expect(code).toBe(2)
  expect(errors.join('\n')).toContain(problem)
})

test('a command without a file, or with one that is not there, says what to give', async () => {
  expect(await runCommand(['parity'])).toMatchObject({ code: 2, errors: [expect.stringContaining('name one file')] })
  expect(await runCommand(['parity', '/nowhere/x.json'])).toMatchObject({
    code: 2,
    errors: [expect.stringContaining('there is no file /nowhere/x.json')],
  })
})
