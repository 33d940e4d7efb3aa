import { type Reason, type Refusal, refuse } from '../core/contract/errors.ts'
import { type Bytes, fromUtf8 } from '../core/protocol/bytes.ts'
import type { HeaderPair } from '../core/protocol/canonical-request.ts'
import { isObject, type JsonObject, parseJsonOrNothing } from '../core/protocol/json.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { runInSlices, type SlicedWork } from '../core/protocol/slices.ts'
import { findHeader } from './message.ts'

/** Limit for nesting: deeper than any valid body, and far below the depth that exhausts the parser. */
export const MAX_LEVELS = 32
/** Limit for the members of one object. */
export const MAX_MEMBERS = 100_000
/** Limit for the values in a whole text: a parsed value takes many times the memory of its octets. */
export const MAX_VALUES = 2_000_000

const jsonProblems = {
  utf8: { code: 'not_utf8' },
  invalid: { code: 'not_json' },
  deep: { code: 'json_levels_at_most', params: { count: MAX_LEVELS } },
  wide: { code: 'json_members_at_most', params: { count: MAX_MEMBERS } },
  many: { code: 'json_values_at_most', params: { count: MAX_VALUES } },
  surrogate: { code: 'half_surrogate_pair' },
  twice: (name: string): Reason => ({ code: 'member_twice', params: { json: JSON.stringify(name).slice(0, 100) } }),
} as const satisfies Readonly<Record<string, Reason | ((name: string) => Reason)>>

/**
 * Refuses JSON that two parsers could read differently (a repeated member, half a surrogate pair) or that costs too
 * much to parse. Takes time linear in the length of the text.
 */
export const parseJson = (text: string): Result<unknown, Reason> => {
  const shape = measure(text)
  if (!shape.ok) return shape
  const value = parseJsonOrNothing(text)
  if (value === undefined) return err(jsonProblems.invalid)
  if (countNames(value) < shape.value.names) return err(duplicateProblem(text) ?? jsonProblems.invalid)
  return SURROGATE_ESCAPE.test(text) && hasLoneSurrogate(text) ? err(jsonProblems.surrogate) : ok(value)
}

/** Enough for the longest envelope, a list of credentials. */
const MAX_LENGTH = 1024 * 1024

/** Undefined also if parsing it would block other requests too long. */
export const parseForeignJson = (text: string): unknown =>
  text.length <= MAX_LENGTH && measure(text).ok ? parseJsonOrNothing(text) : undefined

