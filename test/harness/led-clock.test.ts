import { expect, test } from 'vitest'
import { followClock } from '../../src-main/harness/led-clock.ts'

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
