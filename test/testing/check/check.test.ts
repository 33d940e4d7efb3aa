import { expect, onTestFinished, test } from 'vitest'
import type { CheckVerdict } from '../../../src-main/core/contract/check-report.ts'
import { defaultProfile, type Profile } from '../../../src-main/core/contract/profile.ts'
import { acceptedCase, refusedCase } from '../../../src-main/testing/check/case.ts'
import { ALL_CASES, planCases } from '../../../src-main/testing/check/run-check.ts'
import type { World } from '../../../src-main/testing/check/world.ts'
import { startTestBench } from '../../support/bench.ts'
import { checkService, FEWER_CASES, notPassed, TWO_RPS } from '../../support/check-service.ts'
import { isLong, isNightly } from '../../support/parts.ts'
import { serveBriefly } from '../../support/serve-briefly.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('there are at least 150 cases, each with a name of its own, and of those about an answer its step', () => {
  const ids = new Set(ALL_CASES.map(({ id }) => id))
  expect(ids.size).toBe(ALL_CASES.length)
  expect(ids.size).toBeGreaterThanOrEqual(150)
  const answers = ALL_CASES.filter(({ id }) => /^a-(registration|sign-in)-with-.*-fails$/.test(id))
  expect(answers.filter(({ says }) => says.step === undefined).map(({ id }) => id)).toEqual([])
  expect(answers.length).toBeGreaterThan(150)
})

const bench = async (settings: Partial<Profile>, data?: string) => {
  const { bench, close } = await startTestBench({
    seedData: { rps: TWO_RPS, phones: [], profile: settings },
    ...(data === undefined ? {} : { data }),
  })
  onTestFinished(close)
  return { baseUrl: bench.baseUrl, appUrl: bench.appUrl }
}

/** `npm test -- long` tries each case, those that wait for an expiry included, and otherwise the cases that `npm test` does not. */
const OTHER_WAYS: Partial<Profile> = {
  authorization_forms: ['short'],
  clock_skew_s: 60,
  explain_signatures: false,
  final_result: 'repeatable',
  unknown_user: 'accept',
  empty_optional: 'refuse',
  ...{ user_id_max: 40, username_max: 50, display_name_max: 60, credential_name_max: 20, credentials_per_user: 3 },
  counter_regression: 'accept',
  http_status: 'always-200',
}

const LEAST = { all: 250, fewer: 120, others: 120 } as const

type Way = { readonly settings: Partial<Profile>; readonly onDisk?: boolean; readonly cases: keyof typeof LEAST }

test.each<readonly [string, Way]>(
  isLong
    ? [
        ['as we are, with SQLite', { settings: { message_ttl_s: 15 }, onDisk: true, cases: 'all' }],
        ['set up otherwise, in memory', { settings: OTHER_WAYS, cases: 'others' }],
      ]
    : [
        ['as we are, in memory', { settings: {}, cases: 'fewer' }],
        ['set up otherwise, with SQLite', { settings: OTHER_WAYS, onDisk: true, cases: 'fewer' }],
      ],
)(
  '[errors.no-authorization] [errors.malformed-authorization] [errors.unknown-key] [errors.mismatch] [signing.unsent] [signing.date] [signing.host] [signing.scope] [signing.scope-date] [signing.replay] [interface.payload-hash] [users.push-chip] [users.push-cloud] [interface.states] [app.reject] [interface.error-field] [interface.envelope] [interface.message-address] [interface.msg-id] [addresses.url] [interface.credential] [interface.authentication-result] [interface.user-id-field] [messages.bind-first] [messages.only-bound] [messages.svc-user] [interface.svc-user] [interface.reported-once] [messages.head] [interface.result-record] [interface.registration-result] [rps.foreign] [app.json] [errors.http-status] [errors.route] [errors.conflict] [users.delete] [interface.delete] every case passes on ourselves, %s',
  async (_, { settings, onDisk = false, cases: which }) => {
    const target = await bench(settings, onDisk ? temporaryFolder() : undefined)
    const slow = settings.message_ttl_s !== undefined
    const planned = planCases({ ...defaultProfile, ...settings })
    const fewer = FEWER_CASES.map(({ id }) => id)
    const tried = planned.filter(({ id }) => which === 'all' || fewer.includes(id) === (which === 'fewer'))
    const cases = await checkService(target, { settings, slow, cases: tried })
    const waits = slow ? [] : ALL_CASES.filter(({ needs }) => needs.includes('expiry'))
    expect(notPassed(cases).filter((line) => !/^skipped .*(--slow|profile leaves it out)/.test(line))).toEqual([])
    expect(cases.length).toBeGreaterThanOrEqual(LEAST[which])
    expect(cases.filter(({ verdict }) => verdict === 'skipped').length).toBeLessThanOrEqual(waits.length + 1)
  },
)

