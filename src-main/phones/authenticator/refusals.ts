/** Why an authenticator does not answer. */
export type AuthenticatorRefusalCode =
  | 'malformed_options'
  | 'rp_id_not_for_origin'
  | 'no_supported_algorithm'
  | 'credential_excluded'
  | 'resident_key_unavailable'
  | 'user_verification_unavailable'
  | 'large_blob_unavailable'
  | 'no_matching_credential'

/** `got` is what does not fit: the name of an option, an RP ID, a model. */
export type AuthenticatorRefusal = { readonly code: AuthenticatorRefusalCode; readonly got: string }

export const refusal = (code: AuthenticatorRefusalCode, got: string): AuthenticatorRefusal => ({ code, got })
