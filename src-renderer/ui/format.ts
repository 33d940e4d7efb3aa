import { DAY_MS } from '../../src-main/core/protocol/time.ts'
import { minuteSecond } from '../../src-main/views/timeline/durations.ts'
import { locale } from './language.ts'

export {
  durationText as took,
  elapsedText as elapsed,
  minuteSecond,
  offsetText as offset,
} from '../../src-main/views/timeline/durations.ts'

/** This module formats all numbers and times of the page, in the page's language. */

const TIME = { hour: '2-digit', minute: '2-digit' } as const
const DATE = { day: 'numeric', month: 'short', year: 'numeric' } as const

const clock = new Intl.DateTimeFormat(locale, TIME)
const clockSeconds = new Intl.DateTimeFormat(locale, { ...TIME, second: '2-digit' })
const day = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' })
const date = new Intl.DateTimeFormat(locale, DATE)
const moment = new Intl.DateTimeFormat(locale, { ...DATE, ...TIME, second: '2-digit' })
const whole = new Intl.NumberFormat(locale)
const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 })

export const hourMinute = (time: number): string => clock.format(time)
export const hourMinuteSecond = (time: number): string => clockSeconds.format(time)
/** Friday 20 November */
export const longDay = (time: number): string => day.format(time).replace(',', '')
export const shortDate = (time: number): string => date.format(time)
/** 21 Nov 2026, 09:04:41 */
export const dateAndTime = (time: number): string => moment.format(time)
export const decimalNumber = (value: number): string => decimal.format(value)
export const wholeNumber = (value: number): string => whole.format(value)

const days = new Intl.NumberFormat(locale, { style: 'unit', unit: 'day', unitDisplay: 'long' })

/** 0:30, 2:05:00, 3 days: the absolute duration. */
export const timeSpan = (ms: number): string => {
  const size = Math.round(Math.abs(ms) / 1000) * 1000
  return size < 2 * DAY_MS ? minuteSecond(size) : days.format(Math.round(size / DAY_MS))
}

export const byteCount = (bytes: number): string => (bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`)

const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
/** Friday 20 November 2026 */
export const weekdayDate = (time: number): string => weekday.format(time).replace(',', '')

const past = new Intl.RelativeTimeFormat(locale, { style: 'short' })

/** 4 sec ago, 3 min ago, 2 days ago */
export const agoText = (ms: number): string => {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return past.format(-seconds, 'second')
  if (seconds < 3600) return past.format(-Math.floor(seconds / 60), 'minute')
  const hours = Math.floor(seconds / 3600)
  return hours < 24 ? past.format(-hours, 'hour') : past.format(-Math.floor(hours / 24), 'day')
}

/** Value of an input of type datetime-local, in the browser's own time zone. */
export const inputTime = (time: number): string => {
  const minutesBehindUtc = new Date(time).getTimezoneOffset()
  return new Date(time - minutesBehindUtc * 60_000).toISOString().slice(0, 19)
}

export const parseInputTime = (text: string): number | undefined => {
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}
