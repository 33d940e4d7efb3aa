import { expect, onTestFinished, test, vi } from 'vitest'
import { createListeners } from '../../src-main/service/shared/listeners.ts'
import type { InboxRef, SharedStore } from '../../src-main/service/store/shared-store.ts'

const PHONE = { workspace: 'main', device: 'dev_1' }

/** The rows, as the database has them, and whether it is away. */
const rows = () => {
  const kept = new Set<string>()
  const state = { away: false, forgotten: false, writes: 0 }
  const keyOf = ({ workspace, device }: InboxRef): string => `${workspace} ${device}`
  const listeners: SharedStore['listeners'] = {
    write: async ({ opened, closed }) => {
      if (state.away) throw new Error('away')
      state.writes += 1
      for (const inbox of closed) kept.delete(keyOf(inbox))
      for (const inbox of opened) kept.add(keyOf(inbox))
    },
    stay: async () => !state.forgotten,
    of: async () => new Set(kept),
    leave: async () => kept.clear(),
  }
  return { kept, state, listeners }
}

const nextLook = async (): Promise<void> => void (await vi.advanceTimersByTimeAsync(2_000))

test('an open inbox is written before it is answered, once however often it is opened, and taken back with the last', async () => {
  const { kept, state, listeners } = rows()
  const own = createListeners({ listeners })
  const [first, second] = [await own.arrive(PHONE), await own.arrive(PHONE)]
  expect([[...kept], state.writes]).toEqual([['main dev_1'], 1])
  first()
  first()
  expect([...kept]).toEqual(['main dev_1'])
  second()
  await expect.poll(() => kept.size).toBe(0)
  await own.close()
})

test('many inboxes that open at the same time are few statements', async () => {
  const { kept, state, listeners } = rows()
  const own = createListeners({ listeners })
  await Promise.all(Array.from({ length: 1000 }, (_, n) => own.arrive({ workspace: 'main', device: `dev_${n}` })))
  expect([kept.size, state.writes <= 2]).toEqual([1000, true])
  await own.close()
})

test('an inbox that ends while the database is away is taken back when that is there again; one that opens is refused', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { kept, state, listeners } = rows()
  const own = createListeners({ listeners })
  const leave = await own.arrive(PHONE)
  state.away = true
  leave()
  await expect(own.arrive({ workspace: 'main', device: 'dev_2' })).rejects.toThrow()
  await nextLook()
  expect([...kept]).toEqual(['main dev_1'])
  state.away = false
  await nextLook()
  expect([...kept]).toEqual([])
  await own.close()
})

test('a process that was taken for dead writes all its open inboxes again', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { kept, state, listeners } = rows()
  const own = createListeners({ listeners })
  await own.arrive(PHONE)
  kept.clear()
  await nextLook()
  expect(kept.size).toBe(0)
  state.forgotten = true
  await nextLook()
  expect([...kept]).toEqual(['main dev_1'])
  await own.close()
})
