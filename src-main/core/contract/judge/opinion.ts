import type { Coded, NoParams } from '../../protocol/coded.ts'

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
  readonly signature_not_verified: NoParams
  readonly credential_not_known: NoParams
  readonly algorithm_not_known: { readonly algorithm: string }
  readonly numbers_not_read: NoParams
  readonly safetynet_by_real_clock: NoParams
  readonly compound_not_known: NoParams
  readonly rsa_taken_for_pkcs1: NoParams
  readonly certificate_key_not_read: NoParams
  readonly revocation_list_named: NoParams
  readonly certificates_by_real_clock: NoParams
  readonly android_root_wanted: NoParams
  readonly root_taken_for_duplicate: NoParams
}

export type OpinionWords = Coded<OpinionParams>
