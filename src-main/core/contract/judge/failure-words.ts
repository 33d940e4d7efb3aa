/** Part of the public interface: a word never changes its meaning, and a new cause gets a new word. */
export const FAILURE_WORDS = [
  // The answer as JSON (WebAuthn §5.1.7).
  'malformed_response',
  'response_too_large',
  'credential_type_mismatch',
  'credential_id_missing',
  'credential_id_malformed',
  'raw_id_mismatch',
  'response_kind_mismatch',
  'response_member_missing',
  'response_member_malformed',
  'not_base64url',
  'client_extension_results_malformed',

  // Client data (§5.8.1).
  'malformed_client_data',
  'client_data_not_utf8',
  'client_data_duplicate_member',
  'type_missing',
  'type_mismatch',
  'challenge_missing',
  'challenge_mismatch',
  'challenge_encoding',
  'origin_missing',
  'origin_mismatch',
  'cross_origin_malformed',
  'cross_origin_not_allowed',
  'top_origin_malformed',
  'top_origin_without_cross_origin',
  'top_origin_mismatch',
  'token_binding_malformed',

  // CBOR (CTAP2 §8), wherever it is.
  'cbor_not_minimal',
  'cbor_keys_unordered',
  'cbor_duplicate_key',
  'cbor_tag_present',
  'cbor_value_unassigned',
  'cbor_indefinite_length',
  'cbor_too_deep',
  'cbor_too_many_items',

  // The attestation object (§6.5).
  'malformed_attestation_object',
  'attestation_object_extra_member',
  'trailing_bytes',

  // Authenticator data (§6.1, §6.5.1).
  'authenticator_data_too_short',
  'rp_id_hash_mismatch',
  'flags_reserved_set',
  'user_presence_missing',
  'user_verification_missing',
  'backup_state_invalid',
  'backup_eligibility_changed',
  'attested_credential_data_missing',
  'attested_credential_data_unexpected',
  'attested_credential_data_truncated',
  'credential_id_empty',
  'credential_id_too_long',
  'extensions_missing',
  'extensions_malformed',

  // The credential public key (§5.8.5, §6.5.1, RFC 9052).
  'malformed_public_key',
  'public_key_extra_member',
  'public_key_private_part',
  'public_key_type_unsupported',
  'public_key_type_mismatch',
  'public_key_curve_mismatch',
  'public_key_length',
  'public_key_point_compressed',
  'public_key_not_on_curve',
  'public_key_exponent',
  'unsupported_algorithm',
  'algorithm_not_requested',

  // The new credential of a registration.
  'credential_already_registered',
  'credential_id_mismatch',
  'authenticator_data_mismatch',
  'public_key_mismatch',
  'public_key_algorithm_mismatch',

  // Credential, signature and counter of an authentication.
  'credential_not_allowed',
  'credential_unknown',
  'credential_of_another_user',
  'user_handle_mismatch',
  'stored_key_malformed',
  'malformed_signature',
  'signature_invalid',
  'algorithm_unavailable',
  'counter_regression',

  // Outputs of the extensions that were asked for (§10, CTAP2 §12).
  'extension_output_malformed',
  'resident_key_contradicted',
  'prf_contradicted',
  'prf_output_length',
  'large_blob_contradicted',
  'credential_protection_weaker',

  // Attestation statements (§8), in any format.
  'attestation_format_unsupported',
  'malformed_attestation_statement',
  'attestation_statement_member_missing',
  'attestation_statement_extra_member',
  'attestation_statement_not_empty',
  'attestation_algorithm_mismatch',
  'attestation_algorithm_unsupported',
  'attestation_signature_malformed',
  'attestation_signature_invalid',

  // Certificates of an attestation (§8.2.1, §8.3.1, RFC 5280).
  'attestation_chain_empty',
  'attestation_certificate_malformed',
  'attestation_certificate_version',
  'attestation_certificate_constraints_missing',
  'attestation_certificate_is_ca',
  'attestation_certificate_country',
  'attestation_certificate_organization',
  'attestation_certificate_unit',
  'attestation_certificate_common_name',
  'attestation_certificate_aaguid_malformed',
  'attestation_certificate_aaguid_critical',
  'attestation_certificate_aaguid_mismatch',
  'attestation_certificate_key_unsupported',
  'attestation_certificate_algorithm_unsupported',
  'attestation_certificate_extension_malformed',
  'attestation_certificate_critical_extension',
  'attestation_certificate_policy_missing',
  'attestation_certificate_expired',
  'attestation_certificate_not_yet_valid',
  'attestation_issuer_expired',
  'attestation_issuer_not_yet_valid',
  'attestation_issuer_not_ca',
  'attestation_issuer_may_not_certify',
  'attestation_chain_repeated',
  'attestation_chain_misordered',
  'attestation_chain_broken',
  'attestation_chain_key_identifier_mismatch',
  'attestation_chain_too_long',
  'attestation_chain_signature_invalid',

  // The TPM format (§8.3).
  'tpm_version_unsupported',
  'tpm_pub_area_malformed',
  'tpm_pub_area_key_mismatch',
  'tpm_cert_info_malformed',
  'tpm_magic_mismatch',
  'tpm_type_mismatch',
  'tpm_extra_data_mismatch',
  'tpm_name_algorithm_unsupported',
  'tpm_name_algorithm_weak',
  'tpm_name_mismatch',
  'tpm_subject_not_empty',
  'tpm_alternative_name_missing',
  'tpm_alternative_name_malformed',
  'tpm_manufacturer_unknown',
  'tpm_key_purpose_missing',

  // The Android key format (§8.4).
  'android_key_mismatch',
  'android_extension_missing',
  'android_extension_malformed',
  'android_challenge_mismatch',
  'android_all_applications',
  'android_origin_not_generated',
  'android_purpose_not_sign',

  // The SafetyNet format (§8.5).
  'safetynet_version_missing',
  'safetynet_response_malformed',
  'safetynet_nonce_mismatch',
  'safetynet_integrity_failed',
  'safetynet_timestamp_stale',
  'safetynet_host_mismatch',

  // The FIDO U2F format (§8.6).
  'u2f_aaguid_not_zero',
  'u2f_certificate_count',
  'u2f_certificate_key',
  'u2f_credential_key',

  // The Apple format (§8.8).
  'apple_nonce_missing',
  'apple_nonce_malformed',
  'apple_nonce_mismatch',
  'apple_key_mismatch',

  // Trust in an attestation (§7.1 step 24).
  'attestation_none_refused',
  'attestation_self_refused',
  'attestation_untrusted',
  'attestation_root_unknown',
  'attestation_model_revoked',
  'attestation_roots_missing',
  'attestation_root_expired',
  'attestation_root_not_yet_valid',
] as const

export type FailureWord = (typeof FAILURE_WORDS)[number]

/** Failures that the service decides without the judge. */
export const SERVICE_FAILURES = ['second_opinion_disagrees', 'credential_busy', 'credential_limit'] as const

export type ServiceFailure = (typeof SERVICE_FAILURES)[number]

/** Why a phone rejects; another phone may send a different word. */
export const REJECTIONS = ['user_rejected', 'no_matching_credential'] as const

export const failureWord = (error = ''): string => error.split(':')[0] ?? ''

export type ResultWord = FailureWord | ServiceFailure | (typeof REJECTIONS)[number]
