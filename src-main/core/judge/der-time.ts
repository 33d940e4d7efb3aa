import { fromUtf8 } from '../protocol/bytes.ts'
import type { Millis } from '../protocol/time.ts'
import { type DerNode, isUniversal, TAG } from './der.ts'

/** UTCTime or GeneralizedTime as RFC 5280 §4.1.2.5 narrows them: seconds, no fraction, Zulu. */
export const parseDerTime = (node: DerNode): Millis | undefined => {
  const text = fromUtf8(node.content) ?? ''
  if (isUniversal(node, TAG.generalizedTime)) return parseTime(text)
  if (!isUniversal(node, TAG.utcTime)) return undefined
  return parseTime(`${text.startsWith('5') || text > '5' ? '19' : '20'}${text}`)
}

const parseTime = (text: string): Millis | undefined => {
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text)
  if (match === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number)
  if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return undefined
  if (hour > 23 || minute > 59 || second > 59) return undefined
  // Date.UTC takes the years 0 to 99 for 1900 to 1999.
  return year < 100 ? undefined : Date.UTC(year, month - 1, day, hour, minute, second)
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

const daysOf = (year: number, month: number): number => {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && leap ? 29 : (DAYS[month - 1] ?? 0)
}
