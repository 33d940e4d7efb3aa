import { expect, test } from 'vitest'
import { RP_CHECK_NAMES, type TrialName } from '../../src-main/core/contract/rp-checks.ts'
import type { FaultStory } from '../../src-main/core/contract/service-faults.ts'
import { qrPicture } from '../../src-main/testing/scenario/qr-picture.ts'
import { namesRequest } from '../../src-main/testing/suite/page-driver.ts'
import { pollingMistakes, untriedPolling } from '../../src-main/testing/suite/polling.ts'
import type { Begun, Visitor } from '../../src-main/testing/suite/rp-driver.ts'
import { listTrials } from '../../src-main/testing/suite/walk.ts'
import type { Exchange } from '../../src-main/testing/suite/watch-service.ts'
import { encodePng } from '../support/camera/encode-png.ts'
import { visitorWith, walked } from '../testing/suite/walked.ts'

test('an RP that asks for a code where it should push is broken, and the walk goes on', async () => {
  const trials = listTrials(['push-without-code', 'user-told'], ['push-approved', 'sign-in-approved'])
  expect(await walked('careful', { trials, mistakes: ['push-by-code'], patience_s: 1 })).toMatchObject([
    { fault: 'push-without-code', verdict: 'broke', reason: { code: 'no_push', params: { method: 'qrcode' } } },
    { fault: 'user-told', verdict: 'held' },
  ])
})

/** The mistake of an RP, its pace, and the check or fault that it must fail in which story. */
const MISTAKES: readonly (readonly [string, 'careful' | 'quick', TrialName, FaultStory, string])[] = [
  ['scan-signs-in', 'careful', 'nobody-unapproved', 'sign-in-rejected', 'let_in'],
  ['attempt-of-anybody', 'careful', 'another-browser', 'sign-in-revisited', 'let_in'],
  ['attempt-of-onlookers', 'careful', 'another-browser', 'sign-in-revisited', 'let_in'],
  ['attempt-of-the-first', 'careful', 'another-browser', 'sign-in-revisited', 'let_in'],
  ['message-shared', 'careful', 'message-for-each-request', 'sign-in-twice', 'let_in'],
  ['user-id-cut', 'careful', 'user-id-for-each-account', 'registration-alike', 'let_in'],
  ['account-at-once', 'careful', 'account-after-success', 'registration-rejected', 'broke'],
  ['stranger-registers', 'careful', 'stranger-kept-out', 'registration-by-stranger', 'let_in'],
  ['polls-hot', 'quick', 'pause-between-polls', 'sign-in-rejected', 'broke'],
  ['polls-on', 'quick', 'polls-end', 'sign-in-rejected', 'broke'],
  ['polls-past-expiry', 'quick', 'polls-end', 'sign-in-ignored', 'broke'],
  ['reads-again', 'quick', 'final-read-once', 'sign-in-approved', 'broke'],
  ['code-without-token', 'careful', 'code-with-token', 'sign-in-approved', 'broke'],
  ['code-for-push', 'careful', 'push-without-code', 'push-approved', 'broke'],
  ['secret-in-answer', 'careful', 'secret-kept', 'sign-in-approved', 'broke'],
  ['first-name-as-markup', 'careful', 'svc-user-with-markup', 'sign-in-approved', 'broke'],
  ['waits-for-ever', 'careful', 'user-told', 'sign-in-rejected', 'broke'],
]

/** Changes how each sign-in of the RP began. */
const begun = (change: (begun: Extract<Begun, { ok: true }>) => Begun) =>
  visitorWith((own) => ({
    signIn: async (user) => {
      const came = await own.signIn(user)
      return came.ok ? change(came) : came
    },
  }))

test('a request that two browsers share is found by the picture of its code, too', async () => {
  const draw = (code: unknown) => encodePng(qrPicture(String(code)))
  const driven = begun((came) => ({
    ...came,
    code: { screenshot: async () => draw(came.code), isThere: async () => true },
  }))
  const findings = (mistake: string) =>
    walked('careful', { trials: listTrials(['message-for-each-request']), mistakes: [mistake], driven })
  expect(await findings('message-shared')).toMatchObject([{ verdict: 'let_in' }])
  expect(await findings('')).toMatchObject([{ verdict: 'held' }])
})

test('an address that a page fetches is one of a request alone if it has an ID', () => {
  const ids = ['/attempts/17', '/state?id=0b8f9c4e-5d1a-4c55-9f0e-2d1c0a7b6e51&seen=1', '/state/qWcTbNkLmPzXvRtYhGfDsA']
  const all = ['/sign-in/state?seen=17&at=1764212345678', ...ids]
  expect(all.filter((path) => namesRequest(`http://127.0.0.1:8080${path}`))).toEqual(ids)
})

