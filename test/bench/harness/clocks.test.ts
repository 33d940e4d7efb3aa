import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBenchClock, followClock } from '../../../src-main/bench/harness/clock.ts'
import { keptClock } from '../../../src-main/core/contract/clock.ts'
import { fitsSchema } from '../../../src-main/core/contract/validate.ts'
import { CLOCK_END, type Clock, clockTimeAt, followsRealTime } from '../../../src-main/core/protocol/time.ts'

/** Real time under the test's hand. */
const handClock = (start: number) => {
  let time = start
  let alarms: { time: number; alarm: () => void }[] = []
  const clock: Clock = {
    now: () => time,
    at: (due, alarm) => {
      const entry = { time: due, alarm }
      alarms.push(entry)
      return () => {
        alarms = alarms.filter((other) => other !== entry)
      }
    },
  }
  const pass = (ms: number): void => {
    const end = time + ms
    for (;;) {
      const due = alarms.filter((entry) => entry.time <= end).sort((a, b) => a.time - b.time)[0]
      if (due === undefined) break
      alarms = alarms.filter((entry) => entry !== due)
      time = Math.max(time, due.time)
      due.alarm()
    }
    time = end
  }
  return { clock, pass }
}

const START = 1_700_000_000_000
const bench = (settle?: () => Promise<void>) => {
  const real = handClock(START)
  const clock = createBenchClock({ real: real.clock, ...(settle === undefined ? {} : { settle }) })
  const rung: string[] = []
  const alarm = (name: string, time: number) => clock.at(time, () => rung.push(`${name}@${clock.now() - START}`))
  return { clock, pass: real.pass, rung, alarm }
}

test('a running clock rings its alarms when their time comes', () => {
  const { pass, rung, alarm } = bench()
  alarm('late', START + 2000)
  alarm('early', START + 1000)
  pass(999)
  expect(rung).toEqual([])
  pass(1)
  expect(rung).toEqual(['early@1000'])
  pass(5000)
  expect(rung).toEqual(['early@1000', 'late@2000'])
})

test('a frozen clock stands, and rings only what is past already', async () => {
  const { clock, pass, rung, alarm } = bench()
  await clock.set({ frozen: true })
  pass(60_000)
  expect(clock.now()).toBe(START)
  alarm('past', START)
  alarm('future', START + 1)
  pass(60_000)
  expect(rung).toEqual(['past@0'])
})

test('advancing rings alarms in the order of time, each at its own time', async () => {
  const { clock, rung, alarm } = bench()
  await clock.set({ frozen: true })
  alarm('c', START + 300)
  alarm('a', START + 100)
  alarm('b', START + 100)
  await clock.advance(200)
  expect(rung).toEqual(['a@100', 'b@100'])
  expect(clock.now()).toBe(START + 200)
  await clock.advance(100)
  expect(rung).toEqual(['a@100', 'b@100', 'c@300'])
})

test('what an alarm starts is waited for before the next one rings', async () => {
  let pending: Promise<void> | undefined
  const { clock, rung, alarm } = bench(async () => {
    await pending
    pending = undefined
  })
  await clock.set({ frozen: true })
  clock.at(START + 100, () => {
    pending = Promise.resolve().then(() => void rung.push(`answered@${clock.now() - START}`))
  })
  alarm('expiry', START + 101)
  await clock.advance(500)
  expect(rung).toEqual(['answered@100', 'expiry@101'])
})

test('an alarm set while advancing rings on the way', async () => {
  const { clock, rung, alarm } = bench()
  await clock.set({ frozen: true })
  clock.at(START + 100, () => alarm('inner', START + 150))
  await clock.advance(200)
  expect(rung).toEqual(['inner@150'])
})

test('two advances at once add up', async () => {
  const { clock, rung, alarm } = bench()
  await clock.set({ frozen: true })
  alarm('a', START + 150)
  await Promise.all([clock.advance(100), clock.advance(100)])
  expect(clock.now()).toBe(START + 200)
  expect(rung).toEqual(['a@150'])
})

