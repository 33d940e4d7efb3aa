import type { RandomSource } from '../../core/protocol/random.ts'
import type { Millis } from '../../core/protocol/time.ts'
import type { AttestationAuthority } from './attestation/attestation-authority.ts'

/** What an authenticator takes from outside: chance, time and the makers' keys. */
export type AuthenticatorPorts = {
  readonly random: RandomSource
  now(): Millis
  readonly attestationKeys: AttestationAuthority
}