test('a profile that differs from the service is found', async () => {
  const target = await bench({ ...OTHER_WAYS, authorization_forms: ['general'] })
  const counter = ALL_CASES.filter(({ id }) => id === 'a-sign-in-whose-counter-does-not-grow-fails')
  const cases = await checkService(target, { cases: [...new Set([...FEWER_CASES, ...counter])] })
  expect(cases.find(({ id }) => id === counter[0]?.id)).toMatchObject({
    ...{ verdict: 'failed', says: { step: '7.2.22' } },
    text: expect.stringMatching(/\(WebAuthn §7\.2 step 22\)$/),
  })
  // It has a verdict: what is not there must not break the case off.
  const explained = cases.find(({ id }) => id === '40104-shows-the-canonical-request-and-never-the-secret')
  expect(explained?.verdict).toBe('failed')
  const failed = cases.filter(({ verdict }) => verdict === 'failed' || verdict === 'vacuous').map(({ id }) => id)
  expect(failed).toEqual(
    expect.arrayContaining([
      'a-final-result-is-told-as-often-as-the-profile-says',
      'a-user-id-is-as-long-as-the-profile-lets-it-and-no-longer',
      'a-user-has-as-many-credentials-as-the-profile-says-one-more-is-40901',
      'the-short-form-is-accepted',
      'a-signature-with-one-digit-changed-is-40104',
    ]),
  )
})

const ALWAYS_THE_SAME: readonly (readonly [string, number, string])[] = [
  ['404', 404, ''],
  ['404 in an envelope', 404, '{"code":40401,"data":{},"error":"no"}'],
  ['200 and {}', 200, '{}'],
  ['200 and code 0', 200, '{"code":0,"data":{},"error":""}'],
  [
    'ids and tokens that no request can carry',
    200,
    JSON.stringify({ code: 0, data: { url: 'x:#?a b\n\u001b[2J', device_token: 'a\nb', etag: '"\n"' }, error: 'odd' }),
  ],
  ['401 for everything', 401, '{"code":40104,"data":{},"error":"no"}'],
]

test.each(
  ALWAYS_THE_SAME.map(([name, ...answer], nth) => {
    // Each case meets one of them; in the nightly part all.
    const cases = ALL_CASES.filter((_, n) => isNightly || n % ALWAYS_THE_SAME.length === nth)
    return [name, ...answer, cases] as const
  }),
)('no case passes on a service that answers %s', async (name, status, body, met) => {
  const origin = await serveBriefly((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  const target = { baseUrl: `${origin}/fido`, appUrl: `${origin}/app` }
  const cases = await checkService(target, { parallel: 16, cases: met })
  const passed = cases.filter(({ verdict }) => verdict === 'passed').map(({ id }) => id)
  expect({ name, passed }).toEqual({ name, passed: [] })
})

test('no case passes on a service that answers nothing, and none waits for it for long', async () => {
  const origin = await serveBriefly(() => undefined)
  const cases = await checkService({ baseUrl: `${origin}/fido`, appUrl: `${origin}/app` }, { patienceMs: 100 })
  expect(cases.filter(({ verdict }) => verdict === 'passed')).toEqual([])
  expect(cases.some(({ text }) => text === 'the service no longer answers')).toBe(true)
})

test('a service without a vault has one case skipped, and one whose vault takes nothing fails', async () => {
  const found = async (lists: boolean) => {
    const origin = await serveBriefly(({ method, url }, response) => {
      const has = url === '/app/devices' || (lists && method === 'GET')
      const envelope = { code: has ? 0 : 40401, data: { device_token: 't', total: 0, list: [] }, error: '' }
      response.writeHead(has ? 200 : 404).end(JSON.stringify(envelope))
    })
    const target = { baseUrl: `${origin}/fido`, appUrl: `${origin}/app` }
    const cases = ALL_CASES.filter(({ name }) => / vault|^a put /.test(name))
    return (await checkService(target, { cases })).map(({ verdict }) => verdict)
  }
  expect(await found(false)).toEqual(['skipped'])
  expect(new Set(await found(true))).toEqual(new Set(['failed', 'vacuous']))
})

type Told = readonly [status: number, code: number]
const answers = (told: Told) => async () => ({
  ...{ origin: '', request: { method: 'GET', target: '/', headers: [], body: new Uint8Array() }, tookMs: 0 },
  response: { status: told[0], headers: [], text: JSON.stringify({ code: told[1], data: {}, error: '' }) },
})

test.each<readonly [typeof refusedCase | typeof acceptedCase, Told, Told, CheckVerdict]>([
  [refusedCase, [200, 0], [401, 40104], 'passed'],
  [refusedCase, [200, 0], [401, 40103], 'failed'],
  [refusedCase, [200, 0], [400, 40104], 'failed'],
  [refusedCase, [200, 0], [200, 0], 'failed'],
  [refusedCase, [401, 40104], [401, 40104], 'vacuous'],
  [acceptedCase, [200, 0], [401, 40104], 'passed'],
  [acceptedCase, [200, 0], [200, 0], 'vacuous'],
])('a case %o counts for the right reason alone, with its twin: %j and %j', async (make, valid, changed, verdict) => {
  const made = make('', { code: 40104, valid: answers(valid), changed: answers(changed) })
  expect(await made.run({ profile: defaultProfile } as World)).toMatchObject({ verdict })
})

test('a profile that switches something off leaves its cases out', () => {
  const of = (settings: Partial<Profile>) => planCases({ ...defaultProfile, ...settings }).map(({ id }) => id)
  expect(of({ authorization_forms: ['general'] })).not.toContain('the-short-form-is-accepted')
  expect(of({ unknown_user: 'accept' })).not.toContain('a-sign-in-of-a-user-without-credentials-is-40403')
  expect(of({})).toHaveLength(ALL_CASES.length - 1)
})