test('setting an earlier time rings nothing, and alarms keep their time', async () => {
  const { clock, rung, alarm } = bench()
  await clock.set({ frozen: true })
  alarm('a', START + 100)
  await clock.set({ now: START - 5000 })
  expect(clock.now()).toBe(START - 5000)
  expect(rung).toEqual([])
  await clock.set({ now: START + 100 })
  expect(rung).toEqual(['a@100'])
})

test('a fast clock reaches its alarms sooner', async () => {
  const { clock, pass, rung, alarm } = bench()
  await clock.set({ speed: 60 })
  alarm('a', START + 60_000)
  pass(999)
  expect(rung).toEqual([])
  pass(1)
  expect(rung).toEqual(['a@60000'])
  expect(clock.now()).toBe(START + 60_000)
})

test('a clock goes on from where it stood', async () => {
  const { clock, pass } = bench()
  await clock.set({ frozen: true, now: START + 10_000 })
  pass(5000)
  await clock.set({ frozen: false })
  expect(clock.now()).toBe(START + 10_000)
  pass(5)
  expect(clock.now()).toBe(START + 10_005)
})

test('held at a time the clock rings nothing, and goes on as it is told', async () => {
  const { clock, pass, rung, alarm } = bench()
  alarm('a', START + 100)
  const value = await clock.heldAt(START + 50_000, async () => {
    expect(clock.now()).toBe(START + 50_000)
    alarm('b', START + 60_000)
    pass(1000)
    expect(rung).toEqual([])
    return { next: { now: START + 50_000, speed: 1 }, value: 'done' }
  })
  expect(value).toBe('done')
  expect(clock.read()).toMatchObject({ now: START + 50_000, frozen: true })
})

test('held in vain the clock goes on as if it had run all the time', async () => {
  const { clock, pass, rung, alarm } = bench()
  await clock.set({ now: START + 1000, speed: 2 })
  alarm('a', START + 1100)
  await clock.heldAt(START + 50_000, async () => {
    pass(100)
    return { next: undefined, value: null }
  })
  expect(clock.read()).toEqual({ now: START + 1200, frozen: false, speed: 2 })
  pass(0)
  expect(rung).toEqual(['a@1200'])
})

test('a kept clock that stands shows the same in another process, however late', async () => {
  const { clock } = bench()
  await clock.set({ now: START + 777, frozen: true, speed: 3 })
  const later = createBenchClock({ real: handClock(START + 86_400_000).clock, start: { kept: clock.kept() } })
  expect(later.read()).toEqual({ now: START + 777, frozen: true, speed: 3 })
})

test('a kept clock that runs shows in another process what it would show here', async () => {
  const { clock, pass } = bench()
  pass(5)
  await clock.set({ now: START + 1_000_000, speed: 2.5 })
  const kept = clock.kept()
  const later = createBenchClock({ real: handClock(START + 5 + 3_600_000).clock, start: { kept } })
  pass(3_600_000)
  expect(later.read()).toEqual({ now: START + 1_000_000 + 9_000_000, frozen: false, speed: 2.5 })
  expect(later.read()).toEqual(clock.read())
})

test('an untouched clock, or one that was put back, follows real time and is kept as that', async () => {
  const { clock, pass } = bench()
  expect(followsRealTime(clock.kept())).toBe(true)
  await clock.set({ frozen: true })
  expect(followsRealTime(clock.kept())).toBe(false)
  pass(10)
  await clock.set({ frozen: false })
  expect(followsRealTime(clock.kept())).toBe(false)
  await clock.set({ now: START + 99_999, frozen: true, speed: 5 })
  await clock.followReal()
  expect(followsRealTime(clock.kept())).toBe(true)
  pass(10)
  expect(clock.read()).toEqual({ now: START + 20, frozen: false, speed: 1 })
})

