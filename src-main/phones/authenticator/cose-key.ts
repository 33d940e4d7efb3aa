import { type Bytes, fromBase64url } from '../../core/protocol/bytes.ts'
import type { Algorithm } from './algorithms.ts'
import type { CborValue } from './canonical-cbor.ts'
import type { PrivateKey } from './private-key.ts'

export type CoseKey = ReadonlyMap<number, CborValue>

// RFC 9053 §7.1 and RFC 8230 §4; AKP: RFC 9964.
const KEY_TYPE = { OKP: 1, EC: 2, RSA: 3, AKP: 7 } as const
const CURVE = { 'P-256': 1, 'P-384': 2, 'P-521': 3, Ed25519: 6, Ed448: 7, secp256k1: 8 } as const

const octets = (text: string): Bytes => {
  const bytes = fromBase64url(text)
  if (!bytes.ok) throw new Error(`key member: ${bytes.error}`)
  return bytes.value
}

const parameters = (key: PrivateKey): readonly (readonly [number, CborValue])[] => {
  if (key.kty === 'EC') {
    return [
      [-1, CURVE[key.crv]],
      [-2, octets(key.x)],
      [-3, octets(key.y)],
    ]
  }
  if (key.kty === 'OKP') {
    return [
      [-1, CURVE[key.crv]],
      [-2, octets(key.x)],
    ]
  }
  if (key.kty === 'RSA') {
    return [
      [-1, octets(key.n)],
      [-2, octets(key.e)],
    ]
  }
  return [[-1, octets(key.pub)]]
}

/** The public half as a COSE_Key, with `alg`, as WebAuthn §6.5.1.1 requires. */
export const coseKeyOf = (algorithm: Algorithm, key: PrivateKey): CoseKey =>
  new Map<number, CborValue>([[1, KEY_TYPE[key.kty]], [3, algorithm.cose], ...parameters(key)])
