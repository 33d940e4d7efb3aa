import { type CoseAlgorithm, coordinateSize, findAlgorithm } from '../../src-main/core/judge/algorithms.ts'
import type { JudgeCrypto, SignatureCheck } from '../../src-main/core/judge/crypto-port.ts'
import { decodeDer, sequenceItems, unsignedBytes } from '../../src-main/core/judge/der.ts'
import type { SigningCrypto } from '../../src-main/core/judge/signing/draft.ts'
import { encodeSpki } from '../../src-main/core/judge/spki.ts'
import { type Bytes, latin1, octetString, toHex } from '../../src-main/core/protocol/bytes.ts'
import { err, ok, type Result } from '../../src-main/core/protocol/result.ts'

/** Browsers provide WebCrypto only on localhost or over HTTPS. */
export const HAS_WEB_CRYPTO = globalThis.crypto?.subtle !== undefined

/** The judge's crypto on WebCrypto, which lacks Ed448 and secp256k1. No browser supports ML-DSA in it yet. */
export const createWebCrypto = (subtle: SubtleCrypto | undefined): JudgeCrypto => ({
  digest: async (name, data) => {
    if (subtle !== undefined) return new Uint8Array(await subtle.digest(name, data))
    // Without WebCrypto, only SHA-256 is available, from our own implementation.
    return name === 'SHA-256' ? sha256(octetString(data)) : latin1('')
  },
  verify: async (check) => (subtle === undefined ? err('unsupported') : verifyWithWeb(subtle, check)),
})

const verifyWithWeb = async (subtle: SubtleCrypto, check: SignatureCheck): Promise<Result<boolean, 'unsupported'>> => {
  const { key, data, signature } = check
  const known = findAlgorithm(check.algorithm)
  const how = known?.kty === key.kty ? waysOf(known) : undefined
  if (known === undefined || how === undefined) return err('unsupported')
  const form = key.kty === 'EC2' ? sideBySide(signature, coordinateSize(key.crv)) : signature
  const named = key.kty === 'EC2' ? { ...how.key, namedCurve: key.crv } : how.key
  try {
    const imported = await subtle.importKey('spki', encodeSpki(key), named, false, ['verify'])
    return ok(form !== undefined && (await subtle.verify(how.signature, imported, form, data)))
  } catch (problem) {
    // Any other error means that the key is invalid, e.g. its point is not on the curve.
    return problem instanceof Error && problem.name === 'NotSupportedError' ? err('unsupported') : ok(false)
  }
}

type Ways = {
  readonly key: Algorithm & { readonly hash?: string; readonly namedCurve?: string }
  readonly signature: Algorithm & { readonly hash?: string; readonly saltLength?: number }
}

const SALT = { 'SHA-1': 20, 'SHA-256': 32, 'SHA-384': 48, 'SHA-512': 64 } as const

const waysOf = (known: CoseAlgorithm): Ways | undefined => {
  switch (known.kty) {
    case 'EC2':
      if (known.crv === 'secp256k1') return undefined
      return { key: { name: 'ECDSA' }, signature: { name: 'ECDSA', hash: known.hash } }
    case 'RSA': {
      const name = known.padding === 'pss' ? 'RSA-PSS' : 'RSASSA-PKCS1-v1_5'
      return { key: { name, hash: known.hash }, signature: { name, saltLength: SALT[known.hash] } }
    }
    case 'OKP':
      return known.crv === 'Ed25519' ? { key: { name: 'Ed25519' }, signature: { name: 'Ed25519' } } : undefined
    case 'AKP':
      return undefined
  }
}

/** Converts a DER signature of WebAuthn to the r‖s form of WebCrypto; undefined if it is not such DER. */
const sideBySide = (signature: Bytes, size: number): Bytes | undefined => {
  const der = decodeDer(signature)
  const parts = ((der.ok && sequenceItems(der.value)) || []).map(unsignedBytes)
  if (parts.length !== 2) return undefined
  const out = new Uint8Array(2 * size)
  for (const [i, part] of parts.entries()) {
    if (part === undefined || part.length > size) return undefined
    out.set(part, (i + 1) * size - part.length)
  }
  return out
}

const PRIMES = [
  2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109,
  113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193, 197, 199, 211, 223, 227, 229, 233, 239,
  241, 251, 257, 263, 269, 271, 277, 281, 283, 293, 307, 311,
] as const

/** FIPS 180-4 sections 4.2.2 and 5.3.3: the first 32 bits of the fractional part of a root. */
const fraction = (root: number): number => Math.floor((root - Math.floor(root)) * 2 ** 32) | 0
const K = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)))
const INITIAL = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))

const BLOCK = 64
const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by))
const words = new Int32Array(64)

/** FIPS 180-4 section 6.2.2. */
const compress = (state: Int32Array, bytes: Uint8Array, at: number): void => {
  const w = words
  const block = new DataView(bytes.buffer, bytes.byteOffset + at, BLOCK)
  for (let i = 0; i < 16; i++) w[i] = block.getInt32(i * 4)
  for (let i = 16; i < 64; i++) {
    const early = w[i - 15] ?? 0
    const late = w[i - 2] ?? 0
    const small = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)
    const large = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10)
    w[i] = ((w[i - 16] ?? 0) + small + (w[i - 7] ?? 0) + large) | 0
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g)
    const most = (a & b) ^ (a & c) ^ (b & c)
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + (K[i] ?? 0) + (w[i] ?? 0)) | 0
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + most) | 0
    h = g
    g = f
    f = e
    e = (d + one) | 0
    d = c
    c = b
    b = a
    a = (one + two) | 0
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = ((state[i] ?? 0) + word) | 0
}

const digest = (message: Uint8Array): Bytes => {
  const state = INITIAL.slice()
  const whole = message.length - (message.length % BLOCK)
  for (let at = 0; at < whole; at += BLOCK) compress(state, message, at)
  const rest = message.subarray(whole)
  const tail = new Uint8Array(rest.length < BLOCK - 8 ? BLOCK : 2 * BLOCK)
  tail.set(rest)
  tail[rest.length] = 0x80
  const view = new DataView(tail.buffer)
  view.setUint32(tail.length - 8, Math.floor(message.length / 2 ** 29))
  view.setUint32(tail.length - 4, message.length << 3)
  for (let at = 0; at < tail.length; at += BLOCK) compress(state, tail, at)
  const out = new Uint8Array(32)
  const written = new DataView(out.buffer)
  for (const [i, word] of state.entries()) written.setInt32(i * 4, word)
  return out
}

const sha256 = (octets: string): Bytes => digest(latin1(octets))

/** RFC 2104. */
const hmac = (key: Bytes, octets: string): Bytes => {
  const block = new Uint8Array(BLOCK)
  block.set(key.length > BLOCK ? digest(key) : key)
  const padded = (pad: number): string => octetString(block.map((byte) => byte ^ pad))
  return sha256(padded(0x5c) + octetString(sha256(padded(0x36) + octets)))
}

/** The explainer computes some 25,000 signatures in a row, for which asynchronous WebCrypto is too slow. */
export const pageSigningCrypto: SigningCrypto = {
  sha256,
  sha256Hex: (octets) => toHex(sha256(octets)),
  hmacSha256Hex: (key, octets) => toHex(hmac(key, octets)),
}

export const pageCrypto = createWebCrypto(globalThis.crypto?.subtle)
