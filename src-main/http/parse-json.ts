import type { Reason } from '../core/contract/errors.ts'
import { jsonIn } from '../core/protocol/json.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'

/** Deeper than any valid body, and far below the depth that exhausts the parser. */
export const DEEPEST = 32
/** Of one object. */
export const MOST_MEMBERS = 100_000
/** Of the whole text: each costs many times its octets once it is parsed. */
export const MOST_VALUES = 2_000_000

export const jsonProblems = {
  utf8: { code: 'not_utf8' },
  invalid: { code: 'not_json' },
  deep: { code: 'json_levels_at_most', params: { count: DEEPEST } },
  wide: { code: 'json_members_at_most', params: { count: MOST_MEMBERS } },
  many: { code: 'json_values_at_most', params: { count: MOST_VALUES } },
  surrogate: { code: 'half_surrogate_pair' },
  twice: (name: string): Reason => ({
    code: 'member_twice',
    params: { json: JSON.stringify(name).slice(0, 100) },
  }),
} as const satisfies Readonly<Record<string, Reason | ((name: string) => Reason)>>

/**
 * JSON without what two readers would read differently: a member named twice, half a surrogate pair; and without what
 * would cost too much to read. The time it takes grows with the text and not faster.
 */
export const parseJson = (text: string): Result<unknown, Reason> => {
  const shape = measure(text)
  if (!shape.ok) return shape
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return err(jsonProblems.invalid)
  }
  if (countNames(value) < shape.value.names) return err(duplicateProblem(text) ?? jsonProblems.invalid)
  return hasLoneSurrogate(text) ? err(jsonProblems.surrogate) : ok(value)
}

/** The longest envelope is a list of credentials. */
const MOST_LENGTH = 1024 * 1024

/** Parses another service's JSON; undefined also where parsing it would block all other requests. */
export const foreignJsonIn = (text: string): unknown =>
  text.length <= MOST_LENGTH && measure(text).ok ? jsonIn(text) : undefined

/** Counted before parsing, outside of strings. In valid JSON each colon follows a name. */
const measure = (text: string): Result<{ readonly names: number }, Reason> => {
  const members = new Uint32Array(DEEPEST + 1)
  let names = 0
  let values = 0
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case byte.quote:
        i = endOfString(text, i)
        break
      case byte.openBrace:
      case byte.openBracket:
        if (++depth > DEEPEST) return err(jsonProblems.deep)
        members[depth] = 0
        break
      case byte.closeBrace:
      case byte.closeBracket:
        if (depth > 0) depth--
        break
      case byte.colon:
        names++
        members[depth] = (members[depth] ?? 0) + 1
        if ((members[depth] ?? 0) > MOST_MEMBERS) return err(jsonProblems.wide)
        break
      case byte.comma:
        if (++values > MOST_VALUES) return err(jsonProblems.many)
        break
    }
  }
  return ok({ names })
}

const countNames = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0
  const parts: readonly unknown[] = Object.values(value)
  let names = Array.isArray(value) ? 0 : parts.length
  for (const part of parts) names += countNames(part)
  return names
}

/** Of valid JSON. Names are compared as values: `"a"` and `"\u0061"` are the same. */
const duplicateProblem = (text: string): Reason | undefined => {
  const open: (Set<string> | undefined)[] = []
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === byte.openBrace) open.push(new Set())
    else if (code === byte.openBracket) open.push(undefined)
    else if (code === byte.closeBrace || code === byte.closeBracket) open.pop()
    else if (code === byte.quote) {
      const end = endOfString(text, i)
      const names = open.at(-1)
      if (names !== undefined && isName(text, end)) {
        const name = String(JSON.parse(text.slice(i, end + 1)))
        if (names.has(name)) return jsonProblems.twice(name)
        names.add(name)
      }
      i = end
    }
  }
  return undefined
}

/** The closing quote, or past the end of invalid JSON. */
const endOfString = (text: string, start: number): number => {
  let i = start + 1
  while (i < text.length && text.charCodeAt(i) !== byte.quote) i += text.charCodeAt(i) === byte.backslash ? 2 : 1
  return i
}

/** In an object, a string is a name when a colon follows. */
const isName = (text: string, end: number): boolean => {
  let i = end + 1
  while (text.charCodeAt(i) <= 32) i++
  return text.charCodeAt(i) === byte.colon
}

/** Only an escape can bring one in: UTF-8 has none. */
const hasLoneSurrogate = (text: string): boolean => {
  if (!/\\u[dD][89a-fA-F]/.test(text)) return false
  let lone = false
  JSON.parse(text, (key, value: unknown) => {
    if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) lone = true
    return value
  })
  return lone
}

export const byte = {
  quote: 34,
  comma: 44,
  colon: 58,
  openBracket: 91,
  backslash: 92,
  closeBracket: 93,
  openBrace: 123,
  closeBrace: 125,
} as const
