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

export const benchNow = (reading: ClockReading, pageNow: number): number =>
  reading.frozen ? reading.now : reading.now + (pageNow - reading.at) * reading.speed
