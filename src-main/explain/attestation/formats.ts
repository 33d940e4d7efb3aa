import type { VerifyAttestation } from './format.ts'
import { verifyNone } from './none.ts'
import { verifyPacked } from './packed.ts'

/** The attestation statement formats (WebAuthn §8), matched case-sensitively. */
const FORMATS: Readonly<Record<string, VerifyAttestation>> = {
  none: verifyNone,
  packed: verifyPacked,
}

export const attestationFormats: readonly string[] = Object.keys(FORMATS)

export const findAttestationFormat = (name: string): VerifyAttestation | undefined =>
  Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined
