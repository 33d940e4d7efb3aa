import { err, ok, type Result } from './result.ts'

/** Octets over an ordinary ArrayBuffer: accepted by WebCrypto, node:crypto and TextDecoder. */
export type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export const utf8 = (text: string): Bytes => encoder.encode(text)

/** Strict: malformed UTF-8 gives undefined, and a byte order mark is kept. */
export const fromUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return strictDecoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** The octets of a text that has one character for each octet, as on the wire. */
export const latin1 = (octets: string): Bytes => {
  const bytes = new Uint8Array(octets.length)
  for (let i = 0; i < octets.length; i++) bytes[i] = octets.charCodeAt(i)
  return bytes
}

/** The UTF-8 of a text, one character for each octet. */
export const utf8Octets = (text: string): string => (ASCII.test(text) ? text : octetString(utf8(text)))

/** The reverse of latin1. */
export const octetString = (bytes: Uint8Array): string => {
  let octets = ''
  for (const byte of bytes) octets += String.fromCharCode(byte)
  return octets
}

/** The reverse of utf8Octets; undefined if the octets are not UTF-8. */
export const fromUtf8Octets = (octets: string): string | undefined =>
  ASCII.test(octets) ? octets : fromUtf8(latin1(octets))

/** Like fromUtf8Octets, but for display: octets that are not UTF-8 are returned unchanged. */
export const decodeOctets = (octets: string): string => fromUtf8Octets(octets) ?? octets

const ASCII = /^[\0-\x7f]*$/

export const concat = (...parts: readonly Uint8Array[]): Bytes => concatAll(parts)

/** Like concat, for more parts than a call can have arguments. */
export const concatAll = (parts: readonly Uint8Array[]): Bytes => {
  let size = 0
  for (const part of parts) size += part.length
  const out = new Uint8Array(size)
  let offset = 0
  for (const part of parts) {
    out.set(part, offset)
    offset += part.length
  }
  return out
}

/** A whole number in two octets, most significant first. */
export const uint16 = (value: number): Bytes => Uint8Array.of(value >>> 8, value)
/** The same in four octets. */
export const uint32 = (value: number): Bytes => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value)

/** For public values only; secrets need a comparison in constant time. */
export const equalBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && !isDifferent(a, b)

const isDifferent = (a: Uint8Array, b: Uint8Array): boolean => {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return true
  return false
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

export const toHex = (bytes: Uint8Array): string => {
  let out = ''
  for (const byte of bytes) out += HEX[byte]
  return out
}

export const fromHex = (text: string): Result<Bytes, string> => {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) return err('expected an even number of hex digits')
  const out = new Uint8Array(text.length / 2)
  for (let i = 0; i < out.length; i++) out[i] = Number.parseInt(text.slice(i * 2, i * 2 + 2), 16)
  return ok(out)
}

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const BASE64URL_VALUE = new Int8Array(128).fill(-1)
for (let value = 0; value < BASE64URL.length; value++) BASE64URL_VALUE[BASE64URL.charCodeAt(value)] = value
/** Encodes twelve bits at a time, for speed: every request writes base64url. */
const BASE64URL_PAIRS = [...BASE64URL].flatMap((first) => [...BASE64URL].map((second) => first + second))

/** RFC 4648 section 5, without padding. */
export const toBase64url = (bytes: Uint8Array): string => {
  let out = ''
  const whole = bytes.length - (bytes.length % 3)
  for (let i = 0; i < whole; i += 3) {
    const group = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    out += (BASE64URL_PAIRS[group >> 12] ?? '') + (BASE64URL_PAIRS[group & 0xfff] ?? '')
  }
  if (whole === bytes.length) return out
  const group = ((bytes[whole] ?? 0) << 16) | ((bytes[whole + 1] ?? 0) << 8)
  out += BASE64URL_PAIRS[group >> 12] ?? ''
  return bytes.length - whole === 1 ? out : out + BASE64URL.charAt((group >> 6) & 63)
}

export type Base64urlFault =
  | { readonly fault: 'length' | 'last_bits' }
  | { readonly fault: 'character'; readonly at: number }

/** Strict: no padding, no other alphabet, and no bits left over, so that one value has one spelling. */
export const fromBase64url = (text: string): Result<Bytes, Base64urlFault> => {
  if (text.length % 4 === 1) return err({ fault: 'length' })
  const out = new Uint8Array(Math.floor((text.length * 3) / 4))
  let offset = 0
  let buffer = 0
  let bits = 0
  for (let i = 0; i < text.length; i++) {
    const value = BASE64URL_VALUE[text.charCodeAt(i)] ?? -1
    if (value < 0) return err({ fault: 'character', at: i })
    buffer = ((buffer << 6) | value) & 0xffff
    bits += 6
    if (bits >= 8) {
      bits -= 8
      out[offset++] = (buffer >> bits) & 0xff
    }
  }
  if ((buffer & ((1 << bits) - 1)) !== 0) return err({ fault: 'last_bits' })
  return ok(out)
}

/** For callers that do not need the fault, and values that may be no text. */
export const base64urlBytes = (value: unknown): Bytes | undefined => {
  const bytes = typeof value === 'string' ? fromBase64url(value) : undefined
  return bytes?.ok ? bytes.value : undefined
}
