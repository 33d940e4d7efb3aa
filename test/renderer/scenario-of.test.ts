import { expect, it } from 'vitest'
import type { Message } from '../../src-main/timeline/timeline.ts'
import { scenarioOf } from '../../src-renderer/inspector/scenario-of.ts'
import type { Story } from '../../src-renderer/inspector/story.ts'
import { parseOne } from '../support/parse-one.ts'

const ALICE = { name: 'Alice’s “old” phone', storage: 'cloud' } as const

const storyOf = (message: Message): Story => ({
  message,
  phone: ALICE,
  profile: {},
  signedInBefore: false,
  about: 'message',
})

const signedIn: Message = {
  msgId: 'm',
  ceremony: 'authentication',
  rpId: 'rp_demo',
  userId: 'u: "1"',
  username: 'alice',
  method: 'push',
  url: 'http://localhost/m#am',
  expiresAt: 180_000,
  state: 'success',
  svcUser: 'Alice (138****5678)',
  delivered: true,
  startedWall: 0,
  startedBench: 0,
}

const wordsOf = (message: Message): readonly unknown[] => {
  const parsed = parseOne(scenarioOf(storyOf(message)) ?? '')
  expect(parsed.phones.phone?.wanted.name).toBe(ALICE.name)
  return parsed.steps.map(({ word, input }) => [word, input])
}

const REGISTERED = [
  ['register', { user_id: 'u: "1"', username: 'alice' }],
  ['scan', { phone: 'phone' }],
  ['approve', { phone: 'phone', storage: 'cloud' }],
  ['expect', { status: 'success' }],
]

it('a sign-in by push begins with the registration it needs', () => {
  expect(wordsOf(signedIn)).toEqual([
    ...REGISTERED,
    ['sign_in', { user_id: 'u: "1"', username: 'alice', method: 'push' }],
    ['open', { phone: 'phone' }],
    ['approve', { phone: 'phone' }],
    ['expect', { status: 'success', user_id: 'u: "1"' }],
  ])
})

it('a fault is armed where it struck, and its word is expected', () => {
  const failed: Message = {
    ...signedIn,
    method: 'qrcode',
    state: 'fail',
    error: 'origin_mismatch: The origin is another one.',
    verdict: 9,
    struck: {
      phoneId: 'ph_1',
      faults: ['origin-wrong'],
      course: [
        { seq: 7, bench: 10, struck: { msg_id: 'm', stage: 'message', faults: ['origin-wrong'] } },
        { seq: 8, bench: 20, act: { msg_id: 'm', did: 'scan' } },
        { seq: 10, bench: 30, act: { msg_id: 'm', did: 'approve' } },
      ],
    },
  }
  expect(wordsOf(failed)[0]).toEqual(['clock', { now: 0, frozen: true }])
  expect(wordsOf(failed).slice(5)).toEqual([
    ['arm', { phone: 'phone', fault: 'origin-wrong' }],
    ['sign_in', { user_id: 'u: "1"', username: 'alice', method: 'qrcode' }],
    ['scan', { phone: 'phone' }],
    ['approve', { phone: 'phone' }],
    ['expect', { status: 'fail', error: 'origin_mismatch', until: { s: 5 } }],
  ])
})

it('a no stays a no, and what ran out of time waits for its end', () => {
  const { method: _, ...rest } = signedIn
  const registration: Message = { ...rest, ceremony: 'registration' }
  expect(wordsOf(registration)).toEqual(REGISTERED)
  expect(wordsOf({ ...registration, state: 'fail', error: 'user_rejected: No.' }).slice(2)).toEqual([
    ['reject', { phone: 'phone' }],
    ['expect', { status: 'fail', error: 'user_rejected' }],
  ])
  expect(wordsOf({ ...registration, state: 'timeout', svcUser: '' }).slice(1)).toEqual([
    ['advance', { to: 'next-expiry' }],
    ['expect', { status: 'timeout' }],
  ])
})

it('what is under way makes no scenario yet', () => {
  expect(scenarioOf(storyOf({ ...signedIn, state: 'bind' }))).toBeUndefined()
})
