import type { AttestationFormat } from './attestation-format.ts'

/** WebAuthn §8.7. */
export const none: AttestationFormat = {
  fmt: 'none',
  supports: () => true,
  attest: () => new Map(),
}
