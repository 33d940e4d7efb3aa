import type { Coded, ParamsOf } from '../../protocol/coded.ts'

/** Libraries for a second opinion: the first judges a whole ceremony, the others signatures that it cannot check. */
export const OPINION_GIVERS = [
  '@simplewebauthn/server',
  '@peculiar/webcrypto',
  '@noble/curves',
  '@noble/post-quantum',
] as const
export type OpinionGiver = (typeof OPINION_GIVERS)[number]

/** The reason why no library gave an opinion, or the finding of one without a message, in English. */
export const opinions = {
  signature_not_verified: 'The signature does not verify.',
  credential_not_known: 'It needs a credential that is known.',
  algorithm_not_known: ({ algorithm }: { algorithm: string }) => `It does not know ${algorithm}.`,
  numbers_not_read: 'It does not read half floats and integers from 2^53.',
  compound_not_known: 'It does not know compound attestation.',
  safetynet_by_real_clock: 'It wants SafetyNet responses of the last minute of the real clock.',
  rsa_taken_for_pkcs1: 'It takes every RSA key in a certificate for one of PKCS #1.',
  certificate_key_not_read: 'It does not read attestation certificates with such a key.',
  revocation_list_named: 'A certificate names a revocation list, which it would fetch.',
  certificates_by_real_clock:
    'It judges certificates by the real clock, which here gives another result than the workspace’s.',
  android_root_wanted: 'It wants the root in the chain of an Android key.',
  root_taken_for_duplicate: 'It takes a root that comes with the chain for a duplicate.',
}

export type OpinionWords = Coded<ParamsOf<typeof opinions>>
