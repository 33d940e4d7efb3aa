import { err, ok, type Result } from '../protocol/result.ts'

/** Deeper nesting than any body of ours has, far below what would exhaust the parser. */
const DEEPEST = 32
/** Of one object. */
const MOST_MEMBERS = 100_000
/** Of the whole text: each costs many times its octets once it is parsed. */
const MOST_VALUES = 2_000_000

/**
 * JSON without what two readers would read differently: a member named twice, half a surrogate pair; and without what
 * would cost too much to read. Refusals are sentences. The time it takes grows with the text and not faster.
 */
export const parseJson = (text: string): Result<unknown, string> => {
  const shape = measure(text)
  if (!shape.ok) return shape
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return err('It is not valid JSON.')
  }
  if (countNames(value) < shape.value.names) return err(duplicateProblem(text) ?? 'It has a member twice.')
  return hasLoneSurrogate(text) ? err('It has half of a surrogate pair.') : ok(value)
}

/** Before parsing, from what stands outside of strings. In valid JSON each colon follows a name. */
const measure = (text: string): Result<{ readonly names: number }, string> => {
  const members = new Uint32Array(DEEPEST + 1)
  let names = 0
  let values = 0
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = endOfString(text, i)
        break
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (++depth > DEEPEST) return err(`It is nested deeper than ${DEEPEST} levels.`)
        members[depth] = 0
        break
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (depth > 0) depth--
        break
      case COLON:
        names++
        members[depth] = (members[depth] ?? 0) + 1
        if ((members[depth] ?? 0) > MOST_MEMBERS) return err(`It has an object with more than ${MOST_MEMBERS} members.`)
        break
      case COMMA:
        if (++values > MOST_VALUES) return err(`It has more than ${MOST_VALUES} values.`)
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
const duplicateProblem = (text: string): string | undefined => {
  const open: (Set<string> | undefined)[] = []
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === OPEN_BRACE) open.push(new Set())
    else if (code === OPEN_BRACKET) open.push(undefined)
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) open.pop()
    else if (code === QUOTE) {
      const end = endOfString(text, i)
      const names = open.at(-1)
      if (names !== undefined && isName(text, end)) {
        const name: unknown = JSON.parse(text.slice(i, end + 1))
        if (names.has(String(name))) return `It has the member ${JSON.stringify(name).slice(0, 100)} twice.`
        names.add(String(name))
      }
      i = end
    }
  }
  return undefined
}

/** The closing quote, or past the end of what is no JSON. */
const endOfString = (text: string, start: number): number => {
  let i = start + 1
  while (i < text.length && text.charCodeAt(i) !== QUOTE) i += text.charCodeAt(i) === BACKSLASH ? 2 : 1
  return i
}

/** In an object, a string is a name when a colon follows. */
const isName = (text: string, end: number): boolean => {
  let i = end + 1
  while (text.charCodeAt(i) <= 32) i++
  return text.charCodeAt(i) === COLON
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

const QUOTE = 34
const COLON = 58
const OPEN_BRACKET = 91
const BACKSLASH = 92
const COMMA = 44
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125
