import { createECDH, createHash, createHmac } from 'node:crypto'
import { type Bytes, concat, toHex } from '../../core/protocol/bytes.ts'
import type { RandomSource } from '../../core/protocol/random.ts'
import { integer, sequence } from './der.ts'

export type Curve = { readonly name: string; readonly order: bigint; readonly bits: number; readonly bytes: number }

const curve = (name: string, order: bigint): Curve => {
  const bits = order.toString(2).length
  return { name, order, bits, bytes: Math.ceil(bits / 8) }
}

/** Extended Euclid: the x in [0, modulus) with value · x ≡ 1. The two must have no common divisor. */
export const modularInverse = (value: bigint, modulus: bigint): bigint => {
  let [r0, r1, x0, x1] = [modulus, value % modulus, 0n, 1n]
  while (r1 !== 0n) {
    const quotient = r0 / r1
    ;[r0, r1] = [r1, r0 - quotient * r1]
    ;[x0, x1] = [x1, x0 - quotient * x1]
  }
  return ((x0 % modulus) + modulus) % modulus
}

/** By JOSE name; `name` is OpenSSL's. */
export const CURVES = {
  'P-256': curve('prime256v1', 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n),
  'P-384': curve(
    'secp384r1',
    0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
  ),
  'P-521': curve(
    'secp521r1',
    0x1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
  ),
  secp256k1: curve('secp256k1', 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n),
} as const

const toInt = (bytes: Uint8Array): bigint => (bytes.length === 0 ? 0n : BigInt(`0x${toHex(bytes)}`))

const toOctets = (value: bigint, length: number): Bytes => {
  const out = new Uint8Array(length)
  for (let i = length - 1, rest = value; i >= 0; i--, rest >>= 8n) out[i] = Number(rest & 0xffn)
  return out
}

/** A private scalar by rejection (FIPS 186-5 A.2.2), as octets of the order's length. */
export const scalarFrom = (curve: Curve, random: RandomSource): Bytes => {
  for (;;) {
    const candidate = random.bytes(curve.bytes)
    candidate[0] = (candidate[0] ?? 0) & (0xff >> (curve.bytes * 8 - curve.bits))
    const value = toInt(candidate)
    if (value > 0n && value < curve.order) return candidate
  }
}

// RFC 6979 §2.3.2: the leftmost bits of the octets.
const leftmostBits = (octets: Uint8Array, bits: number): bigint => {
  const excess = octets.length * 8 - bits
  return excess > 0 ? toInt(octets) >> BigInt(excess) : toInt(octets)
}

/** RFC 6979 §3.2: the sequence of candidates for k. */
function* nonces(curve: Curve, hash: string, scalar: Uint8Array, digest: Uint8Array): Generator<Bytes> {
  const mac = (key: Uint8Array, ...parts: Uint8Array[]): Bytes =>
    new Uint8Array(
      createHmac(hash, key)
        .update(concat(...parts))
        .digest(),
    )
  const seed = concat(scalar, toOctets(leftmostBits(digest, curve.bits) % curve.order, curve.bytes))
  let v: Bytes = new Uint8Array(digest.length).fill(1)
  let k: Bytes = new Uint8Array(digest.length)
  for (const step of [0, 1]) {
    k = mac(k, v, Uint8Array.of(step), seed)
    v = mac(k, v)
  }
  for (;;) {
    let t: Bytes = new Uint8Array(0)
    while (t.length * 8 < curve.bits) {
      v = mac(k, v)
      t = concat(t, v)
    }
    const candidate = leftmostBits(t, curve.bits)
    if (candidate > 0n && candidate < curve.order) yield toOctets(candidate, curve.bytes)
    k = mac(k, v, Uint8Array.of(0))
    v = mac(k, v)
  }
}

/** ECDSA with RFC 6979's deterministic nonce, as an ASN.1 ECDSA-Sig-Value. Not constant-time: simulated keys only. */
export const signEcdsaDeterministic = (options: {
  readonly curve: Curve
  readonly hash: string
  /** The private scalar, octets of the order's length. */
  readonly scalar: Uint8Array
  readonly data: Uint8Array
}): Bytes => {
  const { curve, hash, scalar } = options
  const n = curve.order
  const digest = createHash(hash).update(options.data).digest()
  const e = leftmostBits(digest, curve.bits)
  const ecdh = createECDH(curve.name)
  for (const k of nonces(curve, hash, scalar, digest)) {
    ecdh.setPrivateKey(k)
    const point = ecdh.getPublicKey()
    const r = toInt(point.subarray(1, 1 + (point.length - 1) / 2)) % n
    const s = (modularInverse(toInt(k), n) * (e + r * toInt(scalar))) % n
    if (r === 0n || s === 0n) continue
    return sequence(integer(toOctets(r, curve.bytes)), integer(toOctets(s, curve.bytes)))
  }
  throw new Error('the nonce sequence ended')
}
