import { expect, test } from 'vitest'
import { createBenchClock } from '../../../src-main/bench/harness/clock.ts'
import { createRandom } from '../../../src-main/bench/harness/random.ts'
import { randomBelow } from '../../../src-main/core/protocol/random.ts'
import type { Clock } from '../../../src-main/core/protocol/time.ts'
import { findClientLimit, watchClient } from '../../../src-main/testing/load/client-watch.ts'
import { arrivalTimes, type CeremonyOutcome, type LoadPlan } from '../../../src-main/testing/load/load-plan.ts'
import { type LoadPeople, type LoadUser, runLoad } from '../../../src-main/testing/load/run-load.ts'
import { createHistogram } from '../../../src-main/testing/load/tally.ts'

const PLAN: LoadPlan = {
  users: 100,
  rate: 100,
  durationMs: 10_000,
  mix: { register: 0, auth: 1 },
  push: false,
  arrivals: 'fixed',
  seed: 1,
}

/** A clock that is stepped, with a service that answers after 2 ms but stands still while it pauses. */
const world = (pause: { readonly from: number; readonly ms: number } = { from: 0, ms: 0 }) => {
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  }
  const time = createBenchClock({ start: { now: 0, frozen: true }, settle })
  const end = pause.from + pause.ms
  const answer = (outcome: CeremonyOutcome = { steps: [] }): Promise<CeremonyOutcome> =>
    new Promise((resolve) => {
      const now = time.now()
      const ready = now >= pause.from && now < end ? end + 2 : now + 2
      time.at(ready, () => resolve(outcome))
    })
  return { time, answer }
}

const many = (count: number, user: LoadUser): LoadPeople['users'] => Array.from({ length: count }, () => user)

const start = ({ time }: { readonly time: Clock }, people: Partial<LoadPeople>, plan: Partial<LoadPlan> = {}) => {
  const stop = new AbortController()
  const whole = { users: [], register: async () => ({ steps: [] }), ...people }
  const random = createRandom({ seed: 1 })
  return { stop, run: runLoad({ plan: { ...PLAN, ...plan }, people: whole, time, random, stop: stop.signal }) }
}

test('a pause of 500 ms shows in the percentiles', async () => {
  const it = world({ from: 5000, ms: 500 })
  const { run } = start(it, { users: many(100, { signIn: () => it.answer() }) })
  await it.time.advance(12_000)
  const { latency, counts } = (await run).tally.figures()
  expect(counts).toMatchObject({ arrived: 1000, done: 1000, failed: 0, dropped: 0 })
  // 50 of 1,000 arrivals fall into the pause: 5 % wait, the first of them for all of it.
  expect(latency.all?.p50_ms).toBeCloseTo(2, 1)
  expect(latency.all?.p99_ms).toBeGreaterThan(395)
  expect(latency.all?.max_ms).toBeCloseTo(502, 0)
})

test('arrivals for which every user is busy are dropped and counted', async () => {
  const it = world({ from: 0, ms: 1000 })
  const { run } = start(it, { users: many(3, { signIn: () => it.answer() }) }, { durationMs: 500 })
  await it.time.advance(2000)
  const { counts, timeline } = (await run).tally.figures()
  expect(counts).toMatchObject({ arrived: 50, done: 3, dropped: 47, failed: 0 })
  expect(timeline).toMatchObject([{ arrived: 50, done: 3, dropped: 47 }])
})

test('a user has one ceremony at a time', async () => {
  const it = world()
  let atOnce = 0
  let most = 0
  const user: LoadUser = {
    signIn: async () => {
      most = Math.max(most, ++atOnce)
      const outcome = await it.answer()
      atOnce -= 1
      return outcome
    },
  }
  const { run } = start(it, { users: [user] }, { rate: 1000, durationMs: 100 })
  await it.time.advance(200)
  await run
  expect(most).toBe(1)
})

