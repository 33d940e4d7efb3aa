import { expect, it } from 'vitest'
import { lastPulse, pulsesAfter } from '../../../src-renderer/presenter/chapter-stage.tsx'
import { call, move, phoneCall, record, registration, timelineOf } from '../fixture.ts'

type Drafts = Parameters<typeof record>[0]

const AUTH = 'BBBBBBBBBBBBBBBBBBBBBB'

/** As the service records it: the push has left before the call that asked for it is answered. */
const pushed = (): Drafts => [
  [0, move({ msgId: AUTH, to: 'init', cause: 'req_1', method: 'push' })],
  [1, { kind: 'push', msg_id: AUTH, device_id: 'dev_alice', stage: 'sent' }],
  [3, call({ id: 'req_1', line: 'POST /fido/rp/assertion/options', body: '{}' })],
]

const opened = (): Drafts => [
  ...pushed(),
  [900, move({ msgId: AUTH, from: 'init', to: 'bind', cause: 'req_2', method: 'push' })],
  [900, phoneCall('req_2', AUTH, 'bind')],
]

const lines = (drafts: Drafts) =>
  pulsesAfter(timelineOf(record(drafts)), 0).map(
    ({ half, toward, quiet, words }) => `${half} ${toward} ${words}${quiet ? '?' : ''}`,
  )

it('the wire carries every recorded exchange of a registration, polls quietly', () => {
  expect(lines(registration())).toEqual([
    'page service A code, please',
    'page service ?',
    'page service ?',
    'phone service Scanned',
    'page service ?',
    'phone service A new key',
    'page page The answer',
  ])
})

it('the wire carries only what is new', () => {
  const timeline = timelineOf(record(registration()))
  const [, second] = pulsesAfter(timeline, 0)
  expect(pulsesAfter(timeline, second?.seq ?? 0)).toHaveLength(5)
  expect(pulsesAfter(timeline, 1000)).toEqual([])
})

it('the wire carries a push to the phone', () => {
  expect(lines(pushed())).toEqual(['phone phone Is it you?', 'page service Who is there?'])
})

it('the wire marks what was refused', () => {
  const refused = call({ id: 'req_9', line: 'POST /fido/rp/assertion/options', code: 40403, status: 404 })
  const [pulse] = pulsesAfter(timelineOf(record([[0, refused]])), 0)
  expect(pulse).toMatchObject({ refused: true, quiet: false })
})

it.each<[string, Drafts, object | undefined]>([
  ['is nothing before anything happened', [], undefined],
  ['is never a poll', registration().slice(0, 4), { words: 'A code, please' }],
  ['is the push, not the call that caused it', pushed(), { words: 'Is it you?', toward: 'phone' }],
  ['calls a push opened, not scanned', opened(), { words: 'Opened' }],
])('what the wire says %s', (_, drafts, said) => {
  expect(lastPulse(timelineOf(record(drafts)), 0)).toEqual(said && expect.objectContaining(said))
})
