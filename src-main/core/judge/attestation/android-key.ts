import { type AuthorizationList, decodeAndroidKeyDescription } from '../android-key-description.ts'
import { type Certificate, EXTENSION } from '../certificate.ts'
import type { CheckList } from '../check-list.ts'
import { NO_EVIDENCE } from '../describe.ts'
import { type AttestationInput, checkOwnKey, checkSame, defineCertified } from './format.ts'

const KM_ORIGIN_GENERATED = 0
const KM_PURPOSE_SIGN = 2

/** WebAuthn §8.4. Keys may live in software too, so both authorization lists count. */
export const verifyAndroidKey = defineCertified((list, certificate, input) => {
  checkOwnKey(list, certificate, { word: 'android_key_mismatch', key: input.authenticatorData.attested.key.key })
  checkDescription(list, certificate, input)
})

const checkDescription = (list: CheckList, certificate: Certificate, input: AttestationInput): void => {
  const extension = certificate.extensions.get(EXTENSION.androidKey)
  if (!list.found('key_described', extension, { word: 'android_extension_missing' })) return
  const description = decodeAndroidKeyDescription(extension.value)
  if (!list.found('key_description_readable', description, { word: 'android_extension_malformed' })) return
  const { attestationChallenge, softwareEnforced, teeEnforced } = description
  const challenges = { expected: input.clientDataHash, received: attestationChallenge }
  checkSame(list, 'challenge_hash', { word: 'android_challenge_mismatch', ...challenges })
  const open = softwareEnforced.allApplications || teeEnforced.allApplications
  list.check('key_not_for_all_applications', !open, { word: 'android_all_applications' })
  checkAuthorizations(list, [teeEnforced, softwareEnforced], input)
}

const checkAuthorizations = (list: CheckList, lists: readonly AuthorizationList[], { relaxed }: AttestationInput) => {
  const origins = lists.flatMap(({ origin }) => origin ?? [])
  const purposes = lists.flatMap((authorizations) => authorizations.purposes ?? [])
  // A wrong origin or purpose stays refused.
  const mayBeAbsent = relaxed.includes('android-key-authorizations')
  const holds = (values: readonly number[], wanted: number) =>
    values.every((value) => value === wanted) && (mayBeAbsent || values.length > 0)
  list.check('key_generated_on_device', holds(origins, KM_ORIGIN_GENERATED), {
    word: 'android_origin_not_generated',
    expected: String(KM_ORIGIN_GENERATED),
    received: origins.join(', ') || NO_EVIDENCE,
  })
  list.check('key_for_signing_alone', holds(purposes, KM_PURPOSE_SIGN), {
    word: 'android_purpose_not_sign',
    expected: String(KM_PURPOSE_SIGN),
    received: purposes.join(', ') || NO_EVIDENCE,
  })
}
