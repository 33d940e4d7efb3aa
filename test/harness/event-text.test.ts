import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EventDraft } from '../../src-main/contract/events.ts'
import { decodeEvent, encodeEvent, mayHold } from '../../src-main/harness/event-text.ts'

const number = fc.nat()
const body = fc.string({ unit: 'grapheme' })
const word = body.filter((text) => text !== '')
const headers = fc.array(fc.tuple(body, body))

const exchange = fc
  .record(
    {
      actor: fc.record({ kind: fc.constantFrom('rp', 'phone'), id: word }, { requiredKeys: ['kind'] }),
      cause: word,
      kind: fc.constant('exchange'),
      interface: fc.constantFrom('rp', 'app'),
      request: fc.record(
        { id: word, method: word, target: body, route: word, headers, body, body_bytes: number },
        { requiredKeys: ['id', 'method', 'target', 'headers', 'body', 'body_bytes'] },
      ),
      response: fc.record({ status: number, code: number, headers, body }),
      took_us: number,
      ...{
        rp_id: word,
        access_key_id: word,
        scope: word,
        device_id: word,
        msg_id: word,
        asked_by: word,
        conditions: word,
        traceparent: word,
        faults: fc.array(fc.record({ id: word, fault: word }), { minLength: 1 }),
        honest: fc.record({ status: number, body }),
      },
    },
    { requiredKeys: ['actor', 'kind', 'interface', 'request', 'response', 'took_us'] },
  )
  // What would have been honest is told beside the faults alone.
  .map(({ faults, honest, ...draft }) => ({ ...draft, ...(faults && honest && { faults, honest }) }) as EventDraft)

const head = { v: 1, seq: 7, workspace: 'main', wall: 1, bench: 2 } as const

test('an exchange comes back as it was, whatever its bodies and headers hold', () => {
  fc.assert(
    fc.property(exchange, (draft) => {
      expect(decodeEvent(encodeEvent(head, draft))).toEqual({ ...head, ...draft })
    }),
  )
})

test('any other event comes back as it was', () => {
  const draft: EventDraft = { actor: { kind: 'clock' }, kind: 'workspace', change: 'reset' }
  expect(decodeEvent(encodeEvent(head, draft))).toEqual({ ...head, ...draft })
})

test('every text in an exchange is found before it is decoded', () => {
  const texts = (value: unknown): readonly string[] =>
    typeof value === 'string' ? [value] : typeof value === 'object' ? Object.values(value ?? {}).flatMap(texts) : []
  fc.assert(
    fc.property(exchange, (draft) => {
      const kept = encodeEvent(head, draft)
      expect(texts({ ...head, ...draft }).filter((value) => !mayHold(kept, value))).toEqual([])
    }),
  )
})

test('a text that is in no event is not found in it', () => {
  const draft: EventDraft = { actor: { kind: 'clock' }, kind: 'workspace', change: 'reset' }
  expect([mayHold(encodeEvent(head, draft), 'reset'), mayHold(encodeEvent(head, draft), 'res')]).toEqual([true, false])
})
