import type { ReadingFault } from '../contract/judge/evidence.ts'
import type { FailureWord } from '../contract/judge/failure-words.ts'
import type { Place } from '../contract/judge/verdict.ts'
import type { RelaxedRules } from '../contract/profile.ts'
import { type Bytes, fromUtf8 } from '../protocol/bytes.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { Finding } from './check-list.ts'

export type Range = { readonly start: number; readonly end: number }

export type CborInteger = Range & { readonly type: 'integer'; readonly value: number | bigint }
export type CborBytes = Range & { readonly type: 'bytes'; readonly value: Bytes }
export type CborText = Range & { readonly type: 'text'; readonly value: string }
export type CborArray = Range & { readonly type: 'array'; readonly items: readonly CborItem[] }
export type CborMap = Range & { readonly type: 'map'; readonly entries: readonly CborEntry[] }
export type CborEntry = { readonly key: CborItem; readonly value: CborItem }
export type CborTag = Range & { readonly type: 'tag'; readonly tag: number | bigint; readonly item: CborItem }
export type CborSimple = Range & { readonly type: 'simple'; readonly value: boolean | null | undefined | number }
export type CborFloat = Range & { readonly type: 'float'; readonly value: number }
export type CborItem = CborInteger | CborBytes | CborText | CborArray | CborMap | CborTag | CborSimple | CborFloat

/** Forbidden by CTAP2's canonical form, though readable. */
type Irregularity = Range & { readonly word: FailureWord }

export type CborDecoded = Range & { readonly item: CborItem; readonly irregularities: readonly Irregularity[] }

const MAX_DEPTH = 16
const MAX_ITEMS = 4096

/** The caller handles the bytes after the item. */
export const decodeCbor = (bytes: Bytes, start = 0): Result<CborDecoded, { fault: ReadingFault; offset: number }> => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const irregularities: Irregularity[] = []
  let offset = start
  let items = 0
  let fault: ReadingFault | undefined

  const stop = (why: ReadingFault): undefined => {
    fault ??= why
    return undefined
  }

  /** The argument of a head (RFC 8949 §3): a value, a length or a count. */
  const argument = (info: number, head: number): number | bigint | undefined => {
    if (info < 24) return info
    if (info > 27) return stop(info === 31 ? 'indefinite_length' : 'reserved_value')
    const size = (1 << (info - 24)) as 1 | 2 | 4 | 8
    if (offset + size > bytes.length) return stop('truncated')
    const value = view[READ[size]](offset)
    offset += size
    if (value < SHORTEST[size]) {
      irregularities.push({ word: 'cbor_not_minimal', start: head, end: offset })
    }
    return typeof value === 'bigint' && value <= MAX_SAFE ? Number(value) : value
  }

  const content = (length: number | bigint): Bytes | undefined => {
    if (length > bytes.length - offset) return stop('truncated')
    const part = bytes.subarray(offset, offset + Number(length))
    offset += part.length
    return part
  }

  const item = (depth: number): CborItem | undefined => {
    if (depth > MAX_DEPTH) return stop('too_deep')
    if (++items > MAX_ITEMS) return stop('too_many_items')
    const initial = bytes[offset]
    if (initial === undefined) return stop('truncated')
    const from = offset++
    const major = initial >> 5
    const info = initial & 31
    if (major === 7) return simpleOrFloat(from, info)
    const value = argument(info, from)
    if (value === undefined) return undefined
    switch (major) {
      case 0:
        return { type: 'integer', value, start: from, end: offset }
      case 1: {
        const negative = -1n - BigInt(value)
        return { type: 'integer', value: negative >= -MAX_SAFE ? Number(negative) : negative, start: from, end: offset }
      }
      case 2: {
        const octets = content(value)
        return octets && { type: 'bytes', value: octets, start: from, end: offset }
      }
      case 3: {
        const octets = content(value)
        if (octets === undefined) return undefined
        const text = fromUtf8(octets)
        return text === undefined ? stop('text_not_utf8') : { type: 'text', value: text, start: from, end: offset }
      }
      case 4:
        return array(from, value, depth)
      case 5:
        return map(from, value, depth)
      default: {
        const inner = item(depth + 1)
        if (inner === undefined) return undefined
        irregularities.push({ word: 'cbor_tag_present', start: from, end: offset })
        return { type: 'tag', tag: value, item: inner, start: from, end: offset }
      }
    }
  }

  const array = (from: number, count: number | bigint, depth: number): CborItem | undefined => {
    if (count > bytes.length - offset) return stop('truncated')
    const elements: CborItem[] = []
    while (elements.length < count) {
      const element = item(depth + 1)
      if (element === undefined) return undefined
      elements.push(element)
    }
    return { type: 'array', items: elements, start: from, end: offset }
  }

  const map = (from: number, count: number | bigint, depth: number): CborItem | undefined => {
    if (count > (bytes.length - offset) / 2) return stop('truncated')
    const entries: CborEntry[] = []
    const seen = new Set<string>()
    while (entries.length < count) {
      const key = item(depth + 1)
      if (key === undefined) return undefined
      const value = item(depth + 1)
      if (value === undefined) return undefined
      const previous = entries.at(-1)?.key
      const name = identityOf(key, bytes)
      if (seen.has(name)) irregularities.push({ word: 'cbor_duplicate_key', start: key.start, end: key.end })
      else if (previous && compareKeys(bytes, previous, key) > 0) {
        irregularities.push({ word: 'cbor_keys_unordered', start: key.start, end: key.end })
      }
      seen.add(name)
      entries.push({ key, value })
    }
    return { type: 'map', entries, start: from, end: offset }
  }

  const unassigned = (from: number, value: number): CborItem => {
    irregularities.push({ word: 'cbor_value_unassigned', start: from, end: offset })
    return { type: 'simple', value, start: from, end: offset }
  }

  const simpleOrFloat = (from: number, info: number): CborItem | undefined => {
    if (info < 20) return unassigned(from, info)
    if (info < 24) return { type: 'simple', value: SIMPLE[info - 20], start: from, end: offset }
    if (info === 24) {
      const value = bytes[offset]
      if (value === undefined) return stop('truncated')
      offset++
      // RFC 8949 §3.3: a two-byte simple value below 32 is not well-formed.
      return value < 32 ? stop('reserved_value') : unassigned(from, value)
    }
    if (info > 27) return stop(info === 31 ? 'indefinite_length' : 'reserved_value')
    const size = 1 << (info - 24)
    if (offset + size > bytes.length) return stop('truncated')
    const value =
      size === 2 ? half(view.getUint16(offset)) : size === 4 ? view.getFloat32(offset) : view.getFloat64(offset)
    offset += size
    return { type: 'float', value, start: from, end: offset }
  }

  const decoded = item(1)
  if (decoded === undefined) return err({ fault: fault ?? 'truncated', offset })
  return ok({ item: decoded, irregularities, start, end: decoded.end })
}

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER)
const READ = { 1: 'getUint8', 2: 'getUint16', 4: 'getUint32', 8: 'getBigUint64' } as const
const SHORTEST = { 1: 24, 2: 0x100, 4: 0x1_0000, 8: 0x1_0000_0000 } as const
const SIMPLE = [false, true, null, undefined] as const

