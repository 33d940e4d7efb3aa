import { expect, test } from 'vitest'
import { createTape } from '../../src-main/harness/tape.ts'

const textsOf = (tape: ReturnType<typeof createTape>) => {
  const texts: (string | undefined)[] = []
  for (let n = tape.first(); n <= tape.last(); n++) texts.push(tape.textAt(n))
  return texts
}

test('texts come back as they went in, over many blocks, whatever their length and letters', () => {
  const tape = createTape({ count: 1_000_000, bytes: 100_000_000 })
  const texts = Array.from({ length: 3_000 }, (_, n) => `${n} ü € 😀 ${'x'.repeat((n * 7919) % 2_000)}`)
  texts.push('long '.repeat(200_000), '', '€'.repeat(300_000), 'last')
  for (const [i, text] of texts.entries()) expect(tape.append(`kind ${i % 3}`, text)).toBe(i + 1)
  expect(textsOf(tape)).toEqual(texts)
  expect([1, 2, 3, 3_001].map(tape.kindAt)).toEqual(['kind 0', 'kind 1', 'kind 2', 'kind 0'])
})

test('there is nothing before the first and after the last', () => {
  const tape = createTape({ count: 2, bytes: 100 })
  expect([tape.first(), tape.last(), tape.textAt(0), tape.textAt(1), tape.kindAt(1)]).toEqual([
    ...[1, 0, undefined, undefined, undefined],
  ])
  for (const text of ['a', 'b', 'c']) tape.append('k', text)
  expect([tape.textAt(1), tape.kindAt(1), tape.textAt(2), tape.textAt(4), tape.kindAt(4)]).toEqual([
    ...[undefined, undefined, 'b', undefined, undefined],
  ])
})

test('the oldest are forgotten by count and by bytes, the latest never', () => {
  const counted = createTape({ count: 3, bytes: 1_000 })
  for (const text of ['a', 'b', 'c', 'd', 'e']) counted.append('k', text)
  expect(textsOf(counted)).toEqual(['c', 'd', 'e'])
  const weighed = createTape({ count: 100, bytes: 10 })
  for (const text of ['12345', '€€', 'ab', 'c']) weighed.append('k', text)
  expect(textsOf(weighed)).toEqual(['€€', 'ab', 'c'])
  weighed.append('k', 'longer than all of it')
  expect(textsOf(weighed)).toEqual(['longer than all of it'])
})

test('what is forgotten gives its memory back', () => {
  const tape = createTape({ count: 1_000_000, bytes: 4 * 2 ** 20 })
  const text = 'x'.repeat(1_000)
  const before = process.memoryUsage.rss()
  for (let i = 0; i < 200_000; i++) tape.append('k', text)
  expect(tape.last() - tape.first() + 1).toBe(Math.floor((4 * 2 ** 20) / 1_000))
  // 200 MB went through it.
  expect(process.memoryUsage.rss() - before).toBeLessThan(100e6)
})
