import { expect, it } from 'vitest'
import type { BenchEvent } from '../../../src-main/core/contract/events.ts'
import { en } from '../../../src-main/core/messages/en/en.ts'
import { findingLine, findingsOf } from '../../../src-main/core/messages/event-sentences.ts'

const message = (seq: number, more: object) =>
  ({ kind: 'message', seq, msg_id: 'm', ceremony: 'authentication', user_id: 'ann', ...more }) as BenchEvent
const refused = (seq: number, more: object = {}) =>
  ({
    kind: 'exchange',
    seq,
    request: { method: 'POST', target: '/x', route: '/rp/assertion/options' },
    response: { code: 40104, body: '' },
    ...more,
  }) as BenchEvent
const read = { kind: 'delivery', seq: 9, msg_id: 'm', state: 'success' } as BenchEvent
const seqs = (...events: readonly BenchEvent[]) => findingsOf(events, en).map(({ seq, times }) => [seq, times])

it('a message that succeeded and was read is nothing that went wrong', () => {
  expect(
    seqs(message(1, { to: 'init' }), message(2, { from: 'init', to: 'bind' }), message(3, { to: 'success' }), read),
  ).toEqual([])
})

it.each(['init', 'bind', 'success', 'fail', 'timeout'])('a message that ends as %s, unread, is told once', (to) => {
  expect(seqs(message(1, { to: 'init' }), message(2, { to }))).toEqual([[2, 1]])
})

it('an unread success is told of the last message alone', () => {
  expect(
    seqs(message(1, { to: 'success' }), message(2, { msg_id: 'n', to: 'success' }), {
      ...read,
      msg_id: 'n',
    } as BenchEvent),
  ).toEqual([])
})

it('the same refusal is told once, with its count and its last event', () => {
  expect(seqs(refused(1), refused(2), refused(5))).toEqual([[5, 3]])
})

it('what the end of a message says is not told again by the phone and its calls', () => {
  const act = { msg_id: 'm', did: 'scan', refused: { word: 'expired' } }
  const phone = { kind: 'phone', seq: 4, change: 'problem', word: 'expired', act } as BenchEvent
  expect(seqs(message(2, { from: 'init', to: 'timeout' }), refused(3, { msg_id: 'm' }), phone)).toEqual([[2, 1]])
  expect(seqs(refused(3, { msg_id: 'm' }), phone)).toEqual([
    [3, 1],
    [4, 1],
  ])
})

it('faults that struck are told, also where the answer says that all is well', () => {
  const response = { code: 0, body: '{}' }
  const faults = [{ id: 'f', fault: 'user-of-another' }]
  const struck = { msg_id: 'm', faults: ['origin-wrong'] }
  const phone: object = { kind: 'phone', seq: 2, change: 'changed', struck }
  expect(seqs(refused(1, { response, faults }), phone as BenchEvent)).toEqual([
    [1, 1],
    [2, 1],
  ])
})

it('a signal that a phone did not obey is told, with the fault that struck it', () => {
  const signal = { name: 'unknownCredential', outcome: 'another_rp', faults: ['signal-of-another'] }
  const event: object = { kind: 'phone', seq: 2, change: 'changed', signal }
  expect(findingsOf([event as BenchEvent], en)).toMatchObject([{ fault: 'signal-of-another' }, { seq: 2 }])
})

const answered = (status: string, user_id: string) => JSON.stringify({ code: 0, data: { status, user_id } })
const lied = (seq: number, more: object) =>
  refused(seq, { response: { code: 0, status: 200, body: answered('success', 'somebody-else') }, ...more })

it('a fault of the service says what it sent beside what is honest, and an honest answer says nothing', () => {
  const faults = [{ id: 'f', fault: 'user-of-another' }]
  const honest = { status: 200, body: answered('success', 'alice') }
  const [told] = findingsOf([lied(1, { faults, honest })], en)
  expect(told).toMatchObject({
    fault: 'user-of-another',
    lies: [{ member: 'user_id', sent: 'somebody-else', honest: 'alice' }],
  })
  expect(told && findingLine(told)).toMatch(/ user_id Sent somebody-else · honest alice\.$/)
  expect(findingsOf([lied(1, {})], en)).toEqual([])
})

const verdict = (seq: number): BenchEvent =>
  ({
    ...{ kind: 'verdict', seq, msg_id: 'm', ceremony: 'authentication', accepted: false },
    steps: [{ id: '7.2.12', outcome: 'failed', expected: 'http://localhost', received: 'https://evil.example' }],
  }) as unknown as BenchEvent

it('a fault of a phone says what it sent, once for all that struck; a phone without one is not accused', () => {
  const struck = { msg_id: 'm', faults: ['rp-id-hash-wrong', 'origin-wrong'] }
  const phone = { kind: 'phone', seq: 1, change: 'answered', struck } as unknown as BenchEvent
  const lie = { member: '', sent: 'https://evil.example', honest: 'http://localhost' }
  expect(findingsOf([phone, verdict(2)], en).map(({ fault, lies }) => [fault, lies])).toEqual([
    ['rp-id-hash-wrong', undefined],
    ['origin-wrong', [lie]],
  ])
  const other = { ...phone, struck: { ...struck, msg_id: 'n' } } as BenchEvent
  expect(findingsOf([other, verdict(2)], en).flatMap(({ lies = [] }) => lies)).toEqual([])
  const failed = findingsOf([verdict(2), message(3, { to: 'fail', error: 'origin_mismatch' })], en)
  expect(failed.map(({ fault, lies }) => [fault, lies])).toEqual([[undefined, undefined]])
})