test('the mix decides how many register', async () => {
  const it = world()
  let registered = 0
  const register = (): Promise<CeremonyOutcome> => {
    registered += 1
    return it.answer()
  }
  const users = many(100, { signIn: () => it.answer() })
  const { run } = start(it, { users, register }, { mix: { register: 1, auth: 3 } })
  await it.time.advance(11_000)
  const { counts } = (await run).tally.figures()
  expect(counts.registered).toBe(registered)
  expect(counts.registered + counts.signed_in).toBe(1000)
  expect(Math.abs(registered - 250)).toBeLessThan(50)
})

test('failures are counted by part and code, and are no latency', async () => {
  const it = world()
  let n = 0
  const signIn = (): Promise<CeremonyOutcome> =>
    it.answer(n++ % 2 === 0 ? { steps: [['request', 1]] } : { steps: [], failure: { step: 'bind', code: '40402' } })
  const { run } = start(it, { users: many(9, { signIn }) }, { durationMs: 1000 })
  await it.time.advance(2000)
  const { counts, failures, latency, steps } = (await run).tally.figures()
  expect(counts).toMatchObject({ arrived: 100, done: 50, failed: 50 })
  expect(failures).toEqual([{ ceremony: 'auth', step: 'bind', code: '40402', count: 50 }])
  expect(latency.all?.count).toBe(50)
  expect(steps).toMatchObject([{ step: 'request', count: 50 }])
})

test('codes without end do not take memory without end', async () => {
  const it = world()
  let n = 0
  const signIn = (): Promise<CeremonyOutcome> =>
    it.answer({ steps: [], failure: { step: 'request', code: String(n++) } })
  const { run } = start(it, { users: many(9, { signIn }) })
  await it.time.advance(11_000)
  const { failures } = (await run).tally.figures()
  expect(failures.length).toBeLessThanOrEqual(101)
  expect(failures[0]).toMatchObject({ code: 'others', count: 900 })
})

test('what never ends is a failure of the part that it was in', async () => {
  const it = world()
  const signIn: LoadUser['signIn'] = (onStep) => {
    onStep('answer')
    return new Promise(() => undefined)
  }
  const { run } = start(it, { users: many(2, { signIn }) }, { rate: 1, durationMs: 2000 })
  await it.time.advance(20_000)
  const { tally, tookMs } = await run
  expect(tookMs).toBe(17_000)
  expect(tally.figures().failures).toEqual([{ ceremony: 'auth', step: 'answer', code: 'unfinished', count: 2 }])
})

test('ended by hand, it tells what there is and begins nothing more', async () => {
  const it = world()
  const { run, stop } = start(it, { users: many(9, { signIn: () => it.answer() }) })
  await it.time.advance(1001)
  stop.abort()
  const { tally, stopped } = await run
  expect(stopped).toBe(true)
  const { counts } = tally.figures()
  expect(counts).toMatchObject({ arrived: 101, done: 100, failed: 1 })
  await it.time.advance(1000)
  expect(tally.figures().counts).toEqual(counts)
})

test('at a rate beyond its means it leaves others their turn', () => {
  let now = 0
  let registered = 0
  const rings: (() => void)[] = []
  // Time passes as fast as it works.
  const at: Clock['at'] = (_, ring) => {
    rings.push(ring)
    return () => undefined
  }
  const time: Clock = { now: () => now++, at }
  const register = (): Promise<CeremonyOutcome> => {
    registered += 1
    return new Promise(() => undefined)
  }
  void start({ time }, { register }, { rate: 100_000, durationMs: 1000, mix: { register: 1, auth: 0 } }).run
  const atOnce = registered
  expect(atOnce).toBeLessThan(1000)
  rings.at(-1)?.()
  expect(registered).toBe(2 * atOnce)
})

const FINE = { busy: 0.2, machineBusy: 0.5, p99Ms: 2, medianMs: 4 }

