import { expect, it, onTestFinished, test, vi } from 'vitest'
import type { BenchEvent } from '../../src-main/core/contract/events.ts'
import { createRpClient } from '../../src-main/sdk/rp-client.ts'
import { type Api, createApi } from '../../src-renderer/api.ts'
import { createBenchStore, throttle } from '../../src-renderer/bench/bench-store.ts'
import { createEventCache } from '../../src-renderer/bench/event-cache.ts'
import { cast } from '../support/bench.ts'
import { benchOfFile } from '../support/open-workspaces.ts'
import { until } from './until.ts'

const bench = benchOfFile()

/** The same bench over a line on which answers can be held up. Events still come. */
const heldUp = (api: Api) => {
  let wait: Promise<void> | undefined
  let held = 0
  const slow: Api = {
    ...api,
    call: async (ask) => {
      const answer = await api.call(ask)
      if (wait !== undefined) held += 1
      await wait
      return answer
    },
  }
  return {
    api: slow,
    held: () => held,
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      wait = promise
      return () => {
        wait = undefined
        resolve()
      }
    },
  }
}

const pageOf = (options: { readonly controlUrl: string; readonly token: string }) => {
  const line = heldUp(createApi(options))
  const store = createBenchStore(line.api, () => 0)
  return { ...line, store, stop: store.start() }
}

it('events that overtake an answer do not make another run of the bench', async () => {
  const { store, hold, held, stop } = pageOf({ controlUrl: bench.bench.controlUrl, token: bench.bench.token })
  await until(store, ({ connection }) => connection === 'live')
  await cast(bench.client)
  await until(store, ({ phones }) => phones.length === 1)

  const release = hold()
  await bench.client.call('profile.patch', { body: { message_ttl_s: 60 } })
  // The page has asked, the bench has answered, and the answer is on its way: now more happens.
  await expect.poll(held).toBeGreaterThanOrEqual(3)
  const before = store.getState().lastSeq
  await bench.client.call('clock.put', { body: { frozen: true } })
  await until(store, ({ lastSeq }) => lastSeq > before)
  release()
  await until(store, ({ overview }) => overview?.profile_changed.includes('message_ttl_s') === true)
  expect(store.getState()).toMatchObject({ connection: 'live', phones: [{ name: 'Alice’s phone' }] })
  stop()
})

/** A workspace of its own in which an RP has asked so many times for somebody's passkeys. */
const busyWorkspace = async (calls: number) => {
  const { id } = await bench.client.call('workspaces.create', { body: {} })
  const client = bench.client.workspace(id)
  const { key, secret } = await client.call('keys.create', { params: { rp: (await cast(client)).rp }, body: {} })
  const rp = createRpClient({
    baseUrl: client.controlUrl.replace('/control/v1', '/fido'),
    accessKeyId: key.id,
    secretKey: secret,
    now: Date.now,
  })
  for (let n = 0; n < calls; n++) await rp.credentials(`user-${n}`)
  rp.close()
  return client
}

it('what was recorded long ago comes in beside what happens, and takes its place in front of it', async () => {
  const client = await busyWorkspace(260)
  const { store, stop } = pageOf({ controlUrl: client.controlUrl, token: bench.bench.token })
  const lengths: number[] = []
  store.subscribe(() => lengths.push(store.getState().timeline.exchanges))
  const { events } = await client.call('events.list', { query: { kind: 'exchange', limit: 1000 } })
  await until(store, ({ timeline }) => timeline.exchanges - timeline.left === events.length)
  // First the latest, which are enough to go on from.
  expect(lengths.find((length) => length > 0)).toBeLessThan(events.length)
  const rows = [...store.getState().timeline.groups].flatMap(({ rows }) => [...rows].map(({ id }) => id))
  expect(rows).toEqual(events.map(({ seq }) => seq))
  await client.call('clock.put', { body: { frozen: true } })
  await until(store, ({ clock }) => clock?.frozen === true)
  expect(store.getState().fetched).toBeUndefined()
  stop()
})

it('a store that is started twice has everything once', async () => {
  const client = await busyWorkspace(5)
  const { store, stop } = pageOf({ controlUrl: client.controlUrl, token: bench.bench.token })
  const stopAgain = store.start()
  const { events } = await client.call('events.list', { query: { kind: 'exchange' } })
  await until(store, ({ connection }) => connection === 'live')
  await client.call('clock.put', { body: { frozen: true } })
  await until(store, ({ clock }) => clock?.frozen === true)
  expect(store.getState().timeline.exchanges).toBe(events.length)
  stop()
  stopAgain()
})

it('second opinions that come together are drawn together', async () => {
  const api = createApi({ controlUrl: bench.bench.controlUrl, token: bench.bench.token })
  const ended = Promise.withResolvers<void>()
  const store = createBenchStore(
    {
      ...api,
      events: async function* ({ onOpinion } = {}) {
        for (let n = 0; n < 50; n++) onOpinion?.({ msg_id: `m${n}`, second_opinion: { heard: true, accepts: true } })
        await ended.promise
        yield* []
      },
    },
    () => 0,
  )
  const drawn: number[] = []
  store.subscribe(() => drawn.push(store.getState().looked))
  const stop = store.start()
  await until(store, ({ looked }) => looked === 50)
  expect(drawn.filter((looked, n) => looked !== (drawn[n - 1] ?? 0))).toEqual([50])
  ended.resolve()
  stop()
})

it('what an address searches for is looked for in all that is kept, once the page has read something', async () => {
  vi.stubGlobal('sessionStorage', { getItem: () => 'page-of-a-test' })
  const client = await busyWorkspace(260)
  const { store, stop } = pageOf({ controlUrl: client.controlUrl, token: bench.bench.token })
  store.search('user-0')
  await until(store, ({ search }) => search?.text === 'user-0' && !search.more)
  expect(store.getState().timeline.exchanges).toBeGreaterThan(0)
  stop()
})

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

test('throttled work is done at once, then once more for all that was wanted meanwhile, and no more', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let done = 0
  const work = throttle(() => {
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
