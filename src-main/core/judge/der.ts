import type { ReadingFault } from '../contract/judge/evidence.ts'
import { type Bytes, fromUtf8 } from '../protocol/bytes.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { type Millis, parseSvcDate } from '../protocol/time.ts'

export type DerNode = {
  readonly tagClass: 'universal' | 'application' | 'context' | 'private'
  readonly tag: number
  readonly constructed: boolean
  readonly content: Bytes
  /** The whole element, head included. */
  readonly bytes: Bytes
  readonly start: number
  readonly end: number
  readonly children: readonly DerNode[]
}

const MAX_DEPTH = 24
const MAX_ELEMENTS = 4096
const CLASSES = ['universal', 'application', 'context', 'private'] as const

/** X.690 §10: exactly one element in DER. */
export const decodeDer = (bytes: Bytes): Result<DerNode, { readonly fault: ReadingFault; readonly offset: number }> => {
  let offset = 0
  let elements = 0
  let fault: ReadingFault | undefined

  const stop = (why: ReadingFault): undefined => {
    fault ??= why
    return undefined
  }

  const highTag = (): number | undefined => {
    let tag = 0
    for (let i = 0; i < 4; i++) {
      const byte = bytes[offset++]
      if (byte === undefined) return stop('truncated')
      if (i === 0 && byte === 0x80) return stop('tag_not_minimal')
      tag = tag * 128 + (byte & 127)
      if (byte < 128) return tag < 31 ? stop('tag_not_minimal') : tag
    }
    return stop('tag_not_minimal')
  }

  const length = (): number | undefined => {
    const first = bytes[offset++]
    if (first === undefined) return stop('truncated')
    if (first < 128) return first
    if (first === 128) return stop('indefinite_length')
    const count = first - 128
    if (count > 4) return stop('truncated')
    let value = 0
    for (let i = 0; i < count; i++) {
      const byte = bytes[offset++]
      if (byte === undefined) return stop('truncated')
      value = value * 256 + byte
    }
    return value < 128 || value < 256 ** (count - 1) ? stop('length_not_minimal') : value
  }

  const element = (limit: number, depth: number): DerNode | undefined => {
    if (depth > MAX_DEPTH) return stop('too_deep')
    if (++elements > MAX_ELEMENTS) return stop('too_many_elements')
    const start = offset
    const first = bytes[offset++]
    if (first === undefined || start >= limit) return stop('truncated')
    const tag = (first & 31) === 31 ? highTag() : first & 31
    const size = tag === undefined ? undefined : length()
    if (tag === undefined || size === undefined) return undefined
    const contentStart = offset
    const end = contentStart + size
    if (end > limit) return stop('truncated')
    const constructed = (first & 0x20) !== 0
    const children: DerNode[] = []
    while (constructed && offset < end) {
      const child = element(end, depth + 1)
      if (child === undefined) return undefined
      children.push(child)
    }
    offset = end
    return {
      tagClass: CLASSES[(first >> 6) as 0 | 1 | 2 | 3],
      tag,
      constructed,
      content: bytes.subarray(contentStart, end),
      bytes: bytes.subarray(start, end),
      start,
      end,
      children,
    }
  }

  const root = element(bytes.length, 1)
  if (root !== undefined && root.end < bytes.length) stop('trailing_bytes')
  return root === undefined || fault !== undefined ? err({ fault: fault ?? 'truncated', offset }) : ok(root)
}

export const TAG = {
  boolean: 1,
  integer: 2,
  bitString: 3,
  octetString: 4,
  null: 5,
  oid: 6,
  enumerated: 10,
  utf8String: 12,
  sequence: 16,
  set: 17,
  printableString: 19,
  utcTime: 23,
  generalizedTime: 24,
} as const

export const isUniversal = (node: DerNode | undefined, tag: number): node is DerNode =>
  node !== undefined && node.tagClass === 'universal' && node.tag === tag

export const isContext = (node: DerNode | undefined, tag: number): node is DerNode =>
  node !== undefined && node.tagClass === 'context' && node.tag === tag

export const sequenceItems = (node: DerNode | undefined): readonly DerNode[] | undefined =>
  isUniversal(node, TAG.sequence) && node.constructed ? node.children : undefined

