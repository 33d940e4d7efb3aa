import { rememberByText } from './remember.ts'
import { err, ok, type Result } from './result.ts'

/** Milliseconds since 1970 UTC. */
export type Millis = number

/** No workspace's clock may pass the year 9999: RFC 3339 has no later one. */
export const CLOCK_END: Millis = 253_402_300_799_999

export const DAY_MS: Millis = 86_400_000

const SVC_DATE = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/

/** X-Svc-Date: ISO 8601 basic, `YYYYMMDDTHHMMSSZ`, and a date that exists. */
export const parseSvcDate = rememberByText((text: string): Result<Millis, 'date_form' | 'date_does_not_exist'> => {
  const parts = SVC_DATE.exec(text)
  if (parts === null) return err('date_form')
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1).map(Number)
  const time = Date.UTC(year, month - 1, day, hour, minute, second)
  // Date.UTC reads 31 June as 1 July, and years below 100 as years of the 20th century.
  return formatSvcDate(time) === text ? ok(time) : err('date_does_not_exist')
})

export const formatSvcDate = (time: Millis): string => new Date(time).toISOString().replace(/[-:]|\.\d{3}/g, '')

/** `YYYYMMDD`, the form a date has inside a credential scope. */
export const svcDay = (svcDate: string): string => svcDate.slice(0, 8)

export const formatRfc3339 = (time: Millis): string => new Date(time).toISOString()

/** ISO 8601 to the second. Years beyond 9999 keep their digits. */
export const isoTime = (time: Millis): string => new Date(time).toISOString().replace('.000Z', 'Z')

export const unixSeconds = (time: Millis): number => Math.floor(time / 1000)

/** The bench's own clocks and the real clock have the same interface. */
export type Clock = {
  now(): Millis
  /** Calls back once, when this clock reaches `time`, however it gets there (running, advanced or set). */
  at(time: Millis, alarm: () => void): CancelAlarm
}

export type CancelAlarm = () => void

/** A stored clock: it showed `now` at the real time `real` and ran on from there; without `real` it is stopped. */
export type KeptClock = { readonly now: Millis; readonly speed: number; readonly real?: Millis }

/** The clock's reading at this real time, even if no bench was running. */
export const clockTimeAt = ({ now, real, speed }: KeptClock, time: Millis): Millis =>
  real === undefined ? now : Math.max(0, Math.min(CLOCK_END, Math.floor(now + (time - real) * speed)))

/** Moves `real` back to `time` if the clock comes from a machine that was ahead: a fast clock would lose years. */
export const withoutFuture = (kept: KeptClock, time: Millis): KeptClock =>
  kept.real === undefined || kept.real <= time ? kept : { ...kept, real: time }

/** True for the clock with which every workspace begins, so it need not be stored. */
export const followsRealTime = ({ now, real, speed }: KeptClock): boolean => now === real && speed === 1
