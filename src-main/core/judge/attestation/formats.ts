import { COMPOUND } from '../attestation-object.ts'
import { verifyAndroidKey } from './android-key.ts'
import { verifyAndroidSafetyNet } from './android-safetynet.ts'
import { verifyApple } from './apple.ts'
import { verifyFidoU2f } from './fido-u2f.ts'
import type { VerifyAttestation } from './format.ts'
import { verifyNone } from './none.ts'
import { verifyPacked } from './packed.ts'
import { verifyTpm } from './tpm.ts'

/** The attestation statement formats (WebAuthn §8), matched case-sensitively. */
const FORMATS: Readonly<Record<string, VerifyAttestation>> = {
  none: verifyNone,
  packed: verifyPacked,
  tpm: verifyTpm,
  'android-key': verifyAndroidKey,
  'android-safetynet': verifyAndroidSafetyNet,
  'fido-u2f': verifyFidoU2f,
  apple: verifyApple,
}

export const attestationFormats: readonly string[] = [...Object.keys(FORMATS), COMPOUND]

export const findAttestationFormat = (name: string): VerifyAttestation | undefined =>
  Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined
