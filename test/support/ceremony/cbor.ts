import { type Bytes, concat, utf8 } from '../../../src-main/core/protocol/bytes.ts'

/** A test-only encoder that writes exactly what it is told: order, length of numbers and duplicates are the caller's. */
export type Cbor = number | string | boolean | null | Uint8Array | readonly Cbor[] | CborPairs | CborRaw

/** A map in the order of its pairs. */
export type CborPairs = { readonly pairs: readonly (readonly [Cbor, Cbor])[] }

/** Octets put in as they are. */
export type CborRaw = { readonly raw: Uint8Array }

export const map = (...pairs: readonly (readonly [Cbor, Cbor])[]): CborPairs => ({ pairs })
export const raw = (...octets: readonly number[]): CborRaw => ({ raw: Uint8Array.from(octets) })

export const cbor = (value: Cbor): Bytes => {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return concat(head(3, utf8(value).length), utf8(value))
  if (typeof value === 'boolean') return Uint8Array.of(value ? 0xf5 : 0xf4)
  if (value === null) return Uint8Array.of(0xf6)
  if (value instanceof Uint8Array) return concat(head(2, value.length), value)
  if (isArray(value)) return concat(head(4, value.length), ...value.map(cbor))
  if ('raw' in value) return concat(value.raw)
  return concat(head(5, value.pairs.length), ...value.pairs.flatMap(([key, entry]) => [cbor(key), cbor(entry)]))
}

const isArray = (value: unknown): value is readonly Cbor[] => Array.isArray(value)

/** The shortest head of a major type with this argument. */
export const head = (major: number, argument: number): Bytes => {
  const first = major << 5
  if (argument < 24) return Uint8Array.of(first | argument)
  if (argument < 0x100) return Uint8Array.of(first | 24, argument)
  if (argument < 0x1_0000) return Uint8Array.of(first | 25, argument >> 8, argument & 255)
  return Uint8Array.of(first | 26, argument >>> 24, (argument >> 16) & 255, (argument >> 8) & 255, argument & 255)
}
