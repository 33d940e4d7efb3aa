/** Milliseconds since 1970 UTC. */
export type Millis = number

/** No workspace's clock goes further than the year 9999: RFC 3339 has no later one. */
export const CLOCK_END: Millis = 253_402_300_799_999

export const DAY_MS: Millis = 86_400_000

/** A clock one can read and set an alarm on. The bench's own clocks and the real one look the same. */
export type Clock = {
  now(): Millis
  /** Calls back once, when this clock reaches `time`, however it gets there (running, advanced or set). */
  at(time: Millis, alarm: () => void): CancelAlarm
}

export type CancelAlarm = () => void