test.each(MISTAKES)('an RP with the mistake %s fails the check that is about it', async (...row) => {
  const [mistake, pace, check, story, verdict] = row
  const walking = { trials: listTrials([check], [story]), mistakes: [mistake], patience_s: 2 }
  expect(await walked(pace, walking)).toMatchObject([{ fault: check, story, verdict }])
})

test('a careful RP holds in each check, in each story, tried', async () => {
  // Only a page shows whether a code is still there: test/long/suite-by-page.test.ts.
  const trials = listTrials(RP_CHECK_NAMES.filter((name) => name !== 'code-hidden-after-scan'))
  const findings = await walked('quick', { trials })
  expect(findings.filter(({ verdict, took_ms }) => verdict !== 'held' || took_ms === 0)).toEqual([])
})

test.each([
  [[], 'held', undefined],
  [['follows-unread'], 'warned', 'redirect_believed'],
  [['follows-unsigned'], 'let_in', 'signed_in_unapproved'],
  [['follows-signed'], 'broke', 'redirect_followed'],
] as const)(
  'an RP whose page shows a result late, and that follows a redirect by %j: %s',
  async (mistakes, verdict, code) => {
    const trials = listTrials(['redirect', 'redirect-for-good'], ['sign-in-approved'])
    const showsLate = visitorWith((own) => {
      const left = new Map<unknown, number>()
      const state: Visitor['state'] = async (begun) => {
        const now = await own.state(begun)
        if (now === 'done') left.set(begun, (left.get(begun) ?? 4) - 1)
        return (left.get(begun) ?? 0) > 0 ? 'pending' : now
      }
      return { state }
    })
    const findings = await walked('careful', { trials, mistakes, driven: showsLate })
    expect(findings.map(({ verdict, reason }) => [verdict, reason?.code])).toEqual(Array(2).fill([verdict, code]))
  },
)

test('a check of which a story shows nothing has not held', async () => {
  const nameless = visitorWith((own) => ({
    signIn: async (user) => ({ ...(await own.signIn(user)), code: undefined, isNameless: () => true }),
  }))
  const trials = listTrials(['another-browser', 'code-with-token', 'push-without-code'])
  const findings = await walked('careful', {
    trials: trials.filter(({ story }) => !story.startsWith('registration-')),
    driven: (driver) => nameless({ ...driver, can: { ...driver.can, pushCode: false } }),
  })
  expect(findings.map(({ verdict, reason }) => [verdict, reason?.code])).toEqual([
    ['skipped', 'nothing_to_revisit'],
    ['skipped', 'shows_no_code'],
    ['skipped', 'shows_no_code'],
  ])
  const unpolled = untriedPolling([[]]).map(({ check }) => check)
  expect(unpolled).toEqual(['pause-between-polls', 'polls-end', 'final-read-once'])
})

test('a poll that begins within the millisecond in which the result came is one more', () => {
  const read = (seq: number, took_us: number, code: number) =>
    ({
      seq,
      wall: 1000,
      took_us,
      response: { body: JSON.stringify({ code, data: { status: 'success' } }) },
    }) as Exchange
  const mistakes = (took_us: number) => pollingMistakes([read(1, 500, 0), read(2, took_us, 41001)])
  expect(mistakes(900)).toMatchObject([{ check: 'final-read-once' }])
  expect(mistakes(1200)).toEqual([])
})

test('a let_in stands, even if the same story would hold when it is played again', async () => {
  let first: unknown
  const findings = await walked('careful', {
    trials: listTrials(['another-browser']),
    driven: visitorWith((own) => ({
      revisit: async () => {
        first ??= own
      },
      who: async () => (first === own ? 'the user' : own.who()),
    })),
  })
  expect(findings).toMatchObject([{ verdict: 'let_in', reason: { code: 'signed_in_unasked' } }])
})

test('whatever a story throws is no verdict, and the walk goes on', async () => {
  const trials = listTrials(['another-browser', 'user-told'], ['sign-in-revisited', 'sign-in-approved'])
  const driven = visitorWith(() => ({ revisit: () => Promise.reject(new TypeError('no such thing')) }))
  const findings = await walked('careful', { trials, driven })
  expect(findings).toMatchObject([
    { fault: 'another-browser', verdict: 'skipped', reason: { code: 'story_failed' } },
    { fault: 'user-told', verdict: 'held' },
  ])
})
