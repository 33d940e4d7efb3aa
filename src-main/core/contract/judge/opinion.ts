import type { Coded, Nothing } from '../../protocol/coded.ts'

/** Libraries for a second opinion: the first judges a whole ceremony, the others signatures that it cannot check. */
export const OPINION_GIVERS = [
  '@simplewebauthn/server',
  '@peculiar/webcrypto',
  '@noble/curves',
  '@noble/post-quantum',
] as const
export type OpinionGiver = (typeof OPINION_GIVERS)[number]

/** The reason why no library gave an opinion, or the finding of one without a message. */
export type OpinionParams = {
  readonly signature_not_verified: Nothing
  readonly credential_not_known: Nothing
  readonly algorithm_not_known: { readonly algorithm: string }
  readonly numbers_not_read: Nothing
  readonly safetynet_by_real_clock: Nothing
  readonly compound_not_known: Nothing
  readonly rsa_taken_for_pkcs1: Nothing
  readonly certificate_key_not_read: Nothing
  readonly revocation_list_named: Nothing
  readonly certificates_by_real_clock: Nothing
  readonly android_root_wanted: Nothing
  readonly root_taken_for_duplicate: Nothing
}

export type OpinionWords = Coded<OpinionParams>