test.each([
  ['none', FINE],
  ['busy', { ...FINE, busy: 0.95 }],
  ['late', { ...FINE, p99Ms: 40 }],
  ['none', { ...FINE, p99Ms: 40, medianMs: 900 }],
  ['machine', { ...FINE, machineBusy: 0.97 }],
  ['none', { ...FINE, machineBusy: undefined }],
  ['late', { ...FINE, p99Ms: 40, medianMs: Number.NaN }],
  ['none', { ...FINE, p99Ms: Number.NaN }],
] as const)('the limit is %s where it saw %o', (limit, seen) => {
  expect(findClientLimit(seen)).toBe(limit)
})

test('a client that is busy all the time says that it is the limit', async () => {
  const watch = watchClient()
  // A first turn of the event loop, so that it has begun to count.
  await new Promise((resolve) => setImmediate(resolve))
  for (const end = performance.now() + 30; performance.now() < end; );
  expect(watch.read({ p99Ms: 1, medianMs: 5 })).toMatchObject({ limit: 'busy' })
})

const times = (kind: 'poisson' | 'fixed', rate: number, durationMs: number, seed = 1): readonly number[] => [
  ...arrivalTimes({ kind, rate, durationMs, random: createRandom({ seed }).stream('test', 'arrivals', 'times') }),
]

test('fixed arrivals are at equal distances, and no rounding adds up', () => {
  const all = times('fixed', 3, 3_600_000)
  expect(all).toHaveLength(10_800)
  expect(all.at(-1)).toBeCloseTo(3_600_000 - 1000 / 3, 6)
})

test('arrivals at random come at their rate, with gaps as long as their spread', () => {
  const all = times('poisson', 100, 40_000)
  const gaps = all.map((at, i) => at - (all[i - 1] ?? 0))
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
  const spread = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length)
  expect(Math.abs(mean / 10 - 1)).toBeLessThan(0.06)
  expect(Math.abs(spread / mean - 1)).toBeLessThan(0.06)
})

test('a seed draws the same arrivals, another one others', () => {
  expect(times('poisson', 50, 1000, 7)).toEqual(times('poisson', 50, 1000, 7))
  expect(times('poisson', 50, 1000, 7)).not.toEqual(times('poisson', 50, 1000, 8))
})

const random = createRandom({ seed: 1 }).stream('test', 'histogram', 'values')

test('its quantiles are those of the sorted values, at most 0.2 % above, never below', () => {
  const histogram = createHistogram()
  const values = Array.from({ length: 1000 }, () => randomBelow(random, 2 ** randomBelow(random, 31)) + 1)
  for (const value of values) histogram.record(value)
  const sorted = values.toSorted((a, b) => a - b)
  for (const share of [0.001, 0.1, 0.5, 0.9, 0.99, 0.999, 1]) {
    const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN
    expect(histogram.quantile(share)).toBeGreaterThanOrEqual(exact)
    expect(histogram.quantile(share)).toBeLessThanOrEqual(exact * 1.002)
  }
  expect(histogram.min()).toBe(sorted[0])
  expect(histogram.max()).toBe(sorted.at(-1))
  expect(histogram.mean()).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / values.length, 6)
})

test.each([64, 1024])('a value of every size is told within its precision of %i', (exact) => {
  for (let bits = 0; bits < 32; bits++) {
    for (const value of [2 ** bits - 1, 2 ** bits, 2 ** bits + 1]) {
      const histogram = createHistogram({ exact })
      histogram.record(2 ** 32 - 1)
      histogram.record(value)
      expect(histogram.quantile(0.5)).toBeGreaterThanOrEqual(value)
      expect(histogram.quantile(0.5)).toBeLessThanOrEqual(value * (1 + 2 / exact))
    }
  }
})

test('what is longer than it can count is told as the longest it can', () => {
  const histogram = createHistogram()
  histogram.record(1e12)
  expect(histogram.max()).toBe(2 ** 32 - 1)
  expect(histogram.quantile(0.5)).toBe(2 ** 32 - 1)
})

test('nothing recorded has no quantiles', () => {
  expect(createHistogram().quantile(0.5)).toBeNaN()
})
