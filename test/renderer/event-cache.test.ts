import { expect, test } from 'vitest'
import type { BenchEvent } from '../../src-main/contract/events.ts'
import { createEventCache } from '../../src-renderer/bench/event-cache.ts'

const event = (seq: number) => ({ seq, kind: 'bind' }) as unknown as BenchEvent

const open = (most = 10) => {
  const asked: number[] = []
  const found: number[] = []
  const answers = new Map<number, (event: BenchEvent | undefined) => void>()
  const cache = createEventCache(
    most,
    (seq) => {
      asked.push(seq)
      return new Promise((resolve) => answers.set(seq, resolve))
    },
    () => void found.push(1),
  )
  const answer = async (seq: number, event?: BenchEvent) => {
    answers.get(seq)?.(event)
    await Promise.resolve()
  }
  return { cache, asked, found, answer }
}

test('an event that is there is not asked for, and one that is not only once until the answer comes', async () => {
  const { cache, asked, found, answer } = open()
  cache.put(event(1))
  cache.want([1, 2])
  cache.want([1, 2])
  expect(asked).toEqual([2])
  await answer(2, event(2))
  expect([cache.get(2), found.length]).toEqual([event(2), 1])
  cache.want([2])
  expect(asked).toEqual([2])
})

test('an event that is not found is announced to no reader, and may be asked for again', async () => {
  const { cache, asked, found, answer } = open()
  cache.want([7])
  await answer(7)
  expect(found).toEqual([])
  cache.want([7])
  expect(asked).toEqual([7, 7])
})

test('the oldest goes when there are too many', () => {
  const { cache } = open(2)
  for (const seq of [1, 2, 3]) cache.put(event(seq))
  expect([1, 2, 3].map((seq) => cache.get(seq)?.seq)).toEqual([undefined, 2, 3])
})
