import type { Bytes } from '../../../../core/protocol/bytes.ts'
import type { RandomSource } from '../../../../core/protocol/random.ts'
import type { Millis } from '../../../../core/protocol/time.ts'
import type { Algorithm } from '../../algorithms.ts'
import type { AuthenticatorModel } from '../../models.ts'
import type { PrivateKey } from '../../private-key.ts'
import type { SigningDraft, Strike } from '../../seams.ts'
import { sign } from '../../sign.ts'
import type { AttestationAuthority } from '../attestation-authority.ts'
import type { AttestationStatement } from '../attestation-object.ts'

/** Input of every format's statement. */
export type AttestationInput = {
  readonly authenticatorData: Bytes
  readonly clientDataHash: Bytes
  readonly rpIdHash: Uint8Array
  readonly credentialId: Uint8Array
  readonly credentialKey: PrivateKey
  readonly algorithm: Algorithm
  readonly aaguid: Bytes
  readonly model: AuthenticatorModel
  readonly authority: AttestationAuthority
  readonly random: RandomSource
  readonly now: Millis
  readonly strike: Strike
}

export type AttestationFormat = {
  /** The attestation statement format identifier. */
  readonly fmt: string
  /** Credential keys that the format supports. */
  supports(algorithm: Algorithm): boolean
  attest(input: AttestationInput): AttestationStatement
}

/** The one place where a statement gets its signature, with the seams before and after it. */
export const signAttestation = (input: AttestationInput, draft: SigningDraft): Bytes => {
  const signing = input.strike('attestationSigning', draft)
  return input.strike('attestationSignature', sign({ ...signing, random: input.random }))
}
