import { toHex } from '../protocol/bytes.ts'

const MOST_BYTES = 64
const MOST_CHARACTERS = 200

/** Hex for people: whole when short, else the beginning and the length. */
export const showBytes = (bytes: Uint8Array): string =>
  bytes.length <= MOST_BYTES ? toHex(bytes) : `${toHex(bytes.subarray(0, MOST_BYTES))}… (${bytes.length} bytes)`

/** Any JSON value on one line, cut to a bearable length. */
export const showValue = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value) ?? typeof value
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}… (${text.length} characters)`
}
