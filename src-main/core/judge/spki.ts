import { type Bytes, concat, equalBytes } from '../protocol/bytes.ts'
import { rememberByText } from '../protocol/remember.ts'
import { coordinateSize, type EcCurve, type MlDsa, type OkpCurve, type PublicKey } from './algorithms.ts'
import { bitStringBytes, decodeDer, isUniversal, oidText, sequenceItems, TAG, unsignedBytes } from './der.ts'

const EC_OID = '1.2.840.10045.2.1'
const RSA_OID = '1.2.840.113549.1.1.1'

const EC_CURVES = {
  'P-256': '1.2.840.10045.3.1.7',
  'P-384': '1.3.132.0.34',
  'P-521': '1.3.132.0.35',
  secp256k1: '1.3.132.0.10',
} as const satisfies Record<EcCurve, string>

const BARE_KEYS = {
  Ed25519: '1.3.101.112',
  Ed448: '1.3.101.113',
  'ML-DSA-44': '2.16.840.1.101.3.4.3.17',
  'ML-DSA-65': '2.16.840.1.101.3.4.3.18',
  'ML-DSA-87': '2.16.840.1.101.3.4.3.19',
} as const satisfies Record<OkpCurve | MlDsa, string>

/** SubjectPublicKeyInfo (RFC 5280 §4.1, RFC 5480, RFC 8410, RFC 9881): the form of getPublicKey() and of platforms. */
export const encodeSpki = (key: PublicKey): Bytes => {
  switch (key.kty) {
    case 'EC2':
      return spki(concat(oid(EC_OID), oid(EC_CURVES[key.crv])), concat(Uint8Array.of(4), key.x, key.y))
    case 'RSA':
      return spki(concat(oid(RSA_OID), tlv(TAG.null, new Uint8Array())), integerPair(key.n, key.e))
    case 'OKP':
      return spki(oid(BARE_KEYS[key.crv]), key.x)
    case 'AKP':
      return spki(oid(BARE_KEYS[key.name]), key.pub)
  }
}

/** Keys are the same if their encodings are. */
export const sameKey = (a: PublicKey, b: PublicKey): boolean => equalBytes(encodeSpki(a), encodeSpki(b))

export const decodeSpki = (bytes: Bytes): PublicKey | undefined => {
  const der = decodeDer(bytes)
  const [algorithm, subject, ...rest] = (der.ok && sequenceItems(der.value)) || []
  const [name, parameters, ...more] = sequenceItems(algorithm) ?? []
  const bits = bitStringBytes(subject)
  const type = oidText(name)
  if (bits === undefined || type === undefined || rest.length > 0 || more.length > 0) return undefined
  if (type === EC_OID) return decodeEc(oidText(parameters), bits)
  if (type === RSA_OID) return isUniversal(parameters, TAG.null) ? decodeRsa(bits) : undefined
  if (parameters !== undefined) return undefined
  const bare = (Object.keys(BARE_KEYS) as (keyof typeof BARE_KEYS)[]).find((key) => BARE_KEYS[key] === type)
  if (bare === undefined) return undefined
  if (bare === 'Ed25519' || bare === 'Ed448') return { kty: 'OKP', crv: bare, x: bits }
  return { kty: 'AKP', name: bare, pub: bits }
}

const decodeEc = (curve: string | undefined, point: Bytes): PublicKey | undefined => {
  const crv = (Object.keys(EC_CURVES) as EcCurve[]).find((name) => EC_CURVES[name] === curve)
  if (crv === undefined) return undefined
  const size = coordinateSize(crv)
  if (point[0] !== 4 || point.length !== 1 + 2 * size) return undefined
  return { kty: 'EC2', crv, x: point.subarray(1, 1 + size), y: point.subarray(1 + size) }
}

const decodeRsa = (bits: Bytes): PublicKey | undefined => {
  const der = decodeDer(bits)
  const [n, e, ...rest] = (der.ok && sequenceItems(der.value)) || []
  const [modulus, exponent] = [unsignedBytes(n), unsignedBytes(e)]
  if (modulus === undefined || exponent === undefined || rest.length > 0) return undefined
  return { kty: 'RSA', n: modulus, e: exponent }
}

const SEQUENCE = 0x30

const spki = (algorithm: Bytes, key: Bytes): Bytes =>
  tlv(SEQUENCE, concat(tlv(SEQUENCE, algorithm), tlv(TAG.bitString, concat(Uint8Array.of(0), key))))

const tlv = (tag: number, content: Bytes): Bytes => {
  const { length } = content
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return concat(Uint8Array.of(tag, ...head), content)
}

/** The form of an RSA key and of an ECDSA signature. */
export const integerPair = (one: Bytes, other: Bytes): Bytes => tlv(SEQUENCE, concat(positive(one), positive(other)))

const positive = (octets: Bytes): Bytes =>
  tlv(TAG.integer, (octets[0] ?? 0) >= 0x80 ? concat(Uint8Array.of(0), octets) : octets)

const oid = rememberByText((dotted: string): Bytes => {
  const [first = 0, second = 0, ...arcs] = dotted.split('.').map(Number)
  return tlv(TAG.oid, Uint8Array.from([first * 40 + second, ...arcs].flatMap(base128)))
})

const base128 = (arc: number): number[] => {
  const digits = [arc % 128]
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift((rest % 128) + 128)
  return digits
}
