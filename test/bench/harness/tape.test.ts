import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRandom } from '../../../src-main/bench/harness/random.ts'
import { decodeEvent, encodeEvent, mayContain } from '../../../src-main/bench/harness/recorder.ts'
import { createTape, type Tape } from '../../../src-main/bench/harness/tape.ts'
import type { EventDraft } from '../../../src-main/core/contract/events.ts'
import { toHex } from '../../../src-main/core/protocol/bytes.ts'
import { heldMemory } from '../../support/held-memory.ts'

const BLOCK = 256 * 1024
const MIB = 2 ** 20

const recordsOf = (tape: Tape) => {
  const records: (readonly string[] | undefined)[] = []
  for (let n = tape.first(); n <= tape.last(); n++) records.push(tape.textsAt(n))
  return records
}

test('records come back as they went in, over many blocks, whatever their length and letters', () => {
  const tape = createTape({ count: 1_000_000, bytes: 100_000_000 })
  const records = Array.from({ length: 3_000 }, (_, n) => [
    'the same',
    `${n}`,
    `${n}`,
    `${n >> 4} ü € 😀`,
    ...(n % 3 === 0 ? ['more'] : []),
    'x'.repeat((n * 7919) % 2_000),
    '€'.repeat(n % 50),
  ])
  records.push(['long '.repeat(200_000)], [], [''], ['€'.repeat(300_000), '\u0000'], ['last'])
  for (const [i, texts] of records.entries()) expect(tape.append(`kind ${i % 3}`, texts)).toBe(i + 1)
  expect(recordsOf(tape)).toEqual(records)
  expect([1, 2, 3, 3_001].map(tape.kindAt)).toEqual(['kind 0', 'kind 1', 'kind 2', 'kind 0'])
})

test('any records come back as they went in', () => {
  const text = fc.oneof(
    fc.constantFrom('', 'a', 'b', 'x'.repeat(42), 'x'.repeat(43), 'ü'.repeat(42), '€'.repeat(43), '\ud800\udc00'),
    fc.string({ unit: 'grapheme' }),
  )
  fc.assert(
    fc.property(fc.array(fc.array(text, { maxLength: 5 }), { maxLength: 30 }), (records) => {
      const tape = createTape({ count: 1_000, bytes: MIB })
      for (const texts of records) tape.append('k', texts)
      expect(recordsOf(tape)).toEqual(records)
    }),
  )
})

test('what stood at the same place of the record before takes no room again', () => {
  const tape = createTape({ count: 1_000_000, bytes: BLOCK })
  const long = 'x'.repeat(10_000)
  // Each would fill a block by thirties.
  for (let n = 1; n <= 10_000; n++) tape.append('k', [long, String(n)])
  expect([tape.first(), tape.last()]).toEqual([1, 10_000])
  expect(tape.textsAt(1)).toEqual([long, '1'])
  expect(tape.textsAt(9_999)).toEqual([long, '9999'])
})

test('there is nothing before the first and after the last', () => {
  const tape = createTape({ count: 2, bytes: BLOCK })
  expect([tape.first(), tape.last(), tape.textsAt(0), tape.textsAt(1), tape.kindAt(1)]).toEqual([
    ...[1, 0, undefined, undefined, undefined],
  ])
  for (const text of ['a', 'b', 'c']) tape.append('k', [text])
  expect([tape.textsAt(1), tape.kindAt(1), tape.textsAt(2), tape.textsAt(4), tape.kindAt(4)]).toEqual([
    ...[undefined, undefined, ['b'], undefined, undefined],
  ])
})

test('the oldest are forgotten by count, and by the memory they take, the latest never', () => {
  const counted = createTape({ count: 3, bytes: BLOCK })
  for (const text of ['a', 'b', 'c', 'd', 'e']) counted.append('k', [text])
  expect(recordsOf(counted)).toEqual([['c'], ['d'], ['e']])
  const weighed = createTape({ count: 1_000, bytes: 2 * BLOCK })
  // Three of them fit into a block, and two blocks are kept.
  const texts = Array.from({ length: 8 }, (_, n) => `${n}`.repeat(80_000))
  for (const text of texts) weighed.append('k', [text])
  expect(recordsOf(weighed)).toEqual(texts.slice(3).map((text) => [text]))
  const longer = 'longer than all of it'.repeat(100_000)
  weighed.append('k', [longer])
  expect(recordsOf(weighed)).toEqual([[longer]])
  weighed.append('k', ['next'])
  expect(recordsOf(weighed)).toEqual([['next']])
})

