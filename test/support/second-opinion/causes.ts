import type { FailureWord } from '../../../src-main/core/contract/judge/failure-words.ts'

type Cause = { readonly title: string; readonly words: RegExp }

/** Why the library accepts what we refuse; the first that fits. Every word of ours belongs to one. */
const CAUSES: readonly Cause[] = [
  {
    title: 'It reads encodings leniently',
    words:
      /^(cbor_|not_base64url|credential_id_malformed|client_data_|trailing_bytes|malformed_(attestation_object|signature)|attestation_object_|extensions_|attestation_signature_malformed)/,
  },
  {
    title: 'It looks into a public key only when it verifies with it',
    words: /^(public_key_(?!mismatch|algorithm_mismatch)|malformed_public_key|unsupported_algorithm|stored_key_)/,
  },
  {
    title: 'It asks less of certificates, chains and statements',
    words: /^(attestation_|malformed_attestation_statement|tpm_|apple_|android_|safetynet_|u2f_)/,
  },
  { title: 'It does not look at frames', words: /^(cross_origin_|top_origin_|token_binding_)/ },
  { title: 'It does not compare or check the rest', words: /./ },
]

export const causeTitles: readonly string[] = CAUSES.map(({ title }) => title)

export const causeOf = (word: FailureWord): string => {
  const cause = CAUSES.find(({ words }) => words.test(word))
  if (cause === undefined) throw new Error(`no cause for ${word}`)
  return cause.title
}
