import { describe, expect, it } from 'vitest'
import { foldBench, newBench } from '../../src-renderer/bench/bench-state.ts'
import { benchNow, readClock } from '../../src-renderer/bench/clock-reading.ts'
import { minuteSecond } from '../../src-renderer/ui/format.ts'
import { call, record } from './fixture.ts'

const [event] = record([[5000, call({ id: 'req_1', line: 'GET /fido/rp/credentials?user_id=alice' })]])
if (event === undefined) throw new Error('no event was recorded')

/** A page that read the workspace's clock so many milliseconds late. */
const late = (by: number, speed = 1) => ({
  ...newBench(),
  clock: readClock({ now: event.bench - by, frozen: false, speed }, 1000),
})

const timeAfter = (state: ReturnType<typeof newBench>): number | undefined =>
  state.clock === undefined ? undefined : benchNow(state.clock, 1000)

describe('the workspace’s clock, as the page reads it', () => {
  it('is never behind what has happened', () => {
    expect(timeAfter(foldBench(late(40), event, 1000))).toBe(event.bench)
  })

  it('does not go back for an event that came late', () => {
    expect(timeAfter(foldBench(late(-40), event, 1000))).toBe(event.bench + 40)
  })

  it('shows three minutes when a message of three minutes begins, though it was read late and runs fast', () => {
    const { clock } = foldBench(late(640, 60), event, 1000)
    expect(clock?.speed).toBe(60)
    expect(minuteSecond(event.bench + 180_000 - (clock === undefined ? 0 : benchNow(clock, 1000)))).toBe('3:00')
  })
})
