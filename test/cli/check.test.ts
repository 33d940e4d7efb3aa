import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CheckReport } from '../../src-main/core/contract/check-report.ts'
import { FEWER_CASES, TWO_RPS } from '../support/check-service.ts'
import { benchOfFile } from '../support/open-workspaces.ts'
import { lineOf, parity, recorded } from '../support/parity.ts'
import { runCommand } from '../support/run-command.ts'
import { folderOfFile, temporaryFolder } from '../support/temporary-folder.ts'

const folder = folderOfFile()
const KEY = 'one:one-secret-that-is-long-enough'
const RIGHT = 'a-signature-with-one-digit-changed-is-40104'
const WRONG = 'a-final-result-is-told-as-often-as-the-profile-says'

/** It tells results again and again, which the default profile does not. */
const running = benchOfFile({ seedData: { rps: TWO_RPS, phones: [], profile: { final_result: 'repeatable' } } })

const check = (...args: readonly string[]) =>
  runCommand(['check', '--base-url', running.bench.baseUrl, '--access-key', KEY, ...args])
const withPhones = (...args: readonly string[]) => check('--app-url', running.bench.appUrl, ...args)

const expectedFile = (text: string): string => {
  const file = join(folder, `${Buffer.from(text).toString('hex').slice(0, 40)}.yaml`)
  writeFileSync(file, text)
  return file
}

test('one case alone is played, and what is wrong is told with its exchange and the command that repeats it', async () => {
  const right = await withPhones('--case', RIGHT)
  expect({ code: right.code, last: right.out.split('\n').at(-1) }).toEqual({
    code: 0,
    last: expect.stringMatching(/^1 case: 1 PASSED in /),
  })
  const { code, out } = await withPhones('--case', WRONG, '--case', RIGHT)
  expect(code).toBe(1)
  expect(out).toContain('FAILED   a final result is told as often as the profile says')
  expect(out).toContain('expected code 41001; got HTTP 200, code 0')
  expect(out).toContain(`handset check --base-url ${running.bench.baseUrl} --app-url`)
  expect(out).toContain('2 cases: 1 PASSED, 1 FAILED')
})

test('an expected failure is none, and one that passes is an error', async () => {
  const fails = expectedFile(`${WRONG}: "They told us in ticket 7."`)
  expect(await withPhones('--case', WRONG, '--expected', fails)).toMatchObject({ code: 0 })
  const passes = expectedFile(`${RIGHT}: "It was broken once."`)
  const { code, out } = await withPhones('--case', RIGHT, '--expected', passes)
  expect(code).toBe(1)
  expect(out).toContain('It passes: take it out of the expected failures: It was broken once.')
})

test('without phones the cases that need one are skipped, with the reason', async () => {
  const { code, out } = await check('--parallel', '8')
  expect(code).toBe(0)
  expect(out).toMatch(/\d{3} skipped: it takes a phone of ours: give --app-url/)
})

test('reports hold each exchange with a curl line, and no secret', async () => {
  const { code } = await withPhones('--case', WRONG, '--case', RIGHT, '--report', 'html,junit,json', '--out', folder)
  expect(code).toBe(1)
  const texts = ['check.json', 'check.xml', 'check.html'].map((file) => readFileSync(join(folder, file), 'utf8'))
  const [json = '', xml = '', page = ''] = texts
  const report = JSON.parse(json) as CheckReport
  expect(report.cases.map(({ id, verdict }) => [id, verdict])).toEqual([
    [RIGHT, 'passed'],
    [WRONG, 'failed'],
  ])
  const exchanges = report.cases.flatMap((each) => each.exchanges)
  expect(exchanges.length).toBeGreaterThan(5)
  for (const { curl, url } of exchanges) expect(curl).toContain(new URL(url).pathname)
  expect(xml).toContain('<testsuites name="handset check" tests="2" failures="1" errors="0" skipped="0"')
  expect(page).toContain('<details class="failed" open>')
  for (const text of texts) {
    expect(text).not.toContain('one-secret-that-is-long-enough')
    expect(text).not.toMatch(/device_token\W{1,8}[\w-]{8}/)
    expect(text).not.toMatch(/Bearer [\w-]{8}/)
  }
})

