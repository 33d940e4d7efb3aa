import type { FailureWord } from './failure-words.ts'

/** English titles of the steps, by section and number in WebAuthn Level 3. */
export const registrationSteps = {
  '7.1.1': 'Options were made for the ceremony',
  '7.1.2': 'The phone answered with a credential',
  '7.1.3': 'The answer is one to a registration',
  '7.1.4': 'The client extension results are there',
  '7.1.5': 'The client data is text',
  '7.1.6': 'The client data is JSON',
  '7.1.7': 'The type is webauthn.create',
  '7.1.8': 'The challenge is the one that was asked',
  '7.1.9': 'The origin is allowed for the relying party',
  '7.1.10': 'The frame is one the relying party expects',
  '7.1.11': 'The page around the frame is expected',
  '7.1.12': 'The client data is hashed',
  '7.1.13': 'The attestation object is decoded',
  '7.1.14': 'The RP ID is the expected one',
  '7.1.15': 'The user was present',
  '7.1.16': 'The user was verified, if required',
  '7.1.17': 'The backup flags make sense together',
  '7.1.18': 'Backup eligibility',
  '7.1.19': 'Backup state',
  '7.1.20': 'The algorithm is one that was asked for',
  '7.1.21': 'The attestation format is known',
  '7.1.22': 'The attestation statement is valid',
  '7.1.23': 'Trust anchors are at hand',
  '7.1.24': 'The attestation can be trusted',
  '7.1.25': 'The credential ID is not too long',
  '7.1.26': 'The credential is new',
  '7.1.27': 'The credential record is complete',
  '7.1.28': 'Extension outputs are processed',
  '7.1.29': 'The credential is stored',
} as const satisfies Readonly<Record<string, string>>

export const authenticationSteps = {
  '7.2.1': 'Options were made for the ceremony',
  '7.2.2': 'The phone answered with a credential',
  '7.2.3': 'The answer is one to an authentication',
  '7.2.4': 'The client extension results are there',
  '7.2.5': 'The credential is one that was asked for',
  '7.2.6': 'The credential belongs to the user',
  '7.2.7': 'The authenticator data is decoded',
  '7.2.8': 'The client data is text',
  '7.2.9': 'The client data is JSON',
  '7.2.10': 'The type is webauthn.get',
  '7.2.11': 'The challenge is the one that was asked',
  '7.2.12': 'The origin is allowed for the relying party',
  '7.2.13': 'The frame is one the relying party expects',
  '7.2.14': 'The page around the frame is expected',
  '7.2.15': 'The RP ID is the expected one',
  '7.2.16': 'The user was present',
  '7.2.17': 'The user was verified, if required',
  '7.2.18': 'The backup flags make sense together',
  '7.2.19': 'The backup eligibility is as registered',
  '7.2.20': 'The client data is hashed',
  '7.2.21': 'The signature verifies',
  '7.2.22': 'The signature counter grew',
  '7.2.23': 'Extension outputs are processed',
  '7.2.24': 'The credential record is updated',
  '7.2.25': 'The user is authenticated',
} as const satisfies Readonly<Record<string, string>>

export type RegistrationStep = keyof typeof registrationSteps
export type AuthenticationStep = keyof typeof authenticationSteps
export type StepId = RegistrationStep | AuthenticationStep

export const REGISTRATION_STEPS = Object.keys(registrationSteps) as readonly RegistrationStep[]
export const AUTHENTICATION_STEPS = Object.keys(authenticationSteps) as readonly AuthenticationStep[]

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
