// Not the package's own entry: that one loads a native decoder, which is not needed here.
import { Encoder } from 'cbor-x/encode'
import type { Bytes } from '../../core/protocol/bytes.ts'

/** The CBOR types of WebAuthn structures. Plain objects are missing on purpose: a map has explicit keys. */
export type CborValue =
  | number
  | string
  | boolean
  | Uint8Array
  | readonly CborValue[]
  | ReadonlyMap<number | string, CborValue>

export const cborMap = (members: Readonly<Record<string, CborValue>>): ReadonlyMap<string, CborValue> =>
  new Map(Object.entries(members))

const encoder = new Encoder({ useRecords: false, mapsAsObjects: false, tagUint8Array: false, variableMapSize: true })

const INTEGER_LIMIT = 2 ** 32
const NEGATIVE_LIMIT = -(2 ** 31)

// cbor-x reuses its write buffer, so this file returns copies.
const write = (value: unknown): Bytes => new Uint8Array(encoder.encode(value))

// CTAP 2.1 §8 sorts by major type, then length, then bytes. For encoded keys this is plain byte order.
const sortMap = (map: ReadonlyMap<unknown, unknown>): Map<unknown, unknown> => {
  const entries = [...map].map(([key, value]) => {
    if (typeof key !== 'number' && typeof key !== 'string') throw new Error('CBOR map keys are integers or text')
    return { key, encoded: write(prepare(key)), value: prepare(value) }
  })
  entries.sort((a, b) => Buffer.compare(a.encoded, b.encoded))
  return new Map(entries.map(({ key, value }) => [key, value]))
}

/** Accepts only values that cbor-x writes in CTAP2's canonical form; any other is a bug of the caller. */
const prepare = (value: unknown): unknown => {
  if (typeof value === 'number') {
    if (!Number.isInteger(value) || Object.is(value, -0)) throw new Error(`CBOR number ${value} is not an integer`)
    if (value >= INTEGER_LIMIT || value < NEGATIVE_LIMIT) throw new Error(`CBOR integer ${value} is out of range`)
    return value
  }
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new Error('CBOR text has a lone surrogate')
    return value
  }
  if (typeof value === 'boolean') return value
  // A plain view: cbor-x writes subclasses and other typed arrays with a tag.
  if (value instanceof Uint8Array) return new Uint8Array(value)
  if (Array.isArray(value)) return value.map(prepare)
  if (value instanceof Map) return sortMap(value)
  throw new Error(`CBOR has no canonical form here for ${Object.prototype.toString.call(value)}`)
}

/** CTAP2 canonical CBOR (CTAP 2.1 §8): shortest integers, definite lengths, ordered maps, no tags. */
export const encodeCanonicalCbor = (value: CborValue): Bytes => write(prepare(value))
