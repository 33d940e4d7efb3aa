import { type Bytes, concat, uint32, utf8 } from '../../core/protocol/bytes.ts'
import type { Millis } from '../../core/protocol/time.ts'

const base128 = (value: number): number[] => {
  const groups = [value & 0x7f]
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) groups.unshift((rest & 0x7f) | 0x80)
  return groups
}

const lengthOctets = (length: number): number[] => {
  if (length < 0x80) return [length]
  const octets: number[] = []
  for (let rest = length; rest > 0; rest >>>= 8) octets.unshift(rest & 0xff)
  return [0x80 | octets.length, ...octets]
}

const element = (tag: readonly number[], content: Uint8Array): Bytes =>
  concat(Uint8Array.from([...tag, ...lengthOctets(content.length)]), content)

export const sequence = (...parts: readonly Uint8Array[]): Bytes => element([0x30], concat(...parts))
/** SET OF, with its elements sorted as DER requires (X.690 §11.6). */
export const set = (...parts: readonly Uint8Array[]): Bytes =>
  element([0x31], concat(...[...parts].sort((a, b) => Buffer.compare(a, b))))
export const octetString = (content: Uint8Array): Bytes => element([0x04], content)
export const printableString = (text: string): Bytes => element([0x13], utf8(text))
export const utf8String = (text: string): Bytes => element([0x0c], utf8(text))
/** UTF-16, most significant octet first, as Windows' certificate services write texts. */
export const bmpString = (text: string): Bytes => element([0x1e], Buffer.from(text, 'utf16le').swap16())
export const nullValue: Bytes = element([0x05], new Uint8Array(0))
export const boolean = (value: boolean): Bytes => element([0x01], Uint8Array.of(value ? 0xff : 0))
export const bitString = (content: Uint8Array, unusedBits = 0): Bytes =>
  element([0x03], concat(Uint8Array.of(unusedBits), content))

/** Eight octets, most significant first, of a time or a duration; a negative one becomes zero. */
export const uint64 = (millis: Millis): Bytes => {
  const octets = new Uint8Array(8)
  new DataView(octets.buffer).setBigUint64(0, BigInt(Math.max(0, Math.floor(millis))))
  return octets
}

/** A non-negative INTEGER from its octets, most significant first. */
export const integer = (value: number | Uint8Array): Bytes => {
  const octets = typeof value === 'number' ? uint32(value) : value
  const first = octets.findIndex((octet) => octet !== 0)
  const digits = first < 0 ? Uint8Array.of(0) : octets.subarray(first)
  return element([0x02], (digits[0] ?? 0) > 0x7f ? concat(Uint8Array.of(0), digits) : digits)
}

export const enumerated = (value: number): Bytes => element([0x0a], Uint8Array.of(value))

export const objectIdentifier = (dotted: string): Bytes => {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return element([0x06], Uint8Array.from([first * 40 + second, ...rest].flatMap(base128)))
}

const contextTag = (number: number, form: number): number[] =>
  number < 31 ? [0x80 | form | number] : [0x80 | form | 31, ...base128(number)]

type Fields = Readonly<Record<string, (value: never) => Bytes>>
type Draft<F extends Fields> = { readonly [Name in keyof F]: Parameters<F[Name]>[0] }

/** Makes the encoder of a structure: its fields in this order, joined. */
export const structure =
  <F extends Fields>(join: (...parts: readonly Bytes[]) => Bytes, fields: F) =>
  (draft: Draft<F>): Bytes =>
    join(...Object.entries(fields).map(([name, encode]) => encode(draft[name as keyof F] as never)))

/** [number] EXPLICIT, or a constructed [number] IMPLICIT around its parts. */
export const tagged = (number: number, ...parts: readonly Uint8Array[]): Bytes =>
  element(contextTag(number, 0x20), concat(...parts))

/** [number] IMPLICIT over a primitive type. */
export const taggedPrimitive = (number: number, content: Uint8Array): Bytes => element(contextTag(number, 0), content)

// RFC 5280 §4.1.2.5: UTCTime through 2049, GeneralizedTime from 2050.
export const time = (millis: Millis): Bytes => {
  const digits = new Date(millis).toISOString().replace(/\.\d{3}|[-T:]/g, '')
  const short = digits >= '1950' && digits < '2050'
  return element([short ? 0x17 : 0x18], utf8(short ? digits.slice(2) : digits))
}
