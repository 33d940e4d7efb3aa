import type { PublicKey } from '../../core/judge/algorithms.ts'
import { decodeCbor } from '../../core/judge/cbor.ts'
import { decodeCertificate } from '../../core/judge/certificate.ts'
import { type CoseKey, decodeCoseKey } from '../../core/judge/cose-key.ts'
import { decodeSpki } from '../../core/judge/spki.ts'
import { type Bytes, concat, fromUtf8 } from '../../core/protocol/bytes.ts'
import { decodeText } from './decodings.ts'

export const coseKeyIn = (bytes: Bytes): CoseKey | undefined => {
  const item = decodeCbor(bytes)
  return item.ok ? decodeCoseKey(item.value.item).value : undefined
}

/** Converts a public key from any stored form to COSE. */
export const toCose = (bytes: Bytes | undefined): Bytes | undefined => {
  if (bytes === undefined || coseKeyIn(bytes) !== undefined) return bytes
  const key = decodePublicKey(bytes)
  return key === undefined ? undefined : encodeCose(key)
}

/** A public key in PEM, base64, hex or raw bytes; undefined if there is none. */
export const parsePublicKey = (input: Bytes): Bytes | undefined => {
  if (decodePublicKey(input) !== undefined) return input
  const text = fromUtf8(input)?.trim() ?? ''
  const body = /-----BEGIN (?:PUBLIC KEY|CERTIFICATE)-----([A-Za-z0-9+/=\s]*)-----END/.exec(text)?.[1] ?? text
  return decodeText(body).find(([, bytes]) => decodePublicKey(bytes) !== undefined)?.[1]
}

export const decodePublicKey = (bytes: Bytes): PublicKey | undefined => {
  const certificate = decodeCertificate(bytes)
  return coseKeyIn(bytes)?.key ?? decodeSpki(bytes) ?? (certificate.ok ? certificate.value.key : undefined)
}

/** The usual algorithm for each kind of key; for RSA, the one that all browsers support. */
const USUAL = {
  ...{ 'P-256': -7, 'P-384': -35, 'P-521': -36, secp256k1: -47 },
  ...{ Ed25519: -8, Ed448: -53, 'ML-DSA-44': -48, 'ML-DSA-65': -49, 'ML-DSA-87': -50 },
} as const

const CURVE_NUMBERS = { 'P-256': 1, 'P-384': 2, 'P-521': 3, secp256k1: 8, Ed25519: 6, Ed448: 7 } as const

type Member = readonly [label: number, value: number | Bytes]

/** Encodes a key as COSE (RFC 9053 section 7). */
export const encodeCose = (key: PublicKey): Bytes => {
  const members = membersOf(key)
  return concat(head(5, members.length), ...members.flatMap(([label, value]) => [written(label), written(value)]))
}

const membersOf = (key: PublicKey): readonly Member[] => {
  if (key.kty === 'EC2') return keyMembers(2, USUAL[key.crv], CURVE_NUMBERS[key.crv], key.x, key.y)
  if (key.kty === 'OKP') return keyMembers(1, USUAL[key.crv], CURVE_NUMBERS[key.crv], key.x)
  if (key.kty === 'RSA') return keyMembers(3, -257, key.n, key.e)
  return keyMembers(7, USUAL[key.name], key.pub)
}

/** The members that depend on `kty` have the labels -1, -2 and so on. */
const keyMembers = (kty: number, algorithm: number, ...own: readonly Member[1][]): readonly Member[] => [
  [1, kty],
  [3, algorithm],
  ...own.map((value, i): Member => [-1 - i, value]),
]

const written = (value: number | Bytes): Bytes => {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  return concat(head(2, value.length), value)
}

/** A CBOR head in the shortest form (RFC 8949 section 3). */
const head = (major: number, value: number): Bytes => {
  if (value < 24) return Uint8Array.of((major << 5) | value)
  return value < 256
    ? Uint8Array.of((major << 5) | 24, value)
    : Uint8Array.of((major << 5) | 25, value >> 8, value & 0xff)
}
