import { toHex } from '../protocol/bytes.ts'
import type { EcCurve } from './algorithms.ts'

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
