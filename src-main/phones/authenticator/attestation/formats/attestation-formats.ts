import type { AttestationKind } from '../attestation-authority.ts'
import { androidKey } from './android-key.ts'
import { androidSafetynet } from './android-safetynet.ts'
import { apple } from './apple.ts'
import type { AttestationFormat } from './attestation-format.ts'
import { fidoU2f } from './fido-u2f.ts'
import { packed, packedSelf } from './packed.ts'
import { tpm } from './tpm.ts'

/** WebAuthn §8.7. */
const none: AttestationFormat = {
  fmt: 'none',
  supports: () => true,
  attest: () => new Map(),
}

/** `self` and `packed` share a format identifier. */
export const ATTESTATION_FORMATS = {
  none,
  self: packedSelf,
  packed,
  'fido-u2f': fidoU2f,
  tpm,
  'android-key': androidKey,
  apple,
  'android-safetynet': androidSafetynet,
} as const satisfies Record<AttestationKind, AttestationFormat>