/** Counts outside of strings, before parsing. In valid JSON each colon follows a name. */
const measure = (text: string): Result<{ readonly names: number }, Reason> => {
  const members = new Uint32Array(MAX_LEVELS + 1)
  let names = 0
  let values = 0
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case BYTE.quote:
        i = endOfString(text, i)
        break
      case BYTE.openBrace:
      case BYTE.openBracket:
        if (++depth > MAX_LEVELS) return err(jsonProblems.deep)
        members[depth] = 0
        break
      case BYTE.closeBrace:
      case BYTE.closeBracket:
        if (depth > 0) depth--
        break
      case BYTE.colon:
        names++
        members[depth] = (members[depth] ?? 0) + 1
        if ((members[depth] ?? 0) > MAX_MEMBERS) return err(jsonProblems.wide)
        break
      case BYTE.comma:
        if (++values > MAX_VALUES) return err(jsonProblems.many)
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

/** Expects valid JSON. Names are compared as values: `"a"` and `"\u0061"` are the same. */
const duplicateProblem = (text: string): Reason | undefined => {
  const open: (Set<string> | undefined)[] = []
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === BYTE.openBrace) open.push(new Set())
    else if (code === BYTE.openBracket) open.push(undefined)
    else if (code === BYTE.closeBrace || code === BYTE.closeBracket) open.pop()
    else if (code === BYTE.quote) {
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
  while (i < text.length && text.charCodeAt(i) !== BYTE.quote) i += text.charCodeAt(i) === BYTE.backslash ? 2 : 1
  return i
}

/** In an object, a string is a name if a colon follows. */
const isName = (text: string, end: number): boolean => {
  let i = end + 1
  while (text.charCodeAt(i) <= 32) i++
  return text.charCodeAt(i) === BYTE.colon
}

/** Surrogates come only from escapes: UTF-8 has none. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/

const hasLoneSurrogate = (text: string): boolean => {
  let lone = false
  JSON.parse(text, (key, value: unknown) => {
    if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) lone = true
    return value
  })
  return lone
}

export const BYTE = {
  quote: 34,
  comma: 44,
  colon: 58,
  openBracket: 91,
  backslash: 92,
  closeBracket: 93,
  openBrace: 123,
  closeBrace: 125,
} as const

/** 41501 takes precedence over 40001. */
export const parseJsonBody = (headers: readonly HeaderPair[], body: Bytes): Result<JsonObject, Refusal> => {
  const refusal = headProblem(headers, body)
  if (refusal !== undefined) return err(refusal)
  const text = fromUtf8(body)
  return text === undefined ? malformed(jsonProblems.utf8) : objectIn(parseJson(text))
}

/** Does not block other requests during a body of many megabytes. */
export const parseLargeJsonBody = async (
  headers: readonly HeaderPair[],
  body: Bytes,
): Promise<Result<JsonObject, Refusal>> => {
  const refusal = headProblem(headers, body)
  return refusal === undefined ? objectIn(await runInSlices(parseJsonSteps(body))) : err(refusal)
}

const headProblem = (headers: readonly HeaderPair[], body: Bytes): Refusal | undefined => {
  const type = findHeader(headers, 'content-type')
  const wrong = type === 'application/json' ? undefined : contentTypeProblem(type)
  if (wrong !== undefined) return refuse('not_json', wrong)
  if (body.length === 0) return refuse('malformed_json', { code: 'body_empty' })
  const [first, second, third] = body
  const marked = first === 0xef && second === 0xbb && third === 0xbf
  return marked ? refuse('malformed_json', { code: 'byte_order_mark' }) : undefined
}

const objectIn = (parsed: Result<unknown, Reason>): Result<JsonObject, Refusal> => {
  if (!parsed.ok) return malformed(parsed.error)
  const { value } = parsed
  if (isObject(value)) return ok(value)
  const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
  return malformed({ code: 'json_is', params: { type } })
}

const malformed = (reason: Reason): Result<never, Refusal> => err(refuse('malformed_json', reason))

const contentTypeProblem = (type: string | undefined): Reason | undefined => {
  if (type === undefined) return { code: 'content_type_missing' }
  const [essence = '', ...parameters] = type.split(';').map((part) => part.trim().toLowerCase())
  if (essence !== 'application/json') return got(essence)
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  return charset === undefined || /^charset="?utf-?8"?$/.test(charset) ? undefined : got(charset)
}

const got = (text: string): Reason => ({ code: 'got', params: { got: JSON.stringify(text.slice(0, 100)) } })

/** Members are parsed together until their text is this long. */
const BATCH = 64 * 1024

/** An array or object whose end has not been read yet. */
type Open = {
  readonly isList: boolean
  readonly start: number
  /** `from`: where the unparsed text begins. `member`: where the member being read begins. */
  from: number
  member: number
  /** Undefined as long as the whole value may still be parsed in one piece. */
  value: Value | undefined
  /** True if the last member was added to the value already: only a comma or the end may follow. */
  afterChild: boolean
  names: number
}

type Value = unknown[] | Record<string, unknown>

/**
 * Like parseJson, but in steps, over UTF-8 octets. Long values are parsed in batches of members, so that no step takes
 * more than a batch or one string.
 */
export function* parseJsonSteps(bytes: Uint8Array, batch: number = BATCH): SlicedWork<Result<unknown, Reason>> {
  const open: Open[] = []
  let root: Value | undefined
  let rootEnd = 0
  let values = 0
  let mark = batch
  for (let i = 0; i < bytes.length; i++) {
    if (i >= mark) {
      yield i - mark + batch
      mark = i + batch
    }
    const top = open.at(-1)
    switch (bytes[i]) {
      case BYTE.quote:
        i = endOfOctets(bytes, i)
        break
      case BYTE.openBrace:
      case BYTE.openBracket:
        if (open.length === MAX_LEVELS) return err(jsonProblems.deep)
        open.push(openAt(i, bytes[i] === BYTE.openBracket))
        break
      case BYTE.colon:
        if (top !== undefined && ++top.names > MAX_MEMBERS) return err(jsonProblems.wide)
        break
      case BYTE.comma: {
        if (++values > MAX_VALUES) return err(jsonProblems.many)
        if (top === undefined) return err(jsonProblems.invalid)
        if (top.afterChild || i - top.from >= batch) {
          const problem = giveValues(bytes, open) ?? parseMembers(bytes, top, i)
          if (problem !== undefined) return err(problem)
          top.from = i + 1
        }
        top.member = i + 1
        break
      }
      case BYTE.closeBrace:
      case BYTE.closeBracket: {
        if (top === undefined) return err(jsonProblems.invalid)
        open.pop()
        if (top.value === undefined) break
        const matches = top.isList === (bytes[i] === BYTE.closeBracket)
        const problem = matches ? parseMembers(bytes, top, i) : jsonProblems.invalid
        if (problem !== undefined) return err(problem)
        const around = open.at(-1)
        if (around !== undefined) {
          around.from = i + 1
          around.afterChild = true
        } else if (root === undefined) {
          root = top.value
          rootEnd = i + 1
        }
        break
      }
    }
  }
  if (root !== undefined) return isBlank(bytes, rootEnd, bytes.length) ? ok(root) : err(jsonProblems.invalid)
  if (open.some(({ value }) => value !== undefined)) return err(jsonProblems.invalid)
  const text = fromUtf8(bytes)
  return text === undefined ? err(jsonProblems.utf8) : parseJson(text)
}

const openAt = (start: number, isList: boolean): Open => ({
  isList,
  start,
  from: start + 1,
  member: start + 1,
  value: undefined,
  afterChild: false,
  names: 0,
})

const giveValues = (bytes: Uint8Array, open: readonly Open[]): Reason | undefined => {
  for (const [depth, one] of open.entries()) {
    if (one.value !== undefined) continue
    one.value = one.isList ? [] : {}
    const around = open[depth - 1]
    const problem =
      around === undefined
        ? isBlank(bytes, 0, one.start)
          ? undefined
          : jsonProblems.invalid
        : putChild(bytes, around, one.value, one.start)
    if (problem !== undefined) return problem
  }
  return undefined
}

const putChild = (bytes: Uint8Array, around: Open, child: Value, start: number): Reason | undefined => {
  if (around.afterChild) return jsonProblems.invalid
  if (around.member > around.from) {
    const problem = parseMembers(bytes, around, around.member - 1)
    if (problem !== undefined) return problem
  }
  if (around.isList) {
    if (!isBlank(bytes, around.member, start)) return jsonProblems.invalid
    ;(around.value as unknown[]).push(child)
    return undefined
  }
  // Parses the name with an empty list in place of the child.
  const text = fromUtf8(bytes.subarray(around.member, start))
  if (text === undefined) return jsonProblems.utf8
  const member = parseJson(`{${text}[]}`)
  if (!member.ok) return member.error
  return putMembers(around, Object.fromEntries(Object.keys(member.value as object).map((name) => [name, child])))
}

const parseMembers = (bytes: Uint8Array, one: Open, until: number): Reason | undefined => {
  if (one.afterChild) {
    one.afterChild = false
    return isBlank(bytes, one.from, until) ? undefined : jsonProblems.invalid
  }
  // A comma must be followed by a member.
  if (isBlank(bytes, one.from, until)) return jsonProblems.invalid
  const text = fromUtf8(bytes.subarray(one.from, until))
  if (text === undefined) return jsonProblems.utf8
  const members = parseJson(one.isList ? `[${text}]` : `{${text}}`)
  return members.ok ? putMembers(one, members.value as Value) : members.error
}

const putMembers = ({ value }: Open, members: Value): Reason | undefined => {
  if (Array.isArray(value)) {
    for (const member of members as unknown[]) value.push(member)
    return undefined
  }
  for (const [name, member] of Object.entries(members)) {
    if (value === undefined || Object.hasOwn(value, name)) return jsonProblems.twice(name)
    // Assigning to `__proto__` would not create a member.
    Object.defineProperty(value, name, { value: member, configurable: true, enumerable: true, writable: true })
  }
  return undefined
}

const endOfOctets = (bytes: Uint8Array, start: number): number => {
  for (let end = bytes.indexOf(BYTE.quote, start + 1); end >= 0; end = bytes.indexOf(BYTE.quote, end + 1)) {
    let before = end
    while (bytes[before - 1] === BYTE.backslash) before--
    if ((end - before) % 2 === 0) return end
  }
  return bytes.length
}

const isBlank = (bytes: Uint8Array, from: number, until: number): boolean => {
  for (let i = from; i < until; i++) {
    const code = bytes[i]
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return false
  }
  return true
}
