import type { FailureWord } from './failure-words.ts'

/** Each by its section and number in WebAuthn Level 3. */
export const REGISTRATION_STEPS = [
  ...['7.1.1', '7.1.2', '7.1.3', '7.1.4', '7.1.5', '7.1.6', '7.1.7', '7.1.8', '7.1.9', '7.1.10'],
  ...['7.1.11', '7.1.12', '7.1.13', '7.1.14', '7.1.15', '7.1.16', '7.1.17', '7.1.18', '7.1.19', '7.1.20'],
  ...['7.1.21', '7.1.22', '7.1.23', '7.1.24', '7.1.25', '7.1.26', '7.1.27', '7.1.28', '7.1.29'],
] as const

export const AUTHENTICATION_STEPS = [
  ...['7.2.1', '7.2.2', '7.2.3', '7.2.4', '7.2.5', '7.2.6', '7.2.7', '7.2.8', '7.2.9', '7.2.10'],
  ...['7.2.11', '7.2.12', '7.2.13', '7.2.14', '7.2.15', '7.2.16', '7.2.17', '7.2.18', '7.2.19', '7.2.20'],
  ...['7.2.21', '7.2.22', '7.2.23', '7.2.24', '7.2.25'],
] as const

export type RegistrationStep = (typeof REGISTRATION_STEPS)[number]
export type AuthenticationStep = (typeof AUTHENTICATION_STEPS)[number]
export type StepId = RegistrationStep | AuthenticationStep

type Refusing = readonly [RegistrationStep | undefined, AuthenticationStep | undefined, readonly FailureWord[]]

/** The step that refuses each mistake in an answer; any other mistake is in a signature or an attestation statement. */
const REFUSING: readonly Refusing[] = [
  ['7.1.2', '7.2.2', ['malformed_response', 'credential_type_mismatch', 'raw_id_mismatch']],
  ['7.1.2', '7.2.2', ['credential_id_missing', 'credential_id_malformed']],
  ['7.1.3', '7.2.3', ['response_member_missing', 'response_member_malformed', 'not_base64url']],
  ['7.1.3', '7.2.3', ['response_kind_mismatch']],
  ['7.1.4', '7.2.4', ['client_extension_results_malformed']],
  ['7.1.5', '7.2.8', ['client_data_not_utf8']],
  ['7.1.6', '7.2.9', ['malformed_client_data', 'client_data_duplicate_member', 'token_binding_malformed']],
  ['7.1.7', '7.2.10', ['type_missing', 'type_mismatch']],
  ['7.1.8', '7.2.11', ['challenge_missing', 'challenge_mismatch', 'challenge_encoding']],
  ['7.1.9', '7.2.12', ['origin_missing', 'origin_mismatch']],
  ['7.1.10', '7.2.13', ['cross_origin_not_allowed', 'cross_origin_malformed']],
  ['7.1.11', '7.2.14', ['top_origin_without_cross_origin', 'top_origin_malformed', 'top_origin_mismatch']],
  ['7.1.13', '7.2.7', ['authenticator_data_too_short', 'flags_reserved_set', 'trailing_bytes']],
  ['7.1.13', '7.2.7', ['extensions_missing', 'extensions_malformed']],
  ['7.1.13', undefined, ['malformed_attestation_object', 'attestation_object_extra_member']],
  ['7.1.13', undefined, ['attested_credential_data_missing', 'attested_credential_data_truncated']],
  ['7.1.13', undefined, ['malformed_public_key', 'public_key_extra_member', 'public_key_type_unsupported']],
  ['7.1.13', undefined, ['public_key_private_part', 'public_key_type_mismatch', 'public_key_curve_mismatch']],
  ['7.1.13', undefined, ['public_key_length', 'public_key_point_compressed', 'public_key_not_on_curve']],
  ['7.1.13', undefined, ['public_key_exponent', 'unsupported_algorithm']],
  ['7.1.13', undefined, ['cbor_not_minimal', 'cbor_keys_unordered']],
  ['7.1.13', undefined, ['cbor_duplicate_key', 'cbor_indefinite_length', 'cbor_tag_present']],
  ['7.1.14', '7.2.15', ['rp_id_hash_mismatch']],
  ['7.1.15', '7.2.16', ['user_presence_missing']],
  ['7.1.16', '7.2.17', ['user_verification_missing']],
  ['7.1.17', '7.2.18', ['backup_state_invalid']],
  ['7.1.20', undefined, ['algorithm_not_requested']],
  ['7.1.21', undefined, ['attestation_format_unsupported']],
  ['7.1.24', undefined, ['attestation_untrusted', 'attestation_chain_misordered', 'attestation_chain_repeated']],
  ['7.1.24', undefined, ['attestation_model_revoked']],
  ['7.1.24', undefined, ['attestation_chain_broken', 'attestation_chain_signature_invalid']],
  ['7.1.24', undefined, ['attestation_certificate_expired', 'attestation_certificate_not_yet_valid']],
  ['7.1.24', undefined, ['attestation_issuer_expired', 'attestation_issuer_not_yet_valid']],
  ['7.1.24', undefined, ['attestation_issuer_not_ca', 'attestation_issuer_may_not_certify']],
  ['7.1.25', undefined, ['credential_id_empty', 'credential_id_too_long']],
  ['7.1.27', undefined, ['credential_id_mismatch', 'authenticator_data_mismatch']],
  ['7.1.27', undefined, ['public_key_mismatch', 'public_key_algorithm_mismatch']],
  ['7.1.28', '7.2.23', ['extension_output_malformed', 'prf_contradicted', 'prf_output_length']],
  ['7.1.28', '7.2.23', ['large_blob_contradicted']],
  ['7.1.28', undefined, ['resident_key_contradicted', 'credential_protection_weaker']],
  [undefined, '7.2.5', ['credential_not_allowed']],
  [undefined, '7.2.6', ['user_handle_mismatch']],
  [undefined, '7.2.7', ['attested_credential_data_unexpected']],
  [undefined, '7.2.19', ['backup_eligibility_changed']],
  [undefined, '7.2.21', ['malformed_signature', 'signature_invalid']],
  [undefined, '7.2.22', ['counter_regression']],
]

export const refusingStep = (word: string, ceremony: 'registration' | 'authentication'): StepId | undefined => {
  const [registration, authentication] = REFUSING.find(([, , words]) => words.some((each) => each === word)) ?? []
  return ceremony === 'registration' ? registration : authentication
}

/** Notes to the outcome of a step, in English. */
export const notes = {
  nothing_to_check: 'An earlier step left nothing to check here.',
  earlier_failure: 'An earlier step failed.',
  verification_not_required: 'User verification was not required.',
  no_certificates: 'The attestation has no certificates to trust.',
  trusted_root: 'It leads to a root that is trusted.',
  untrusted_root_accepted: 'It leads to no trusted root, which the profile accepts.',
  outputs_kept: 'Outputs are kept as they are.',
  outputs_not_asked_for: 'These outputs were not asked for. They are ignored, as WebAuthn allows.',
  any_credential: 'No particular credentials were asked for.',
  no_counter: 'The authenticator does not count.',
  regression_accepted: 'It did not grow, which the profile accepts.',
} as const satisfies Readonly<Record<string, string>>

export type StepNote = keyof typeof notes
