/** Why an authenticator does not answer: words for machines, sentences for people. */
export const REFUSALS = {
  malformed_options: 'The request contains a value that is not what WebAuthn says it is.',
  rp_id_not_for_origin: "The RP ID is neither the origin's host nor a parent domain of it.",
  no_supported_algorithm: 'This phone has none of the algorithms that the service accepts.',
  credential_excluded: 'This phone already holds one of the credentials that the service excludes.',
  resident_key_unavailable: 'The service wants a discoverable credential and this phone cannot keep one.',
  user_verification_unavailable: 'The service wants the user verified and the user was not.',
  large_blob_unavailable: 'The service requires large blob storage and this phone has none.',
  no_matching_credential: 'This phone holds no credential that fits the request.',
} as const satisfies Record<string, string>

export type AuthenticatorRefusalCode = keyof typeof REFUSALS

export type AuthenticatorRefusal = { readonly code: AuthenticatorRefusalCode; readonly detail: string }

export const refusal = (code: AuthenticatorRefusalCode, detail: string): AuthenticatorRefusal => ({ code, detail })
