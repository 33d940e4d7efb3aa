import type { RandomSource } from '../../core/protocol/random.ts'
import type { Millis } from '../../core/protocol/time.ts'
import type { AttestationAuthority } from './attestation/attestation-authority.ts'

export type AuthenticatorRefusalCode =
  | 'malformed_options'
  | 'rp_id_not_for_origin'
  | 'no_supported_algorithm'
  | 'credential_excluded'
  | 'resident_key_unavailable'
  | 'user_verification_unavailable'
  | 'large_blob_unavailable'
  | 'no_matching_credential'

/** `got` is the rejected value: the name of an option, an RP ID, a model. */
export type AuthenticatorRefusal = { readonly code: AuthenticatorRefusalCode; readonly got: string }

export const createRefusal = (code: AuthenticatorRefusalCode, got: string): AuthenticatorRefusal => ({ code, got })

export type AuthenticatorPorts = {
  readonly random: RandomSource
  now(): Millis
  readonly attestationKeys: AttestationAuthority
}