const half = (bits: number): number => {
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  const sign = bits & 0x8000 ? -1 : 1
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25))
}

/** Keys with the same value are duplicates, however they are encoded. */
const identityOf = (key: CborItem, bytes: Bytes): string =>
  key.type === 'integer' || key.type === 'text'
    ? `${key.type} ${key.value}`
    : `${key.type} ${bytes.subarray(key.start, key.end).join()}`

/** CTAP2 §8: the lower major type first, then the shorter key, then byte order. */
const compareKeys = (bytes: Bytes, a: Range, b: Range): number => {
  const byMajor = ((bytes[a.start] ?? 0) >> 5) - ((bytes[b.start] ?? 0) >> 5)
  if (byMajor !== 0) return byMajor
  const length = a.end - a.start
  if (length !== b.end - b.start) return length - (b.end - b.start)
  for (let i = 0; i < length; i++) {
    const order = (bytes[a.start + i] ?? 0) - (bytes[b.start + i] ?? 0)
    if (order !== 0) return order
  }
  return 0
}

/** The first entry with this key. */
export const findEntry = (map: CborMap, key: number | string): CborItem | undefined =>
  map.entries.find((entry) => (entry.key.type === 'integer' || entry.key.type === 'text') && entry.key.value === key)
    ?.value

const FAULTS: Readonly<Partial<Record<ReadingFault, FailureWord>>> = {
  indefinite_length: 'cbor_indefinite_length',
  too_deep: 'cbor_too_deep',
  too_many_items: 'cbor_too_many_items',
}

/** A fault without its own word gets that of `whole`. */
export const cborFaultFinding = (
  problem: { readonly fault: ReadingFault; readonly offset: number },
  whole: { readonly word: FailureWord; readonly part: Place['part'] },
): Finding => ({
  word: FAULTS[problem.fault] ?? whole.word,
  received: { code: 'fault_at', params: { fault: problem.fault, byte: problem.offset } },
  at: { part: whole.part, start: problem.offset, end: problem.offset + 1 },
})

/** A profile may relax the form and the order, but never that a key is there once. */
export const irregularityFindings = (
  { irregularities }: CborDecoded,
  { part, relaxed }: { readonly part: Place['part']; readonly relaxed: RelaxedRules },
): readonly Finding[] =>
  irregularities
    .filter(({ word }) => word === 'cbor_duplicate_key' || !relaxed.includes('non-canonical-cbor'))
    .map(({ word, start, end }) => ({ word, at: { part, start, end } }))
