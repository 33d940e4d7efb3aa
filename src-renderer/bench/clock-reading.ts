import type { ClockFact } from '../../src-main/protocol/exchange-event.ts'

/** What the page knows of the workspace's clock: its time when the page's own clock stood at `at`. */
export type ClockReading = {
  readonly now: number
  readonly frozen: boolean
  readonly speed: number
  /** The page's clock, in milliseconds. */
  readonly at: number
}

export const readClock = (fact: Pick<ClockFact, 'now' | 'frozen' | 'speed'>, at: number): ClockReading => ({
  now: fact.now,
  frozen: fact.frozen,
  speed: fact.speed,
  at,
})

/** What has happened is past: an event of a later time than the reading gives shows how far the reading lags. */
export const readEvent = (reading: ClockReading, bench: number, pageNow: number): ClockReading =>
  bench <= benchNow(reading, pageNow) ? reading : { ...reading, now: bench, at: pageNow }

export const benchNow = (reading: ClockReading, pageNow: number): number =>
  reading.frozen ? reading.now : reading.now + (pageNow - reading.at) * reading.speed
