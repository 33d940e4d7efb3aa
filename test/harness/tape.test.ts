import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTape, type Tape } from '../../src-main/harness/tape.ts'
import { heldMemory } from '../support/held-memory.ts'

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
