import { type Bytes, fromUtf8 } from '../protocol/bytes.ts'
import { isObject, parseJsonOrNothing } from '../protocol/json.ts'
import type { Decoded, Finding } from './check-list.ts'

export type ClientDataMember = {
  readonly name: string
  readonly value: unknown
  readonly start: number
  readonly end: number
}

export type ClientData = ReadonlyMap<string, ClientDataMember>

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const

/**
 * WebAuthn §7.1 steps 5 and 6. Deviation: invalid UTF-8 and duplicate members are refused. The specification replaces
 * the former and leaves the latter to the parser.
 */
export const decodeClientDataText = (bytes: Bytes): Decoded<{ readonly text: string; readonly offset: number }> => {
  const offset = BYTE_ORDER_MARK.every((byte, i) => bytes[i] === byte) ? BYTE_ORDER_MARK.length : 0
  const text = fromUtf8(bytes.subarray(offset))
  if (text !== undefined) return { value: { text, offset }, findings: [] }
  return { findings: [{ word: 'client_data_not_utf8', at: { part: 'clientDataJSON', start: 0, end: bytes.length } }] }
}

export const parseClientData = (bytes: Bytes, decoded: { text: string; offset: number }): Decoded<ClientData> => {
  const value = parseJsonOrNothing(decoded.text)
  if (!isObject(value)) {
    const at = { part: 'clientDataJSON', start: 0, end: bytes.length } as const
    return { findings: [{ word: 'malformed_client_data', at }] }
  }
  const members = new Map<string, ClientDataMember>()
  const findings: Finding[] = []
  for (const member of topLevelMembers(bytes, decoded)) {
    if (members.has(member.name)) {
      const at = { part: 'clientDataJSON', start: member.start, end: member.end } as const
      findings.push({ word: 'client_data_duplicate_member', received: member.name, at })
    } else members.set(member.name, member)
  }
  return { value: members, findings }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN = [0x7b, 0x5b]
const CLOSE = [0x7d, 0x5d]
const SPACE = [0x20, 0x09, 0x0a, 0x0d]

/** The members of a JSON object, duplicates included, with the ranges of their values: JSON.parse gives neither. */
const topLevelMembers = (
  bytes: Bytes,
  { text, offset }: { readonly text: string; readonly offset: number },
): readonly ClientDataMember[] => {
  const members: ClientDataMember[] = []
  // In plain ASCII, the usual case, each octet is a character, so no part has to be decoded again.
  const isPlain = text.length === bytes.length - offset
  const textAt = (start: number, end: number): string =>
    isPlain ? text.slice(start - offset, end - offset) : (fromUtf8(bytes.subarray(start, end)) ?? 'null')
  const readValue = (start: number, end: number): unknown => JSON.parse(textAt(start, end))
  const skipSpace = (from: number): number => {
    let at = from
    while (SPACE.includes(bytes[at] ?? 0)) at++
    return at
  }
  let at = skipSpace(skipSpace(offset) + 1)
  while (bytes[at] === QUOTE) {
    const nameEnd = stringEnd(bytes, at)
    const name = String(readValue(at, nameEnd))
    const start = skipSpace(skipSpace(nameEnd) + 1)
    const end = valueEnd(bytes, start)
    members.push({ name, value: readValue(start, end), start, end })
    const next = skipSpace(end)
    if (bytes[next] !== COMMA) break
    at = skipSpace(next + 1)
  }
  return members
}

const stringEnd = (bytes: Bytes, start: number): number => {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at + 1
}

const valueEnd = (bytes: Bytes, start: number): number => {
  let depth = 0
  let at = start
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) {
      at = stringEnd(bytes, at)
      continue
    }
    if (OPEN.includes(byte)) depth++
    else if (CLOSE.includes(byte) && depth-- === 0) break
    else if (depth === 0 && (byte === COMMA || SPACE.includes(byte))) break
    at++
  }
  return at
}
