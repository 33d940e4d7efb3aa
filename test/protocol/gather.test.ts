import { expect, test } from 'vitest'
import { createBatcher } from '../../src-main/protocol/batcher.ts'

const gathering = () => {
  const handed: (readonly string[])[] = []
  const later: (() => void)[] = []
  return {
    handed,
    later,
    ...createBatcher<string>(
      (flush) => later.push(flush),
      (items) => handed.push(items),
    ),
  }
}

test('what is added meanwhile is handed over at once and in order', () => {
  const { add, handed, later } = gathering()
  add('a')
  add('b')
  expect([handed, later.length]).toEqual([[], 1])
  later.shift()?.()
  add('c')
  later.shift()?.()
  expect(handed).toEqual([['a', 'b'], ['c']])
})

test('flushed early, it is handed over once', () => {
  const { add, flush, handed, later } = gathering()
  add('a')
  flush()
  later.shift()?.()
  flush()
  expect(handed).toEqual([['a']])
})