/** The octets of an INTEGER when they are in their shortest form (X.690 §8.3.2). */
export const integerBytes = (node: DerNode | undefined): Bytes | undefined =>
  isUniversal(node, TAG.integer) && !node.constructed && isShortestInteger(node.content) ? node.content : undefined

const isShortestInteger = ([first, second]: Bytes): boolean => {
  if (first === undefined) return false
  return second === undefined || !((first === 0 && second < 128) || (first === 255 && second >= 128))
}

/** A positive INTEGER without the zero octet that keeps it positive. */
export const unsignedBytes = (node: DerNode | undefined): Bytes | undefined => {
  const octets = integerBytes(node)
  if (octets === undefined || (octets[0] ?? 0) >= 128) return undefined
  return octets.length > 1 && octets[0] === 0 ? octets.subarray(1) : octets
}

/** An INTEGER that is no longer than four octets. */
export const smallInteger = (node: DerNode | undefined): number | undefined =>
  isUniversal(node, TAG.integer) && !node.constructed ? smallIntegerContent(node.content) : undefined

/** Like smallInteger, for the content of an INTEGER with an implicit tag. */
export const smallIntegerContent = (content: Bytes): number | undefined =>
  isShortestInteger(content) && content.length <= 4
    ? content.reduce((value, byte, i) => (i === 0 ? (byte << 24) >> 24 : value * 256 + byte), 0)
    : undefined

/** The octets of a BIT STRING of whole octets; `unused`: the most unused bits that it may claim. */
export const bitStringBytes = (node: DerNode | undefined, unused = 0): Bytes | undefined =>
  isUniversal(node, TAG.bitString) && !node.constructed && (node.content[0] ?? 8) <= unused
    ? node.content.subarray(1)
    : undefined

/** A BIT STRING of named bits, first bit highest; undefined if its unused bits violate X.690 §11.2. */
export const namedBits = (node: DerNode | undefined): Bytes | undefined => {
  if (!isUniversal(node, TAG.bitString) || node.constructed) return undefined
  const [unused, ...octets] = node.content
  if (unused === undefined || unused > 7 || (octets.length === 0 && unused > 0)) return undefined
  const stray = (octets.at(-1) ?? 0) & ((1 << unused) - 1)
  return stray === 0 ? node.content.subarray(1) : undefined
}

export const octetStringBytes = (node: DerNode | undefined): Bytes | undefined =>
  isUniversal(node, TAG.octetString) && !node.constructed ? node.content : undefined

export const booleanValue = (node: DerNode | undefined): boolean | undefined => {
  if (!isUniversal(node, TAG.boolean) || node.content.length !== 1) return undefined
  return node.content[0] === 0 ? false : node.content[0] === 255 ? true : undefined
}

/** Dotted decimal, or undefined when the octets are no object identifier (X.690 §8.19). */
export const oidText = (node: DerNode | undefined): string | undefined => {
  if (!isUniversal(node, TAG.oid) || node.constructed || node.content.length === 0) return undefined
  const arcs: number[] = []
  let arc = 0
  let fresh = true
  for (const byte of node.content) {
    if ((fresh && byte === 0x80) || arc > 2 ** 45) return undefined
    arc = arc * 128 + (byte & 127)
    fresh = byte < 128
    if (!fresh) continue
    if (arcs.length === 0) {
      const top = Math.min(Math.floor(arc / 40), 2)
      arcs.push(top, arc - top * 40)
    } else arcs.push(arc)
    arc = 0
  }
  return fresh ? arcs.join('.') : undefined
}

/** UTCTime or GeneralizedTime as RFC 5280 §4.1.2.5 narrows them: seconds, no fraction, Zulu. */
export const parseDerTime = (node: DerNode): Millis | undefined => {
  const text = fromUtf8(node.content) ?? ''
  if (isUniversal(node, TAG.generalizedTime)) return parseTime(text)
  if (!isUniversal(node, TAG.utcTime)) return undefined
  return parseTime(`${text >= '5' ? '19' : '20'}${text}`)
}

const parseTime = (text: string): Millis | undefined => {
  const time = parseSvcDate(`${text.slice(0, 8)}T${text.slice(8)}`)
  return time.ok ? time.value : undefined
}
