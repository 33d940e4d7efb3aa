import { type Bytes, toHex } from '../protocol/bytes.ts'

export type HashName = 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512'
export type EcCurve = 'P-256' | 'P-384' | 'P-521' | 'secp256k1'
export type OkpCurve = 'Ed25519' | 'Ed448'
export type MlDsa = 'ML-DSA-44' | 'ML-DSA-65' | 'ML-DSA-87'

/** The meaning of a COSE algorithm number (IANA COSE Algorithms, narrowed by WebAuthn §5.8.5). */
export type CoseAlgorithm =
  | { readonly name: string; readonly kty: 'EC2'; readonly crv: EcCurve; readonly hash: HashName }
  | { readonly name: string; readonly kty: 'OKP'; readonly crv: OkpCurve }
  | { readonly name: string; readonly kty: 'RSA'; readonly padding: 'pkcs1' | 'pss'; readonly hash: HashName }
  | { readonly name: MlDsa; readonly kty: 'AKP'; readonly keyLength: number; readonly signatureLength: number }

const ALGORITHMS = {
  '-7': { name: 'ES256', kty: 'EC2', crv: 'P-256', hash: 'SHA-256' },
  '-35': { name: 'ES384', kty: 'EC2', crv: 'P-384', hash: 'SHA-384' },
  '-36': { name: 'ES512', kty: 'EC2', crv: 'P-521', hash: 'SHA-512' },
  '-47': { name: 'ES256K', kty: 'EC2', crv: 'secp256k1', hash: 'SHA-256' },
  '-9': { name: 'ESP256', kty: 'EC2', crv: 'P-256', hash: 'SHA-256' },
  '-51': { name: 'ESP384', kty: 'EC2', crv: 'P-384', hash: 'SHA-384' },
  '-52': { name: 'ESP512', kty: 'EC2', crv: 'P-521', hash: 'SHA-512' },
  '-8': { name: 'EdDSA', kty: 'OKP', crv: 'Ed25519' },
  '-19': { name: 'Ed25519', kty: 'OKP', crv: 'Ed25519' },
  '-53': { name: 'Ed448', kty: 'OKP', crv: 'Ed448' },
  '-257': { name: 'RS256', kty: 'RSA', padding: 'pkcs1', hash: 'SHA-256' },
  '-258': { name: 'RS384', kty: 'RSA', padding: 'pkcs1', hash: 'SHA-384' },
  '-259': { name: 'RS512', kty: 'RSA', padding: 'pkcs1', hash: 'SHA-512' },
  '-37': { name: 'PS256', kty: 'RSA', padding: 'pss', hash: 'SHA-256' },
  '-38': { name: 'PS384', kty: 'RSA', padding: 'pss', hash: 'SHA-384' },
  '-39': { name: 'PS512', kty: 'RSA', padding: 'pss', hash: 'SHA-512' },
  '-65535': { name: 'RS1', kty: 'RSA', padding: 'pkcs1', hash: 'SHA-1' },
  '-48': { name: 'ML-DSA-44', kty: 'AKP', keyLength: 1312, signatureLength: 2420 },
  '-49': { name: 'ML-DSA-65', kty: 'AKP', keyLength: 1952, signatureLength: 3309 },
  '-50': { name: 'ML-DSA-87', kty: 'AKP', keyLength: 2592, signatureLength: 4627 },
} as const satisfies Record<string, CoseAlgorithm>

const BY_NUMBER: ReadonlyMap<number, CoseAlgorithm> = new Map(
  Object.entries(ALGORITHMS).map(([number, algorithm]) => [Number(number), algorithm]),
)

export const coseAlgorithms: readonly number[] = [...BY_NUMBER.keys()]

export const findAlgorithm = (number: number): CoseAlgorithm | undefined => BY_NUMBER.get(number)

/** `ES256 (-7)`, or the bare number of an unknown algorithm. */
export const algorithmName = (number: number): string => {
  const known = BY_NUMBER.get(number)
  return known ? `${known.name} (${number})` : String(number)
}

/** Octets as in a COSE key: EC2 coordinates are as long as the curve's field, RSA numbers are big-endian. */
export type PublicKey =
  | { readonly kty: 'EC2'; readonly crv: EcCurve; readonly x: Bytes; readonly y: Bytes }
  | { readonly kty: 'OKP'; readonly crv: OkpCurve; readonly x: Bytes }
  | { readonly kty: 'RSA'; readonly n: Bytes; readonly e: Bytes }
  | { readonly kty: 'AKP'; readonly name: MlDsa; readonly pub: Bytes }

export const describeKey = (key: PublicKey): string => {
  if (key.kty === 'EC2' || key.kty === 'OKP') return key.crv
  if (key.kty === 'AKP') return key.name
  return `RSA ${key.n.length * 8}`
}

type Curve = { readonly size: number; readonly p: bigint; readonly a: bigint; readonly b: bigint }

/** y² = x³ + ax + b over p (FIPS 186-4 D.1.2, SEC 2 §2.4.1). */
const CURVES = {
  'P-256': {
    size: 32,
    p: 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn,
    a: -3n,
    b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
  },
  'P-384': {
    size: 48,
    p: 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000ffffffffn,
    a: -3n,
    b: 0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aefn,
  },
  'P-521': {
    size: 66,
    p: (1n << 521n) - 1n,
    a: -3n,
    b: 0x0051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00n,
  },
  secp256k1: { size: 32, p: (1n << 256n) - (1n << 32n) - 977n, a: 0n, b: 7n },
} as const satisfies Record<EcCurve, Curve>

/** Octets of one coordinate. */
export const coordinateSize = (curve: EcCurve): number => CURVES[curve].size

export const isOnCurve = (point: {
  readonly crv: EcCurve
  readonly x: Uint8Array
  readonly y: Uint8Array
}): boolean => {
  const { p, a, b }: Curve = CURVES[point.crv]
  const x = integerOf(point.x)
  const y = integerOf(point.y)
  if (x >= p || y >= p) return false
  return (y * y - (x * x * x + a * x + b)) % p === 0n
}

const integerOf = (bytes: Uint8Array): bigint => (bytes.length === 0 ? 0n : BigInt(`0x${toHex(bytes)}`))
