/** The judge's failure words, with their English sentences. Public: a word never changes its meaning. */
const judgeFailures = {
  // The answer as JSON (WebAuthn §5.1.7).
  malformed_response: 'The answer is not a public key credential in JSON form.',
  response_too_large: 'A member of the answer is larger than any authenticator makes it.',
  credential_type_mismatch: 'The type of the credential is not "public-key".',
  credential_id_missing: 'The answer names no credential.',
  credential_id_malformed: 'The credential ID is not base64url without padding.',
  raw_id_mismatch: 'id and rawId are not the same credential ID.',
  response_kind_mismatch: 'The answer belongs to the other ceremony.',
  response_member_missing: 'A required member of the response is missing.',
  response_member_malformed: 'A member of the response is not what its type says.',
  not_base64url: 'A binary member is not base64url without padding.',
  client_extension_results_malformed: 'clientExtensionResults is missing or not an object.',

  // Client data (§5.8.1).
  malformed_client_data: 'The client data is not a JSON object.',
  client_data_not_utf8: 'The client data is not UTF-8 text.',
  client_data_duplicate_member: 'The client data has a member twice.',
  type_missing: 'The client data has no type.',
  type_mismatch: 'The client data was made for another ceremony.',
  challenge_missing: 'The client data has no challenge.',
  challenge_mismatch: 'The signed challenge is not the one that was asked.',
  challenge_encoding: 'The challenge is the right one, but not in base64url without padding.',
  origin_missing: 'The client data has no origin.',
  origin_mismatch: 'This origin is not allowed for the relying party.',
  cross_origin_malformed: 'crossOrigin is neither true nor false.',
  cross_origin_not_allowed: 'The ceremony ran in a cross-origin frame, which the relying party does not expect.',
  top_origin_malformed: 'topOrigin is not a string.',
  top_origin_without_cross_origin: 'There is a topOrigin although crossOrigin is not true.',
  top_origin_mismatch: 'The page around the frame is not one the relying party expects.',
  token_binding_malformed: 'The reserved member tokenBinding is not what it once was defined to be.',

  // CBOR (CTAP2 §8), wherever it is.
  cbor_not_minimal: 'A CBOR number or length is not in its shortest form.',
  cbor_keys_unordered: 'The keys of a CBOR map are not in canonical order.',
  cbor_duplicate_key: 'A CBOR map has a key twice.',
  cbor_tag_present: 'A CBOR value carries a tag, which the canonical form does not allow.',
  cbor_value_unassigned: 'A CBOR value has no meaning assigned to it.',
  cbor_indefinite_length: 'A CBOR item has no definite length.',
  cbor_too_deep: 'CBOR is nested too deep.',
  cbor_too_many_items: 'There are too many CBOR items.',

  // The attestation object (§6.5).
  malformed_attestation_object: 'The attestation object is not well-formed CBOR with the members it must have.',
  attestation_object_extra_member: 'The attestation object has a member that is not defined.',
  trailing_bytes: 'Bytes are left over after the end of a structure.',

  // Authenticator data (§6.1, §6.5.1).
  authenticator_data_too_short: 'The authenticator data is shorter than 37 bytes.',
  rp_id_hash_mismatch: 'The authenticator data was made for another RP ID.',
  flags_reserved_set: 'A reserved bit of the flags is set.',
  user_presence_missing: 'The user presence bit is not set.',
  user_verification_missing: 'User verification was required, and its bit is not set.',
  backup_state_invalid: 'A credential that cannot be backed up says that it is.',
  backup_eligibility_changed: 'The backup eligibility is not what it was at registration.',
  attested_credential_data_missing: 'There is no attested credential data.',
  attested_credential_data_unexpected: 'Attested credential data has no place in an authentication.',
  attested_credential_data_truncated: 'The attested credential data ends too early.',
  credential_id_empty: 'The attested credential ID is empty.',
  credential_id_too_long: 'The attested credential ID has more than 1,023 bytes.',
  extensions_missing: 'The extension bit is set, but there is no extension data.',
  extensions_malformed: 'The extension data is not a CBOR map with text keys.',

  // The credential public key (§5.8.5, §6.5.1, RFC 9052).
  malformed_public_key: 'The public key is not a COSE key with the members of its type.',
  public_key_extra_member: 'The public key carries members beside those that make the key.',
  public_key_private_part: 'The public key carries its private part.',
  public_key_type_unsupported: 'The type of the public key is not known.',
  public_key_type_mismatch: 'The type of the public key does not fit its algorithm.',
  public_key_curve_mismatch: 'The curve of the public key does not fit its algorithm.',
  public_key_length: 'A part of the public key does not have the length its algorithm wants.',
  public_key_point_compressed: 'The public key is a compressed point.',
  public_key_not_on_curve: 'The public key is not a point of its curve.',
  public_key_exponent: 'The RSA exponent is not an odd number above 2.',
  unsupported_algorithm: 'The algorithm of the public key is not known.',
  algorithm_not_requested: 'The algorithm of the public key is not one that was asked for.',

  // The new credential of a registration.
  credential_already_registered: 'The credential is registered already.',
  credential_id_mismatch: 'The answer names another credential than the one that is attested.',
  authenticator_data_mismatch: 'authenticatorData differs from what the attestation object contains.',
  public_key_mismatch: 'publicKey differs from what the attestation object contains.',
  public_key_algorithm_mismatch: 'publicKeyAlgorithm differs from what the attestation object contains.',

  // Credential, signature and counter of an authentication.
  credential_not_allowed: 'The credential is not one of those that were asked for.',
  credential_unknown: 'No such credential is registered.',
  credential_of_another_user: 'The credential belongs to another user.',
  user_handle_mismatch: 'The user handle is another user.',
  stored_key_malformed: 'The stored public key cannot be used.',
  malformed_signature: 'The signature is not in the form its algorithm wants.',
  signature_invalid: 'The signature does not verify with the public key.',
  algorithm_unavailable: 'The algorithm cannot be computed here, so the signature is not verified.',
  counter_regression: 'The signature counter did not grow.',

  // Outputs of the extensions that were asked for (§10, CTAP2 §12).
  extension_output_malformed: 'An extension output does not have the form that its extension defines.',
  resident_key_contradicted: 'credProps says that the credential is not discoverable, and that was required.',
  prf_contradicted: 'The output of prf does not fit what was asked for.',
  prf_output_length: 'An output of the PRF does not have the length that it must have.',
  large_blob_contradicted: 'The output of largeBlob does not fit what was asked for.',
  credential_protection_weaker: 'credProtect is a weaker level than the one that was asked for.',

  // Attestation statements (§8), in any format.
  attestation_format_unsupported: 'The attestation format is not known.',
  malformed_attestation_statement: 'The attestation statement does not have the form its format wants.',
  attestation_statement_member_missing: 'The attestation statement lacks a member.',
  attestation_statement_extra_member: 'The attestation statement has a member its format does not define.',
  attestation_statement_not_empty: 'The format "none" must come with an empty statement.',
  attestation_algorithm_mismatch: 'The algorithm of the attestation does not fit the key that signed it.',
  attestation_algorithm_unsupported: 'The algorithm of the attestation is not known.',
  attestation_signature_malformed: 'The attestation signature is not in the form its algorithm wants.',
  attestation_signature_invalid: 'The attestation signature does not verify.',

  // Certificates of an attestation (§8.2.1, §8.3.1, RFC 5280).
  attestation_chain_empty: 'The attestation names certificates but brings none.',
  attestation_certificate_malformed: 'A certificate of the attestation cannot be read.',
  attestation_certificate_version: 'The attestation certificate is not of version 3.',
  attestation_certificate_constraints_missing: 'The attestation certificate has no basic constraints.',
  attestation_certificate_is_ca: 'The attestation certificate is that of a certificate authority.',
  attestation_certificate_country: 'The subject of the attestation certificate names no country.',
  attestation_certificate_organization: 'The subject of the attestation certificate names no vendor.',
  attestation_certificate_unit: 'The unit of the attestation certificate is not "Authenticator Attestation".',
  attestation_certificate_common_name: 'The subject of the attestation certificate has no common name.',
  attestation_certificate_aaguid_malformed: 'The AAGUID in the attestation certificate cannot be read.',
  attestation_certificate_aaguid_critical: 'The AAGUID in the attestation certificate is marked as critical.',
  attestation_certificate_aaguid_mismatch: 'The attestation certificate is for another model of authenticator.',
  attestation_certificate_key_unsupported: 'The key of a certificate is of a kind that is not known.',
  attestation_certificate_algorithm_unsupported: 'The signature of a certificate is of a kind that is not known.',
  attestation_certificate_extension_malformed: 'An extension of a certificate cannot be read.',
  attestation_certificate_critical_extension: 'A certificate has a critical extension that is not known.',
  attestation_certificate_policy_missing: 'A certificate of the chain demands a policy, and none is left.',
  attestation_certificate_expired: 'The attestation certificate has expired.',
  attestation_certificate_not_yet_valid: 'The attestation certificate is not valid yet.',
  attestation_issuer_expired: 'The certificate of an issuer has expired.',
  attestation_issuer_not_yet_valid: 'The certificate of an issuer is not valid yet.',
  attestation_issuer_not_ca: 'The certificate of an issuer is not that of a certificate authority.',
  attestation_issuer_may_not_certify: 'The key of an issuer is not meant for signing certificates.',
  attestation_chain_repeated: 'A certificate is in the chain twice.',
  attestation_chain_misordered: 'The certificates of the chain are in the wrong order.',
  attestation_chain_broken: 'A certificate of the chain was issued by somebody else than the next one.',
  attestation_chain_key_identifier_mismatch: 'A certificate of the chain was issued with another key of its issuer.',
  attestation_chain_too_long: 'The chain is longer than it may be.',
  attestation_chain_signature_invalid: 'The signature of a certificate does not verify with the key of its issuer.',

  // The TPM format (§8.3).
  tpm_version_unsupported: 'The attestation is not of TPM version 2.0.',
  tpm_pub_area_malformed: 'pubArea is not a TPM public area.',
  tpm_pub_area_key_mismatch: 'pubArea holds another key than the credential has.',
  tpm_cert_info_malformed: 'certInfo is not a TPM attestation structure.',
  tpm_magic_mismatch: 'certInfo was not generated by a TPM.',
  tpm_type_mismatch: 'certInfo does not certify a key.',
  tpm_extra_data_mismatch: 'certInfo was made for other data.',
  tpm_name_algorithm_unsupported: 'The hash of the TPM name is not known.',
  tpm_name_algorithm_weak: 'The TPM name is made with SHA-1.',
  tpm_name_mismatch: 'certInfo certifies another key than the one in pubArea.',
  tpm_subject_not_empty: 'The subject of the TPM certificate is not empty.',
  tpm_alternative_name_missing: 'The TPM certificate has no subject alternative name.',
  tpm_alternative_name_malformed: 'The TPM certificate does not name manufacturer, model and version.',
  tpm_manufacturer_unknown: 'The manufacturer of the TPM is not registered.',
  tpm_key_purpose_missing: 'The TPM certificate is not meant for attestation keys.',

  // The Android key format (§8.4).
  android_key_mismatch: 'The Android certificate is for another key than the credential has.',
  android_extension_missing: 'The Android certificate does not describe its key.',
  android_extension_malformed: 'The description of the Android key cannot be read.',
  android_challenge_mismatch: 'The Android key was attested for other client data.',
  android_all_applications: 'The Android key may be used by all applications.',
  android_origin_not_generated: 'The Android key was not generated on the device.',
  android_purpose_not_sign: 'The Android key is not for signing alone.',

  // The SafetyNet format (§8.5).
  safetynet_version_missing: 'The SafetyNet statement names no version.',
  safetynet_response_malformed: 'The SafetyNet response is not a signed JSON object.',
  safetynet_nonce_mismatch: 'The SafetyNet response was made for other data.',
  safetynet_integrity_failed: 'SafetyNet does not vouch for the device.',
  safetynet_timestamp_stale: 'The SafetyNet response is not from the last minute.',
  safetynet_host_mismatch: 'The SafetyNet response was not signed by attest.android.com.',

  // The FIDO U2F format (§8.6).
  u2f_aaguid_not_zero: 'A U2F authenticator has no AAGUID, but there is one.',
  u2f_certificate_count: 'A U2F attestation has exactly one certificate.',
  u2f_certificate_key: 'The key of the U2F certificate is not on P-256.',
  u2f_credential_key: 'A U2F credential is an ES256 key.',

  // The Apple format (§8.8).
  apple_nonce_missing: 'The Apple certificate carries no nonce.',
  apple_nonce_malformed: 'The nonce of the Apple certificate cannot be read.',
  apple_nonce_mismatch: 'The Apple certificate was made for other data.',
  apple_key_mismatch: 'The Apple certificate is for another key than the credential has.',

  // Trust in an attestation (§7.1 step 24).
  attestation_none_refused: 'There is no attestation, and a trusted one is required.',
  attestation_self_refused: 'The credential attests itself, and a trusted attestation is required.',
  attestation_untrusted: 'The attestation does not lead to a root that is trusted.',
  attestation_root_unknown: 'The issuer of the last certificate is not among the trusted roots.',
  attestation_model_revoked: 'The metadata reports this authenticator model as revoked or compromised.',
  attestation_roots_missing: 'There is no trusted root.',
  attestation_root_expired: 'The root of the attestation has expired.',
  attestation_root_not_yet_valid: 'The root of the attestation is not valid yet.',
} as const satisfies Readonly<Record<string, string>>

export type FailureWord = keyof typeof judgeFailures

export const FAILURE_WORDS = Object.keys(judgeFailures) as readonly FailureWord[]

/** Failures that the service decides without the judge. */
const serviceFailures = {
  second_opinion_disagrees: 'The second verifier refuses what the judge accepts.',
  credential_busy: 'The credential is used too often at once.',
  credential_limit: 'The user has as many credentials as are allowed.',
} as const

export type ServiceFailure = keyof typeof serviceFailures

/** Why a phone rejects; another phone may send a different word. */
const rejections = {
  user_rejected: 'The user rejected the request on the phone.',
  no_matching_credential: 'The phone has no credential for this request.',
} as const

/** Every word of a result that did not succeed. */
export const failures = { ...judgeFailures, ...serviceFailures, ...rejections }

export type ResultWord = keyof typeof failures
