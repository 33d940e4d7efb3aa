import { expect, test } from 'vitest'
import type { FindingReason, TrialResult } from '../../../src-main/core/contract/suite-findings.ts'
import { createRpCare, UNJUDGED_RESULT } from '../../../src-main/testing/suite/fault-and-twin.ts'

const HELD: TrialResult = { verdict: 'held' }
const GAVE_UP: TrialResult = { verdict: 'broke', reason: { code: 'reopened' } }
const NEVER_STRUCK: TrialResult = { verdict: 'not_struck', reason: { code: 'never_struck' } }
const BROKEN_BEFORE: TrialResult = {
  verdict: 'vacuous',
  reason: { code: 'twin_failed', params: { reason: { code: 'not_seen' } } },
}
const SILENT: FindingReason = { code: 'rp_silent', params: { url: 'http://127.0.0.1:1' } }

/** An RP that works until `break` or `confuse` is called, and again after it was restored so often. */
const rp = ({ comesBack = true, confusedFor = 1 } = {}) => {
  let [isWell, confused, restored] = [true, 0, 0]
  const health = {
    restored: () => restored,
    output: () => 'out of luck',
    problem: async () => (isWell ? undefined : SILENT),
    restore: async () => {
      restored += 1
      confused = Math.max(0, confused - 1)
      isWell = comesBack
      return comesBack
    },
  }
  return {
    health,
    care: createRpCare(health, async () => isWell && confused === 0),
    break: () => (isWell = false),
    /** It answers still, and does nothing right. */
    confuse: () => (confused = confusedFor),
    isConfused: () => confused > 0,
  }
}

const story = (played: TrialResult) => async () => played

/** A story that is under way until `end` is called. */
const beside = async (care: ReturnType<typeof createRpCare>, isThere = true) => {
  const { promise, resolve: end } = Promise.withResolvers<TrialResult>()
  const under = isThere ? care.play(() => promise) : undefined
  await Promise.resolve()
  return { under, end }
}

test.each([
  ['that broke counts', GAVE_UP, false],
  ['whose fault never struck counts', NEVER_STRUCK, false],
  ['whose honest twin failed is to be played again', BROKEN_BEFORE, true],
])('on an RP that works a story %s', async (_, played, isSuspect) => {
  const { care, health } = rp()
  expect(await care.play(story(played))).toEqual({ played, isSuspect })
  expect(health.restored()).toBe(0)
})

test('where nothing is known of the RP’s health, each story counts', async () => {
  const care = createRpCare(undefined, async () => false)
  expect(await care.play(story(GAVE_UP))).toEqual({ played: GAVE_UP, isSuspect: false })
})

test('whatever was under way while the RP had to be restored is to be played again, also what held', async () => {
  const { care, break: breakIt } = rp()
  const { under, end } = await beside(care)
  breakIt()
  expect(await care.play(story(GAVE_UP))).toEqual({ played: { verdict: 'broke', reason: SILENT }, isSuspect: true })
  end(HELD)
  expect(await under).toEqual({ played: HELD, isSuspect: true })
  expect(await care.play(story(HELD))).toEqual({ played: HELD, isSuspect: false })
})

test('a story that broke before anybody noticed that the RP answers rubbish is to be played again', async () => {
  const { care, confuse } = rp()
  const { under, end } = await beside(care)
  confuse()
  expect(await care.play(story(GAVE_UP))).toEqual({ played: GAVE_UP, isSuspect: true })
  end(GAVE_UP)
  expect(await under).toEqual({ played: GAVE_UP, isSuspect: true })
})

test('a story whose fault never struck, since another had ended the RP, is to be played again', async () => {
  const { care, break: breakIt } = rp()
  breakIt()
  expect(await care.play(story(NEVER_STRUCK))).toMatchObject({ isSuspect: true })
})

test('two stories that broke at once restore the RP once', async () => {
  const { care, health, break: breakIt } = rp()
  breakIt()
  await Promise.all([care.play(story(GAVE_UP)), care.play(story(GAVE_UP))])
  expect(health.restored()).toBe(1)
})

test('a story does not begin while the RP is looked at', async () => {
  const { promise: looked, resolve } = Promise.withResolvers<boolean>()
  const care = createRpCare(rp().health, () => looked)
  const first = care.play(story(GAVE_UP))
  await new Promise(setImmediate)
  let hasBegun = false
  const second = care.play(async () => {
    hasBegun = true
    return HELD
  })
  await new Promise(setImmediate)
  expect(hasBegun).toBe(false)
  resolve(true)
  await Promise.all([first, second])
  expect(hasBegun).toBe(true)
})

test('an RP that does not come back is gone: what follows is skipped', async () => {
  const { care, break: breakIt } = rp({ comesBack: false })
  breakIt()
  await care.play(story(GAVE_UP))
  expect(care.isGone()).toBe(true)
  expect((await care.play(story(HELD))).played).toMatchObject({ verdict: 'skipped', reason: { code: 'rp_gone' } })
})

test.each([
  [true, { played: UNJUDGED_RESULT, isSuspect: false }],
  [false, { played: { verdict: 'broke', reason: SILENT }, isSuspect: false }],
])('an RP that stays away: beside another story (%s) neither is known to have ended it', async (isBeside, told) => {
  const { care, break: breakIt } = rp({ comesBack: false })
  const { under, end } = await beside(care, isBeside)
  breakIt()
  expect(await care.play(story(GAVE_UP))).toEqual(told)
  end(HELD)
  expect((await under)?.played).toEqual(isBeside ? UNJUDGED_RESULT : undefined)
})

test.each([true, false])('no answer is suspect where another story (%s) may have ended the RP', async (isBeside) => {
  const reason = { code: 'call_failed', params: { where: 'GET /', error: '' } } as const
  const UNANSWERED: TrialResult = { verdict: 'broke', reason }
  const { care } = rp()
  const { under, end } = await beside(care, isBeside)
  expect(await care.play(story(UNANSWERED))).toEqual({ played: UNANSWERED, isSuspect: isBeside })
  end(HELD)
  await under
})

test.each([
  [3, false],
  [4, true],
])('an RP that answers rubbish until it was restored %i times: gone is %s', async (confusedFor, isGone) => {
  const { care, health, confuse } = rp({ confusedFor })
  confuse()
  await care.play(story(GAVE_UP))
  expect({ isGone: care.isGone(), restored: health.restored() }).toEqual({ isGone, restored: 3 })
})

test('a story that is played alone after one that left the RP broken is played once more', async () => {
  const { care, confuse, isConfused } = rp()
  confuse()
  expect((await care.playAlone(async () => (isConfused() ? BROKEN_BEFORE : HELD))).played).toEqual(HELD)
})
