import { COMPOUND } from '../attestation-object.ts'
import { createCheckList } from '../check-list.ts'
import { verifyAndroidKey } from './android-key.ts'
import { verifyAndroidSafetyNet } from './android-safetynet.ts'
import { verifyApple } from './apple.ts'
import { verifyFidoU2f } from './fido-u2f.ts'
import type { VerifyAttestation } from './format.ts'
import { verifyPacked } from './packed.ts'
import { verifyTpm } from './tpm.ts'

/** WebAuthn §8.7. */
const verifyNone: VerifyAttestation = ({ statement }) => {
  const list = createCheckList()
  list.check('statement_empty', statement.entries.length === 0, {
    word: 'attestation_statement_not_empty',
    received: { code: 'members', params: { count: statement.entries.length } },
    at: { part: 'attestationObject', start: statement.start, end: statement.end },
  })
  return { checks: list.checks(), type: 'none', trustPath: [] }
}

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
