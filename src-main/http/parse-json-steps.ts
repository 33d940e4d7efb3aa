import type { Reason } from '../core/contract/errors.ts'
import { fromUtf8 } from '../core/protocol/bytes.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import type { Steps } from '../core/protocol/slices.ts'
import { byte, DEEPEST, jsonProblems, MOST_MEMBERS, MOST_VALUES, parseJson } from './parse-json.ts'

/** Members are parsed together until their text is this long. */
const BATCH = 64 * 1024

/** An array or object whose end has not been read yet. */
type Open = {
  readonly isList: boolean
  readonly start: number
  /** Where the text begins of what was not parsed yet, and of the member that is being read. */
  from: number
  member: number
  /** Undefined as long as all of it may yet be parsed in one piece. */
  value: Value | undefined
  /** The last member was put into the value already: only a comma or the end may follow. */
  afterChild: boolean
  names: number
}

type Value = unknown[] | Record<string, unknown>

/**
 * As parseJson, step by step, over the octets of UTF-8: what is long is parsed in batches of members, so that no step
 * takes more than a batch or one text.
 */
export function* parseJsonSteps(bytes: Uint8Array, batch: number = BATCH): Steps<Result<unknown, Reason>> {
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
      case byte.quote:
        i = endOfString(bytes, i)
        break
      case byte.openBrace:
      case byte.openBracket:
        if (open.length === DEEPEST) return err(jsonProblems.deep)
        open.push(opened(i, bytes[i] === byte.openBracket))
        break
      case byte.colon:
        if (top !== undefined && ++top.names > MOST_MEMBERS) return err(jsonProblems.wide)
        break
      case byte.comma: {
        if (++values > MOST_VALUES) return err(jsonProblems.many)
        if (top === undefined) return err(jsonProblems.invalid)
        if (top.afterChild || i - top.from >= batch) {
          const problem = giveValues(bytes, open) ?? parseMembers(bytes, top, i)
          if (problem !== undefined) return err(problem)
          top.from = i + 1
        }
        top.member = i + 1
        break
      }
      case byte.closeBrace:
      case byte.closeBracket: {
        if (top === undefined) return err(jsonProblems.invalid)
        open.pop()
        if (top.value === undefined) break
        const matches = top.isList === (bytes[i] === byte.closeBracket)
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

const opened = (start: number, isList: boolean): Open => ({
  isList,
  start,
  from: start + 1,
  member: start + 1,
  value: undefined,
  afterChild: false,
  names: 0,
})

/** Each that is open gets a value, inside the value of the one around it. */
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
  // An empty list in its place: the name is parsed as any other.
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
  // After a comma there is a member.
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
    // An assignment to `__proto__` would make no member.
    Object.defineProperty(value, name, { value: member, configurable: true, enumerable: true, writable: true })
  }
  return undefined
}

/** The closing quote, or past the end of invalid JSON. */
const endOfString = (bytes: Uint8Array, start: number): number => {
  for (let end = bytes.indexOf(byte.quote, start + 1); end >= 0; end = bytes.indexOf(byte.quote, end + 1)) {
    let before = end
    while (bytes[before - 1] === byte.backslash) before--
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
