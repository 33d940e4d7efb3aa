import type { Millis } from './time.ts'

/** A clock one can read and set an alarm on. The bench's own clocks and the real one look the same. */
export type Clock = {
  now(): Millis
  /** Calls back once, when this clock reaches `time`, however it gets there (running, advanced or set). */
  at(time: Millis, alarm: () => void): CancelAlarm
}

export type CancelAlarm = () => void
