import { expect, it } from 'vitest'
import type { BenchEvent } from '../../src-main/contract/events.ts'
import { en } from '../../src-main/messages/en/en.ts'
import { findingsOf } from '../../src-main/messages/event-findings.ts'

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

it.each(['init', 'bind', 'success', 'fail', 'timeout'])(
  'a message that ends as %s and is not read is told once',
  (to) => {
    expect(seqs(message(1, { to: 'init' }), message(2, { to }))).toEqual([[2, 1]])
  },
)

it('a success that nobody read is told of the last message alone', () => {
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
