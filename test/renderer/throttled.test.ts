import { beforeEach, expect, it, vi } from 'vitest'
import { throttled } from '../../src-renderer/bench/bench-store.ts'

beforeEach(() => void vi.useFakeTimers())

it('is done at once, then once more for all that was wanted meanwhile, and no more', () => {
  let done = 0
  const work = throttled(() => {
    done += 1
  }, 500)
  for (let i = 0; i < 5; i++) work()
  expect(done).toBe(1)
  vi.advanceTimersByTime(499)
  expect(done).toBe(1)
  vi.advanceTimersByTime(1)
  expect(done).toBe(2)
  vi.advanceTimersByTime(5000)
  expect(done).toBe(2)
  work()
  expect(done).toBe(3)
})
