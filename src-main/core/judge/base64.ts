import { type Bytes, fromBase64url, toBase64url } from '../protocol/bytes.ts'

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

export const fromAnyBase64 = (text: string): Bytes | undefined => {
  const bytes = fromBase64url(text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''))
  return bytes.ok ? bytes.value : undefined
}
