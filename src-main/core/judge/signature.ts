import type { Evidence } from '../contract/judge/evidence.ts'
import type { Bytes } from '../protocol/bytes.ts'
import { coordinateSize, findAlgorithm, type PublicKey } from './algorithms.ts'
import type { JudgeCrypto, SignatureCheck } from './crypto-port.ts'
import { decodeDer, sequenceItems, unsignedBytes } from './der.ts'
import { countBytes } from './describe.ts'

export type SignatureVerdict =
  | { readonly outcome: 'valid' | 'invalid' | 'unsupported' }
  | { readonly outcome: 'malformed'; readonly expected: Evidence; readonly received: Evidence }

const OKP_SIGNATURE = { Ed25519: 64, Ed448: 114 } as const

/** Checks the form first (WebAuthn §6.5.5), to tell a signature in the wrong encoding from a wrong signature. */
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
  return { expected: countBytes(expected), received: countBytes(signature.length) }
}

const expectedLength = (algorithm: number, key: PublicKey): number | undefined => {
  if (key.kty === 'RSA') return key.n.length
  if (key.kty === 'OKP') return OKP_SIGNATURE[key.crv]
  const known = findAlgorithm(algorithm)
  return known?.kty === 'AKP' ? known.signatureLength : undefined
}

const notDer = ({ length: count }: Bytes, key: PublicKey & { kty: 'EC2' }) => ({
  expected: { code: 'ecdsa_signature' } as const,
  received: {
    code: count === 2 * coordinateSize(key.crv) ? 'raw_ecdsa_signature' : 'no_ecdsa_signature',
    params: { count },
  } as const,
})

const isEcdsaDer = (signature: Bytes, size: number): boolean => {
  const der = decodeDer(signature)
  const parts = der.ok ? sequenceItems(der.value) : undefined
  if (parts?.length !== 2) return false
  return parts.every((part) => (unsignedBytes(part)?.length ?? Number.POSITIVE_INFINITY) <= size)
}
