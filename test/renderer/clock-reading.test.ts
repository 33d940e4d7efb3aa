import { describe, expect, it } from 'vitest'
import { foldBench, newBench } from '../../src-renderer/bench/bench-state.ts'
import { benchNow, paceOf, readClock } from '../../src-renderer/bench/clock-reading.ts'
import { minuteSecond } from '../../src-renderer/ui/format.ts'
import { call, record } from './fixture.ts'

const [event] = record([[5000, call({ id: 'req_1', line: 'GET /fido/rp/credentials?user_id=alice' })]])
if (event === undefined) throw new Error('no event was recorded')

/** A page that read the workspace's clock so many milliseconds late. */
const late = (by: number, speed = 1) => ({
  ...newBench(),
  clock: readClock({ now: event.bench - by, frozen: false, speed, offset_ms: 0 }, 1000),
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

describe('what is said of a clock', () => {
  const pace = (more: { readonly frozen?: boolean; readonly speed?: number; readonly offset_ms?: number }) =>
    paceOf(readClock({ now: event.bench, frozen: false, speed: 1, offset_ms: 0, ...more }, 1000))

  it('is live only while it shows real time and runs as fast', () => {
    expect(pace({ offset_ms: 12 })).toBe('live')
    expect(pace({ offset_ms: 3_600_000 })).toBe('ahead')
    expect(pace({ offset_ms: -3_600_000 })).toBe('behind')
    expect(pace({ speed: 60 })).toBe('fast')
    expect(pace({ frozen: true, speed: 60 })).toBe('frozen')
  })

  it('changes with the event that tells of a clock that was moved', () => {
    const [moved] = record([
      [5000, { kind: 'clock', change: 'advanced', now: event.wall + 3_600_000, frozen: false, speed: 1 }],
    ])
    if (moved === undefined) throw new Error('no event was recorded')
    const { clock } = foldBench(late(0), { ...moved, seq: 9 }, 1000)
    expect(clock === undefined ? undefined : paceOf(clock)).toBe('ahead')
  })
})
