import type { AttestationFormat } from './attestation-format.ts'
import { none } from './none.ts'
import { packedSelf } from './packed-self.ts'

/** Every way in which a phone can vouch for a key, by our own name; `self` and `packed` share a format identifier. */
export const ATTESTATION_FORMATS = {
  none,
  self: packedSelf,
} as const satisfies Record<string, AttestationFormat>

export type AttestationKind = keyof typeof ATTESTATION_FORMATS