test('a refused request is repeated by its curl line as long as its date is near', async () => {
  const { out } = await withPhones('--case', RIGHT, '--json')
  const last = (JSON.parse(out) as CheckReport).cases[0]?.exchanges.at(-1)
  const headers = Object.fromEntries(last?.request_headers ?? [])
  const again = await fetch(last?.url ?? '', {
    headers: { Authorization: headers.Authorization ?? '', 'X-Svc-Date': headers['X-Svc-Date'] ?? '' },
  })
  expect(again.status).toBe(last?.status)
})

test('by hand a person is told what to do, and phones of ours have no part in it', async () => {
  const questions: string[] = []
  const ask = async (question: string) => {
    questions.push(question)
    return ''
  }
  const one = ['--by-hand', '--case', 'a-registration-goes-from-init-over-bind-to-success']
  const at = ['--base-url', running.bench.baseUrl, '--access-key', KEY]
  const { code, out } = await runCommand(['check', ...at, ...one], undefined, { ask })
  // No phone scans, so the message stays as it was.
  expect({ code, questions }).toEqual({
    code: 1,
    questions: [
      'Scan this code with the phone, and do not approve yet. Then press Enter. ',
      'Approve on the phone. Then press Enter. ',
    ],
  })
  expect(out).toContain(`${running.bench.baseUrl}/m#r`)
  expect(out).toContain('expected init, bind, success; got init, init, init')
})

test('--list names every case with its paragraph', async () => {
  const { code, out } = await runCommand(['check', '--list'])
  expect(code).toBe(0)
  expect(out.split('\n').length).toBeGreaterThan(300)
  expect(out).toContain(`${RIGHT}  (interface/signing: When it is refused)`)
})

test('an address without a service is told at once', async () => {
  const gone = await runCommand(['check', '--base-url', 'http://127.0.0.1:1/fido', '--access-key', KEY])
  expect(gone).toMatchObject({
    code: 3,
    errors: ['handset check: nobody answers at http://127.0.0.1:1/fido: refused.'],
  })
})

const AT = ['--base-url', 'http://x/fido']
const KEYED = [...AT, '--access-key', KEY]

test.each<readonly [string, readonly string[], string]>([
  ['no address', ['--access-key', KEY], 'it needs --base-url URL.'],
  ['an address with #', ['--base-url', 'http://x/#a', '--access-key', KEY], 'must be an address with http://'],
  ['no key', AT, 'it needs --access-key: the key of an RP'],
  ['half a key', [...AT, '--access-key', 'one'], '--access-key must be ID:SECRET'],
  ['an unknown case', [...KEYED, '--case', `${RIGHT}5`], `there is no case "${RIGHT}5". Did you mean ${RIGHT}?`],
  ['a person and phones', [...KEYED, '--by-hand', '--app-url', 'http://x/app'], '--by-hand'],
])('%s is told in a line', async (_, args, complaint) => {
  const { code, errors } = await runCommand(['check', ...args])
  expect({ code, lines: errors.length }).toEqual({ code: 2, lines: 1 })
  expect(errors[0]).toContain(complaint)
})

test.each([
  ['another-case: x', 'there is no case "another-case"'],
  [`${RIGHT}: 7`, 'needs its reason, as a text.'],
  ['- a', 'it must name cases, each with the reason'],
])('a file of expected failures that says %j is told by its name', async (text, complaint) => {
  const { code, errors } = await check('--expected', expectedFile(text))
  expect(code).toBe(2)
  expect(errors.join()).toContain(complaint)
})

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

const recording = (profile: object, cases: readonly object[]) =>
  JSON.stringify({ base_url: 'http://a', profile, measured: {}, cases })

test.each([
  ['no JSON', 'not json', 'it is no JSON.'],
  ['something else', '{"cases":[]}', 'it is no recording.'],
  ['half a recording', recording({}, [{ id: 'x' }]), 'it is no recording.'],
  ['settings of another version', recording({ colour: 'red' }, []), 'it was written by another version.'],
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