test('what is forgotten gives its memory back', () => {
  const tape = createTape({ count: 1_000_000, bytes: 4 * MIB })
  const before = heldMemory()
  // 200 MB go through it.
  for (let n = 0; n < 200_000; n++) tape.append('k', [`${n}${'x'.repeat(1_000)}`])
  const held = heldMemory() - before
  expect(tape.last() - tape.first() + 1).toBeGreaterThan((3 * MIB) / 1_100)
  expect(held).toBeLessThan(8 * MIB)
})

test('what is nowhere near a record is known without reading it, also when it comes later', () => {
  const tape = createTape({ count: 1_000_000, bytes: 100 * MIB })
  for (let n = 1; n <= 10; n++) tape.append('k', [`${n}`, `${n}${'ü'.repeat(60_000)}`])
  tape.append('k', ['needle ü'])
  expect([tape.mayHold(1, 'needle'), tape.mayHold(11, 'needle ü'), tape.mayHold(11, 'needles')]).toEqual([
    ...[false, true, false],
  ])
  tape.append('k', ['needles'])
  expect(tape.mayHold(12, 'needles')).toBe(true)
  expect([tape.mayHold(0, '1'), tape.mayHold(13, '1')]).toEqual([false, false])
  expect(tape.mayHold(12, '\ud800')).toBe(true)
})

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

test('every text in an exchange is found before it is decoded', () => {
  const texts = (value: unknown): readonly string[] =>
    typeof value === 'string' ? [value] : typeof value === 'object' ? Object.values(value ?? {}).flatMap(texts) : []
  fc.assert(
    fc.property(exchange, (draft) => {
      const kept = encodeEvent(head, draft)
      expect(texts({ ...head, ...draft }).filter((value) => !mayContain(kept, value))).toEqual([])
    }),
  )
})

test('a text that is in no event is not found in it', () => {
  const draft: EventDraft = { actor: { kind: 'clock' }, kind: 'workspace', change: 'reset' }
  expect([mayContain(encodeEvent(head, draft), 'reset'), mayContain(encodeEvent(head, draft), 'res')]).toEqual([
    true,
    false,
  ])
})

const draw = (random: ReturnType<typeof createRandom>, entity = 'rp_1', count = 16) =>
  toHex(random.stream('main', entity, 'challenge').bytes(count))

test('streams do not disturb each other', () => {
  const [a, b] = [createRandom({ seed: 7 }), createRandom({ seed: 7 })]
  draw(a, 'rp_2', 100)
  expect(draw(a)).toBe(draw(b))
})

test('another seed, boot, workspace, entity or purpose gives other values', () => {
  const values = [
    draw(createRandom({ seed: 7 })),
    draw(createRandom({ seed: 8 })),
    draw(createRandom({ seed: 7, boot: 1 })),
    draw(createRandom({ seed: 7 }), 'rp_2'),
    toHex(createRandom({ seed: 7 }).stream('other', 'rp_1', 'challenge').bytes(16)),
    toHex(createRandom({ seed: 7 }).stream('main', 'rp_1', 'msg_id').bytes(16)),
  ]
  expect(new Set(values).size).toBe(values.length)
})

test('how a stream is cut into pieces changes nothing', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(70), { maxLength: 12 }), (cuts) => {
      const pieces = createRandom({ seed: 1 }).stream('main', 'e', 'p')
      const joined = cuts.map((count) => toHex(pieces.bytes(count))).join('')
      const whole = createRandom({ seed: 1 }).stream('main', 'e', 'p')
      expect(joined).toBe(toHex(whole.bytes(cuts.reduce((sum, cut) => sum + cut, 0))))
    }),
  )
})

test('restored positions repeat what came after them, also for a source that is held', () => {
  const random = createRandom({ seed: 7 })
  const held = random.stream('main', 'rp_1', 'challenge')
  held.bytes(5)
  const positions = random.positions('main')
  const after = toHex(held.bytes(20))
  const fresh = draw(random, 'rp_9')
  random.restore('main', positions)
  expect(toHex(held.bytes(20))).toBe(after)
  expect(draw(random, 'rp_9')).toBe(fresh)
})

test('without a seed values differ, nothing is repeatable and there are no positions', () => {
  const random = createRandom()
  expect(draw(random)).not.toBe(draw(random))
  expect(random.stream('main', 'a', 'b').repeatable).toBe(false)
  expect(random.positions('main')).toEqual({})
})

test('a workspace can have a seed of its own', () => {
  const random = createRandom()
  random.seedWorkspace('main', 7)
  expect(random.seedOf('main')).toBe(7)
  expect(draw(random)).toBe(draw(createRandom({ seed: 7 })))
  random.forget('main')
  expect(random.stream('main', 'rp_1', 'challenge').repeatable).toBe(false)
})
