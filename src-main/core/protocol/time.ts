import { rememberByText } from './remember.ts'
import { err, ok, type Result } from './result.ts'

/** Milliseconds since 1970 UTC. */
export type Millis = number

/** No workspace's clock may pass the year 9999: RFC 3339 has no later one. */
export const CLOCK_END: Millis = 253_402_300_799_999

export const DAY_MS: Millis = 86_400_000

const SVC_DATE = /^\d{8}T\d{6}Z$/

/** X-Svc-Date: ISO 8601 basic, `YYYYMMDDTHHMMSSZ`, and a date that exists. */
export const parseSvcDate = rememberByText((text: string): Result<Millis, 'date_form' | 'date_does_not_exist'> => {
  if (!SVC_DATE.test(text)) return err('date_form')
  const year = Number(text.slice(0, 4))
  const [month, day] = [Number(text.slice(4, 6)), Number(text.slice(6, 8))]
  const [hour, minute, second] = [Number(text.slice(9, 11)), Number(text.slice(11, 13)), Number(text.slice(13, 15))]
  const time = Date.UTC(year, month - 1, day, hour, minute, second)
  const there = new Date(time)
  // Date.UTC takes a 31st of June for the 1st of July, and years below 100 for those of the 20th century.
  const exists =
    there.getUTCFullYear() === year &&
    there.getUTCMonth() === month - 1 &&
    there.getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60
  return exists ? ok(time) : err('date_does_not_exist')
})

export const formatSvcDate = (time: Millis): string => new Date(time).toISOString().replace(/[-:]|\.\d{3}/g, '')

/** `YYYYMMDD`, the form a date has inside a credential scope. */
export const svcDay = (svcDate: string): string => svcDate.slice(0, 8)

export const formatRfc3339 = (time: Millis): string => new Date(time).toISOString()

export const unixSeconds = (time: Millis): number => Math.floor(time / 1000)

/** A clock one can read and set an alarm on. The bench's own clocks and the real one look the same. */
export type Clock = {
  now(): Millis
  /** Calls back once, when this clock reaches `time`, however it gets there (running, advanced or set). */
  at(time: Millis, alarm: () => void): CancelAlarm
}

export type CancelAlarm = () => void
