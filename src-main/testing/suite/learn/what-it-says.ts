import type { Sign } from '../../../core/contract/rp-suite.ts'
import type { PageElement } from './page-elements.ts'

/** The page at the end of a request. */
export type Shown = {
  /** Texts typed during the request. */
  readonly typed: readonly string[]
  /** Lines that stood there before the end. */
  readonly waiting: readonly string[]
  readonly after: readonly string[]
  /** Lines that are new after the end. */
  readonly news: readonly string[]
  readonly address: string
  readonly elements: readonly PageElement[]
}

/** The same end for each of two users: text on both pages depends on neither user. */
export type Twice = readonly [Shown, Shown]

export const fresh = (now: readonly string[], before: readonly string[]): readonly string[] =>
  now.filter((line) => !before.includes(line) && /\p{L}{2}/u.test(line))

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

const withNumbers = (pattern: string): string => pattern.replace(/\d+/g, '\\d+')

/** A line as a pattern: typed texts and numbers may be different next time. */
const patternOf = (line: string, typed: readonly string[]): string =>
  withNumbers(
    typed
      .filter((text) => text.length > 2)
      .reduce((pattern, text) => pattern.replaceAll(escaped(text), '.+'), escaped(line)),
  )

const isIn = (pattern: string, lines: readonly string[]): boolean =>
  lines.some((line) => new RegExp(pattern, 'u').test(line))

/** The first new line that both pages have. */
export const sharedPattern = ([one, other]: Twice): string | undefined =>
  one.news
    .map((line) => patternOf(line, one.typed))
    .find((pattern) => isIn(pattern, other.news) && !isIn(pattern, [...one.waiting, ...other.waiting]))

/** The page's sign of the signed-in user: a line with their name, an element, its address, or their number. */
export const signOf = ([one, other]: Twice): Sign => {
  const { news, typed, address, elements } = one
  const fits = (sign: string, ...texts: readonly (readonly string[])[]): boolean =>
    texts.every((lines) => isIn(sign, lines))
  for (const line of news) {
    const who = typed.find((text) => text.length > 2 && line.includes(text))
    if (who === undefined) continue
    const sign = withNumbers(escaped(line).replace(escaped(who), '(.+)'))
    if (fits(sign, other.news)) return sign
  }
  const element = elements.find(({ name }) => typed.some((text) => text.length > 2 && name.includes(text)))
  if (element !== undefined) {
    const text = typed.find((each) => element.name.includes(each)) ?? ''
    return { role: element.role, name: escaped(element.name).replace(escaped(text), '(.+)') }
  }
  const path = new URL(address).pathname
  const elsewhere = new URL(other.address).pathname
  const named = typed.map((text) => text.split('@')[0] ?? text).find((text) => text.length > 2 && path.includes(text))
  if (named !== undefined) return { address: escaped(path).replace(escaped(named), '([^/?#]+)') }
  for (const line of news) {
    const sign = withNumbers(escaped(line)).replace('\\d+', '(\\d+)')
    if (fits(sign, other.news) && !other.news.includes(line)) return sign
  }
  const numbered = escaped(path).replace(/\d+/, '(\\d+)')
  if (path !== elsewhere && isIn(numbered, [elsewhere])) return { address: numbered }
  return sharedPattern([one, other]) ?? patternOf(news[0] ?? '', typed)
}

/** Words by which a page may say no in a way that was not met. */
const NO = [
  'failed',
  'did not',
  'could not',
  'cannot',
  'not possible',
  'unavailable',
  'went wrong',
  'try again',
  'refused',
  'expired',
  'timed out',
]

/** The text after a colon or a full stop is the reason, which changes each time. */
const beginningOf = (line: string): string => {
  const [first = ''] = /^.*?(?=: |\. | [–-] )/.exec(line) ?? []
  return /\S \S/.test(first) || saysNo(first) ? first : line
}

const saysNo = (text: string): boolean => NO.some((word) => text.toLowerCase().includes(word))

/** It may begin a sentence. */
const anyCase = (word: string): string => `[${word.charAt(0).toUpperCase()}${word.charAt(0)}]${word.slice(1)}`

/** The page's words in each failure that was tried; and similar words that it shows at no other time. */
export const failurePattern = (failures: readonly Shown[], good: readonly Shown[]): string | undefined => {
  const elsewhere = [...good, ...failures].flatMap(({ waiting }) => waiting).concat(good.flatMap(({ after }) => after))
  const found: string[] = []
  for (const { news, typed } of failures) {
    if (found.some((pattern) => isIn(pattern, news))) continue
    const patterns = news
      .map((line) => patternOf(beginningOf(line), typed))
      .filter((pattern) => !isIn(pattern, elsewhere))
    const [clearest] = patterns.filter(saysNo)
    const said = clearest ?? patterns[0]
    if (said !== undefined) found.push(said)
  }
  if (found.length === 0) return undefined
  const words = NO.filter((word) => !elsewhere.some((line) => line.toLowerCase().includes(word)))
  const isIncluded = (pattern: string): boolean => words.some((word) => pattern.toLowerCase().includes(word))
  return [...found.filter((pattern) => !isIncluded(pattern)), ...words.map(anyCase)].join('|')
}

const NUMBER = /\b[A-Z]{0,5}-?\d{4,}\b/

/** The pattern of a number that the RP gave to each at the registration, which a sign-in may ask for. */
export const keptFrom = ([one, other]: Twice): string | undefined => {
  for (const line of one.news) {
    const [value] = NUMBER.exec(line) ?? []
    if (value === undefined) continue
    const [before = '', after = ''] = line.split(value)
    const around = (text: string): string => patternOf(text, one.typed)
    const pattern = `${around(before)}(${value.replace(/\d+/, '\\d+')})${around(after)}`
    if (isIn(pattern, other.news) && !other.news.includes(line)) return pattern
  }
  return undefined
}

export const valuesOf = (kept: string | undefined, lines: readonly string[]): { readonly number?: string } => {
  const found = lines.map((line) => (kept === undefined ? undefined : new RegExp(kept, 'u').exec(line)?.[1]))
  const number = found.find((value) => value !== undefined)
  return number === undefined ? {} : { number }
}
