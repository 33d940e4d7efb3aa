import type { Bytes } from '../../../../core/protocol/bytes.ts'
import type { SigningDraft } from '../../seams.ts'
import { sign } from '../../sign.ts'
import type { AttestationInput } from './attestation-format.ts'

/** The one place where a statement gets its signature, with the seams before and after it. */
export const signAttestation = (input: AttestationInput, draft: SigningDraft): Bytes => {
  const signing = input.strike('attestationSigning', draft)
  return input.strike('attestationSignature', sign({ ...signing, random: input.random }))
}