test.each([
  [undefined],
  [null],
  ['noon'],
  [{ now: START }],
  [{ now: -1, speed: 1 }],
  [{ now: CLOCK_END + 1, speed: 1 }],
  [{ now: Number.NaN, speed: 1 }],
  [{ now: START + 0.5, speed: 1 }],
  [{ now: START, speed: 1, real: START + 0.5 }],
  [{ now: START, speed: 0 }],
  [{ now: START, speed: 100_001 }],
  [{ now: START, speed: 1, real: 'now' }],
  [{ now: START, speed: 1, real: CLOCK_END + 1 }],
])('%j is no kept clock', (value) => {
  expect(fitsSchema(value, keptClock)).toBe(false)
})

test('a clock that was kept by a machine ahead of this one goes on from what it showed, never before 1970', () => {
  const kept = { now: START, speed: 100_000, real: CLOCK_END }
  expect(createBenchClock({ real: handClock(START).clock, start: { kept } }).now()).toBe(START)
  expect(clockTimeAt({ now: 0, speed: 100_000, real: START }, 0)).toBe(0)
})

test('it ends with the year 9999, however it gets there', async () => {
  const { clock, pass, rung, alarm } = bench()
  alarm('after the end', CLOCK_END + 1)
  await clock.set({ now: CLOCK_END - 1000 })
  pass(5000)
  expect(clock.now()).toBe(CLOCK_END)
  await clock.advance(1000)
  await clock.set({ speed: 100_000 })
  pass(1000)
  expect([clock.now(), rung]).toEqual([CLOCK_END, []])
  expect(createBenchClock({ start: { now: 8.64e15 } }).now()).toBe(CLOCK_END)
})

test('[clock.exact] an alarm between two milliseconds rings at the later one, and a time between them is the earlier one', async () => {
  const { clock, rung, alarm } = bench()
  alarm('half', START + 10.5)
  await clock.advance(20)
  expect(rung).toEqual(['half@11'])
  await clock.set({ now: START + 30.7, frozen: true })
  expect(clock.kept()).toEqual({ now: START + 30, speed: 1 })
})

const HOUR = 3_600_000
const standing = (now: number, alarms: number[] = []) => ({
  now: () => now,
  at: (time: number) => {
    alarms.push(time)
    return () => undefined
  },
})

test('a clock that is an hour off its leader shows the leader’s time and rings at it', async () => {
  for (const off of [HOUR, -HOUR]) {
    const alarms: number[] = []
    const clock = await followClock(standing(5 * HOUR, alarms), async () => 5 * HOUR + off)
    expect(clock.now()).toBe(5 * HOUR + off)
    clock.at(clock.now() + 10, () => undefined)
    expect(alarms).toEqual([5 * HOUR + 10])
    clock.stop()
  }
})

test('a difference that the way of the answer explains is none', async () => {
  const clock = await followClock(standing(5 * HOUR), async () => 5 * HOUR + 200)
  expect(clock.now()).toBe(5 * HOUR)
  clock.stop()
})

test('alarms ring by time, equal ones as they were set, cancelled ones never', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ time: fc.nat(20), cancel: fc.boolean() }), { maxLength: 300 }),
      async (wanted) => {
        const clock = createBenchClock({ real: handClock(START).clock, start: { now: 0, frozen: true } })
        const rung: number[] = []
        const alarms = wanted.map(({ time }, order) => clock.at(time, () => void rung.push(order)))
        for (const [i, { cancel }] of wanted.entries()) if (cancel) alarms[i]?.()
        await clock.advance(20)
        const expected = wanted
          .map(({ time, cancel }, order) => ({ time, cancel, order }))
          .filter(({ cancel }) => !cancel)
          .sort((a, b) => a.time - b.time || a.order - b.order)
          .map(({ order }) => order)
        expect(rung).toEqual(expected)
      },
    ),
    { numRuns: 60 },
  )
})
