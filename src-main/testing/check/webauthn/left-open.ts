import type { FaultName } from '../../../core/contract/faults.ts'
import type { FailureWord } from '../../../core/contract/judge/failure-words.ts'

type LeftOpen = readonly (readonly [sentence: string, ...mistakes: (FailureWord | FaultName)[]])[]

/** Each entry says why no step of §7 demands a refusal, then lists the mistakes that only a strict server refuses. */
const LEFT_OPEN: LeftOpen = [
  ['UTF-8 decode in §7.1 step 5 and §7.2 step 8 replaces such bytes', 'client_data_not_utf8'],
  ['§7.1 step 6 and §7.2 step 9 leave the JSON parser to the server', 'client_data_duplicate_member'],
  ['§5.8.1 reserves the name, and no step reads the member', 'token_binding_malformed'],
  ['§7.1 step 10 and §7.2 step 13 ask only whether the member is true', 'cross_origin_malformed'],
  [
    '§13.4.9 lets a server take an origin apart and expect any subdomain; one with one origin SHOULD compare it exactly',
    'origin-with-slash',
    'origin-other-subdomain',
  ],
  [
    '§7 leaves open by which methods a page delivers an answer, and its JSON is only one',
    'credential_type_mismatch',
    'credential_id_malformed',
    'not_base64url',
    'transports-mistyped',
  ],
  [
    '§5.1 makes id the base64url form of rawId, and §7.1 step 27 lets a server read either',
    'credential_id_missing',
    'raw_id_mismatch',
  ],
  [
    'no step compares these copies with what the authenticator data has',
    'credential_id_mismatch',
    'authenticator_data_mismatch',
    'public_key_mismatch',
    'public_key_algorithm_mismatch',
  ],
  [
    'a server MAY ignore extension outputs, as §7.1 step 28 and §7.2 step 23 say',
    'client_extension_results_malformed',
    'extensions_missing',
    'extensions_malformed',
    'extension_output_malformed',
    'prf_output_length',
    'resident_key_contradicted',
    'large_blob_contradicted',
    'credential_protection_weaker',
  ],
  ['§6.1 reserves these flags, and no step reads them', 'flags_reserved_set'],
  ['§6.1 forbids the flag to the authenticator, and no step of §7.2 reads it', 'attested_credential_data_unexpected'],
  ['no step asks whether bytes are left over', 'trailing_bytes'],
  [
    'the rules of §5.8.5 and §6.5.1 for keys and CBOR bind the authenticator, and §7.1 step 13 only decodes',
    'cbor_not_minimal',
    'cbor_keys_unordered',
    'cbor_duplicate_key',
    'cbor_indefinite_length',
    'cbor_tag_present',
    'public_key_extra_member',
    'public_key_private_part',
    'public_key_point_compressed',
  ],
  ['§7.1 step 13 reads three members, and no step asks for others', 'attestation_object_extra_member'],
  ['§8.2 calls the encoding of its statement extensible', 'attestation_statement_extra_member'],
  ['the procedure of §8.7 returns without looking at the statement', 'attestation_statement_not_empty'],
  ['§7.1 step 25 has a greatest length and no least', 'credential_id_empty'],
  ['§7.1 step 25 says that it SHOULD be refused', 'credential_id_too_long'],
  ['§7.1 step 26 says that it SHOULD be refused', 'credential_already_registered'],
  ['§8 says nothing of how the signature of a certificate is encoded', 'certificate-unused-bits'],
  ['§8.3.1 asks for the form of a maker’s name, and the registry of makers grows', 'tpm_manufacturer_unknown'],
  ['the procedure of §8.6 reads no AAGUID', 'u2f_aaguid_not_zero'],
  ['§8.5 reserves ver for future use', 'safetynet_version_missing'],
  ['§8.5 leaves the time to the documentation of SafetyNet, which names no limit', 'safetynet_timestamp_stale'],
  ['§8.5 compares the nonce and the sender, and not the state of the phone', 'safetynet_integrity_failed'],
]

/** Keys that cannot verify any signature. */
export const UNUSABLE_KEYS: readonly FaultName[] = [
  ...(['key-not-on-curve', 'key-coordinate-short', 'key-coordinate-missing', 'key-curve-wrong'] as const),
  ...(['key-type-wrong', 'key-type-unknown', 'key-algorithm-of-other-kind'] as const),
]

/** Like LEFT_OPEN, for a server that does not request attestation. */
export const LEFT_OPEN_WITHOUT_STATEMENT: LeftOpen = [
  ['without attestation no step of §7.1 verifies a signature by the key', ...UNUSABLE_KEYS],
  ['the procedure of §8.7 returns without looking at the statement', 'statement-mistyped'],
]

/** Like LEFT_OPEN, for FIDO's test API. */
export const LEFT_OPEN_BY_TEST_API: LeftOpen = [
  ['the test API requires a user handle, and an empty one means that there is none', 'user-handle-empty'],
]

/** The sentence of WebAuthn Level 3 by which a server may accept this mistake. */
export const findOpenRule = (
  { fault, word }: { readonly fault?: FaultName; readonly word: string },
  also: LeftOpen = [],
): string | undefined =>
  [...also, ...LEFT_OPEN].find(([, ...mistakes]) => mistakes.some((each) => each === word || each === fault))?.[0]
