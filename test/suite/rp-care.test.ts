import { expect, test } from 'vitest'
import type { FindingReason, Played } from '../../src-main/contract/suite-findings.ts'
import { careFor } from '../../src-main/suite/rp-care.ts'
import { broke, HELD } from '../../src-main/suite/stage.ts'

const GAVE_UP = broke({ code: 'gave_up' })
const BROKEN_BEFORE = broke({ code: 'broken_before', params: { reason: { code: 'not_registered' } } })
const SILENT: FindingReason = { code: 'rp_silent', params: { url: 'http://127.0.0.1:1' } }

/** An RP that works until `break` is called, and again after it was restored, if it can be. */
const rp = ({ comesBack = true } = {}) => {
  let [isWell, restored] = [true, 0]
  const health = {
    restored: () => restored,
    problem: async () => (isWell ? undefined : SILENT),
    restore: async () => {
      restored += 1
      isWell = comesBack
      return comesBack
    },
  }
  return { health, break: () => (isWell = false) }
}

const story = (played: Played) => async () => played

test('a story that broke on an RP that works counts', async () => {
  const care = careFor(rp().health)
  expect(await care.play(story(GAVE_UP))).toEqual({ played: GAVE_UP, isSuspect: false })
})

test('whatever was under way while the RP had to be restored is to be played again, also what held', async () => {
  const { health, break: breakIt } = rp()
  const care = careFor(health)
  const { promise: end, resolve } = Promise.withResolvers<Played>()
  const other = care.play(() => end)
  breakIt()
  expect(await care.play(story(GAVE_UP))).toEqual({ played: { verdict: 'broke', reason: SILENT }, isSuspect: true })
  resolve(HELD)
  expect(await other).toEqual({ played: HELD, isSuspect: true })
  expect(await care.play(story(HELD))).toEqual({ played: HELD, isSuspect: false })
})

test('two stories that broke at once restore the RP once', async () => {
  const { health, break: breakIt } = rp()
  const care = careFor(health)
  breakIt()
  await Promise.all([care.play(story(GAVE_UP)), care.play(story(GAVE_UP))])
  expect(health.restored()).toBe(1)
})

test('an RP that does not come back is gone: what follows is skipped', async () => {
  const { health, break: breakIt } = rp({ comesBack: false })
  const care = careFor(health)
  breakIt()
  await care.play(story(GAVE_UP))
  expect(care.isGone()).toBe(true)
  expect((await care.play(story(HELD))).played).toMatchObject({ verdict: 'skipped', reason: { code: 'rp_gone' } })
})

test('an RP that answers and fails before anything is done to it is restored, and given up after a few times', async () => {
  const { health } = rp()
  const care = careFor(health)
  for (let i = 0; i < 10; i++) await care.play(story(BROKEN_BEFORE))
  expect(care.isGone()).toBe(true)
  expect(health.restored()).toBe(3)
})

test('a story that is played alone after one that left the RP broken is played once more', async () => {
  let answersRubbish = true
  const health = {
    restored: () => (answersRubbish ? 0 : 1),
    problem: async () => undefined,
    restore: async () => {
      answersRubbish = false
      return true
    },
  }
  const care = careFor(health)
  expect(await care.playAlone(async () => (answersRubbish ? BROKEN_BEFORE : HELD))).toEqual({
    played: HELD,
    isSuspect: false,
  })
})
