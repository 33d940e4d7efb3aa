import { type Bytes, base64urlBytes, fromUtf8, toBase64url } from '../protocol/bytes.ts'
import { isObject, type JsonObject, parseJsonOrNothing } from '../protocol/json.ts'

/** RFC 4648 section 4, with padding: the encoding of x5c in JWS headers and of SafetyNet's nonce. */
export const toBase64 = (bytes: Uint8Array): string => {
  const text = toBase64url(bytes).replaceAll('-', '+').replaceAll('_', '/')
  return text + '='.repeat((4 - (text.length % 4)) % 4)
}

/** Strict: padded, and no other alphabet. */
export const fromBase64 = (text: string): Bytes | undefined => {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined
  return fromAnyBase64(text)
}

export const fromAnyBase64 = (text: string): Bytes | undefined =>
  base64urlBytes(text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''))

/** A JSON object in base64url, as the header of a JWS is. */
export const objectFromBase64url = (text: string): JsonObject | undefined => {
  const bytes = base64urlBytes(text)
  const value = bytes && parseJsonOrNothing(fromUtf8(bytes) ?? '')
  return isObject(value) ? value : undefined
}
