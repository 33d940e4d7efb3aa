import { type Bytes, equalBytes } from '../protocol/bytes.ts'
import type { EcCurve, MlDsa, OkpCurve } from './algorithms.ts'

/** A public key, from COSE or a certificate. Numbers are big-endian and as long as their field. */
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

export const sameKey = (a: PublicKey, b: PublicKey): boolean => {
  if (a.kty === 'EC2' && b.kty === 'EC2') return a.crv === b.crv && equalBytes(a.x, b.x) && equalBytes(a.y, b.y)
  if (a.kty === 'OKP' && b.kty === 'OKP') return a.crv === b.crv && equalBytes(a.x, b.x)
  if (a.kty === 'RSA' && b.kty === 'RSA') return equalBytes(a.n, b.n) && equalBytes(a.e, b.e)
  return a.kty === 'AKP' && b.kty === 'AKP' && a.name === b.name && equalBytes(a.pub, b.pub)
}
