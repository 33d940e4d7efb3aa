import type { ClockFact } from '../../src-main/core/contract/events.ts'

/** The workspace's time was `now` when the page's own clock was at `at`. */
export type ClockReading = ReturnType<typeof readClock>

type ClockNews = Pick<ClockFact, 'now' | 'frozen' | 'speed'> & { readonly offset_ms: number | null }

export const readClock = ({ now, frozen, speed, offset_ms }: ClockNews, at: number) => ({
  ...{ now, frozen, speed },
  /** Milliseconds ahead of real time at the reading; 0 while frozen. */
  offset: offset_ms ?? 0,
  /** The page's clock, in milliseconds. */
  at,
})

/** Events are never in the future, so an event later than the reading means that the reading lags. */
export const catchUpWithEvent = (reading: ClockReading, bench: number, pageNow: number): ClockReading =>
  bench <= benchNow(reading, pageNow) ? reading : { ...reading, now: bench, at: pageNow }

/** A smaller offset may come from the duration of the reading itself. */
const AS_REAL_MS = 1000

/** A clock is live only if it runs as fast as real time and shows real time. */
export const clockPace = ({ frozen, speed, offset }: ClockReading) => {
  if (frozen) return 'frozen'
  if (speed !== 1) return 'fast'
  if (Math.abs(offset) < AS_REAL_MS) return 'live'
  return offset > 0 ? 'ahead' : 'behind'
}

export const benchNow = (reading: ClockReading, pageNow: number): number =>
  reading.frozen ? reading.now : reading.now + (pageNow - reading.at) * reading.speed
