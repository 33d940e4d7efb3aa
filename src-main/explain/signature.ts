import type { Bytes } from '../protocol/bytes.ts'
import { findAlgorithm } from './algorithms.ts'
import type { JudgeCrypto, SignatureCheck } from './crypto-port.ts'
import { coordinateSize } from './curve.ts'
import { decodeDer, sequenceOf, unsignedBytes } from './der.ts'
import type { PublicKey } from './public-key.ts'

export type SignatureVerdict =
  | { readonly outcome: 'valid' | 'invalid' | 'unsupported' }
  | { readonly outcome: 'malformed'; readonly expected: string; readonly received: string }

const OKP_SIGNATURE = { Ed25519: 64, Ed448: 114 } as const

/** Looks at the form first (WebAuthn §6.5.5), so that a signature in the wrong clothes is told from a wrong one. */
export const verifySignature = async (check: SignatureCheck, crypto: JudgeCrypto): Promise<SignatureVerdict> => {
  const malformed = wrongForm(check)
  if (malformed) return { outcome: 'malformed', ...malformed }
  const verified = await crypto.verify(check)
  if (!verified.ok) return { outcome: 'unsupported' }
  return { outcome: verified.value ? 'valid' : 'invalid' }
}

const wrongForm = ({ algorithm, key, signature }: SignatureCheck) => {
  if (key.kty === 'EC2') return isEcdsaDer(signature, coordinateSize(key.crv)) ? undefined : notDer(signature, key)
  const expected = expectedLength(algorithm, key)
  if (expected === undefined || signature.length === expected) return undefined
  return { expected: `${expected} bytes`, received: `${signature.length} bytes` }
}

const expectedLength = (algorithm: number, key: PublicKey): number | undefined => {
  if (key.kty === 'RSA') return key.n.length
  if (key.kty === 'OKP') return OKP_SIGNATURE[key.crv]
  const known = findAlgorithm(algorithm)
  return known?.kty === 'AKP' ? known.signatureLength : undefined
}

const notDer = (signature: Bytes, key: PublicKey & { kty: 'EC2' }) => ({
  expected: 'a DER sequence of two positive integers (ECDSA-Sig-Value)',
  received:
    signature.length === 2 * coordinateSize(key.crv)
      ? `${signature.length} bytes, which looks like r and s side by side`
      : `${signature.length} bytes that are no such sequence`,
})

const isEcdsaDer = (signature: Bytes, size: number): boolean => {
  const der = decodeDer(signature)
  const parts = der.ok ? sequenceOf(der.value) : undefined
  if (parts?.length !== 2) return false
  return parts.every((part) => (unsignedBytes(part)?.length ?? Number.POSITIVE_INFINITY) <= size)
}
