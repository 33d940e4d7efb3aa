import { equalBytes } from '../../protocol/bytes.ts'
import { describeKey, sameKey } from '../algorithms.ts'
import { type AuthorizationList, decodeAndroidKeyDescription } from '../android-key-description.ts'
import { type Certificate, EXTENSION, showName } from '../certificate.ts'
import type { CheckList } from '../check-list.ts'
import { NOTHING, showBytes } from '../describe.ts'
import { type AttestationInput, type VerifyAttestation, verifyCertified } from './format.ts'

const KM_ORIGIN_GENERATED = 0
const KM_PURPOSE_SIGN = 2

/** WebAuthn §8.4. Keys may live in software too, so both authorization lists count. */
export const verifyAndroidKey: VerifyAttestation = (input) =>
  verifyCertified(input, (list, certificate) => {
    const { key } = input.authenticatorData.attested.key
    const matches = certificate.key !== undefined && sameKey(certificate.key, key)
    list.check('certificate_of_credential_key', matches, {
      word: 'android_key_mismatch',
      expected: describeKey(key),
      received: certificate.key ? describeKey(certificate.key) : showName(certificate.subject),
    })
    checkDescription(list, certificate, input)
  })

const checkDescription = (list: CheckList, certificate: Certificate, input: AttestationInput): void => {
  const extension = certificate.extensions.get(EXTENSION.androidKey)
  const there = list.check('key_described', extension !== undefined, { word: 'android_extension_missing' })
  if (!there || extension === undefined) return
  const description = decodeAndroidKeyDescription(extension.value)
  const readable = list.check('key_description_readable', description !== undefined, {
    word: 'android_extension_malformed',
  })
  if (!readable || description === undefined) return
  const { attestationChallenge, softwareEnforced, teeEnforced } = description
  list.check('challenge_hash', equalBytes(attestationChallenge, input.clientDataHash), {
    word: 'android_challenge_mismatch',
    expected: showBytes(input.clientDataHash),
    received: showBytes(attestationChallenge),
  })
  const open = softwareEnforced.allApplications || teeEnforced.allApplications
  list.check('key_not_for_all_applications', !open, { word: 'android_all_applications' })
  checkAuthorizations(list, [teeEnforced, softwareEnforced], input)
}

const checkAuthorizations = (list: CheckList, lists: readonly AuthorizationList[], { switches }: AttestationInput) => {
  const origins = lists.flatMap(({ origin }) => origin ?? [])
  const purposes = lists.flatMap((authorizations) => authorizations.purposes ?? [])
  const mayBeAbsent = switches.acceptAndroidKeyWithoutAuthorizations === true
  const holds = (values: readonly number[], wanted: number) =>
    values.every((value) => value === wanted) && (mayBeAbsent || values.length > 0)
  list.check('key_generated_on_device', holds(origins, KM_ORIGIN_GENERATED), {
    word: 'android_origin_not_generated',
    expected: String(KM_ORIGIN_GENERATED),
    received: origins.join(', ') || NOTHING,
  })
  list.check('key_for_signing_alone', holds(purposes, KM_PURPOSE_SIGN), {
    word: 'android_purpose_not_sign',
    expected: String(KM_PURPOSE_SIGN),
    received: purposes.join(', ') || NOTHING,
  })
}
