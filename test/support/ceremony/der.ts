import { type Bytes, concat, utf8 } from '../../../src-main/core/protocol/bytes.ts'

/** A test-only DER writer. */
export const tlv = (tag: number, ...content: readonly Uint8Array[]): Bytes => {
  const body = concat(...content)
  const { length } = body
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return concat(tag > 0xff ? highTag(tag) : Uint8Array.of(tag), Uint8Array.from(head), body)
}

/** Tags above 30, given as 0x10000 plus the number: context-specific and constructed. */
export const HIGH = 0x10000

const highTag = (tag: number): Bytes => {
  const number = tag - HIGH
  return number < 128 ? Uint8Array.of(0xbf, number) : Uint8Array.of(0xbf, 0x80 | (number >> 7), number & 127)
}

export const sequence = (...items: readonly Uint8Array[]): Bytes => tlv(0x30, ...items)
export const set = (...items: readonly Uint8Array[]): Bytes => tlv(0x31, ...items)
export const context = (tag: number, ...items: readonly Uint8Array[]): Bytes => tlv(0xa0 | tag, ...items)
export const octets = (value: Uint8Array): Bytes => tlv(0x04, value)
export const bits = (value: Uint8Array, unused = 0): Bytes => tlv(0x03, Uint8Array.of(unused), value)
export const text = (value: string): Bytes => tlv(0x0c, utf8(value))
export const bool = (value: boolean): Bytes => tlv(0x01, Uint8Array.of(value ? 255 : 0))
export const nothing: Bytes = tlv(0x05)

/** A small non-negative INTEGER. */
export const integer = (value: number): Bytes => {
  const octetsOf = value < 0x80 ? [value] : value < 0x8000 ? [value >> 8, value & 255] : [0, value >> 8, value & 255]
  return tlv(0x02, Uint8Array.from(octetsOf))
}

export const enumerated = (value: number): Bytes => tlv(0x0a, Uint8Array.of(value))

export const oid = (dotted: string): Bytes => {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const arcs = [first * 40 + second, ...rest]
  return tlv(0x06, Uint8Array.from(arcs.flatMap((arc) => base128(arc))))
}

const base128 = (arc: number): number[] => {
  const digits = [arc & 127]
  for (let rest = arc >>> 7; rest > 0; rest >>>= 7) digits.unshift((rest & 127) | 128)
  return digits
}

export const generalizedTime = (time: number): Bytes =>
  tlv(0x18, utf8(new Date(time).toISOString().replace(/[-:T]|\.000/g, '')))
