/**
 * Why a ceremony was refused: a machine word that stays, and one sentence for people. The words are part of the public
 * interface; a word is never given a second meaning, and a new cause gets a new word.
 */
export const failureSentences = {
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
  origin_mismatch: 'The origin is not one of the relying party.',
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

  // What a registration stores.
  credential_already_registered: 'The credential is registered already.',
  credential_id_mismatch: 'The answer names another credential than the one that is attested.',
  authenticator_data_mismatch: 'authenticatorData differs from what the attestation object contains.',
  public_key_mismatch: 'publicKey differs from what the attestation object contains.',
  public_key_algorithm_mismatch: 'publicKeyAlgorithm differs from what the attestation object contains.',

  // What an authentication needs.
  credential_not_allowed: 'The credential is not one of those that were asked for.',
  credential_unknown: 'No such credential is registered.',
  credential_of_another_user: 'The credential belongs to another user.',
  user_handle_mismatch: 'The user handle is another user.',
  stored_key_malformed: 'The stored public key cannot be used.',
  malformed_signature: 'The signature is not in the form its algorithm wants.',
  signature_invalid: 'The signature does not verify with the public key.',
  algorithm_unavailable: 'The algorithm cannot be computed here, so the signature is not verified.',
  counter_regression: 'The signature counter did not grow.',

  // Attestation statements (§8), whatever their format.
  attestation_format_unsupported: 'The attestation format is not known.',
  malformed_attestation_statement: 'The attestation statement does not have the form its format wants.',
  attestation_statement_member_missing: 'The attestation statement lacks a member.',
  attestation_statement_extra_member: 'The attestation statement has a member its format does not define.',
  attestation_statement_not_empty: 'The format "none" must come with an empty statement.',
  attestation_algorithm_mismatch: 'The algorithm of the attestation does not fit the key that signed it.',
  attestation_algorithm_unsupported: 'The algorithm of the attestation is not known.',
  attestation_signature_malformed: 'The attestation signature is not in the form its algorithm wants.',
  attestation_signature_invalid: 'The attestation signature does not verify.',

  // Trust in an attestation (§7.1 step 24).
  attestation_none_refused: 'There is no attestation, and a trusted one is required.',
  attestation_self_refused: 'The credential attests itself, and a trusted attestation is required.',
} as const satisfies Record<string, string>

export type FailureWord = keyof typeof failureSentences
