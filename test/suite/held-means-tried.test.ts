import { expect, test } from 'vitest'
import { trialsOf } from '../../src-main/suite/walk.ts'
import { walked } from './walked.ts'

test('an RP that asks for a code where it should push is broken, and the walk goes on', async () => {
  const trials = trialsOf(['push-without-code', 'user-told'], ['push-approved', 'sign-in-approved'])
  expect(await walked('careful', { trials, mistakes: ['push-by-code'], patience_s: 1 })).toMatchObject([
    { fault: 'push-without-code', verdict: 'broke', reason: { code: 'no_push', params: { method: 'qrcode' } } },
    { fault: 'user-told', verdict: 'held' },
  ])
})

test('whatever a story throws is no verdict, and the walk goes on', async () => {
  const trials = trialsOf(['another-browser', 'user-told'], ['sign-in-revisited', 'sign-in-approved'])
  const findings = await walked('careful', {
    trials,
    driven: (driver) => ({
      ...driver,
      open: (hears) => {
        const rp = driver.open(hears)
        const revisit = () => Promise.reject(new TypeError('no such thing'))
        return { ...rp, visitor: (kept) => ({ ...rp.visitor(kept), revisit }) }
      },
    }),
  })
  expect(findings).toMatchObject([
    { fault: 'another-browser', verdict: 'skipped', reason: { code: 'story_failed' } },
    { fault: 'user-told', verdict: 'held' },
  ])
})
