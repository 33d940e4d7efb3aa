import type { Profile } from '../../core/contract/profile.ts'
import type { Expectations } from '../../core/judge/ceremony-case.ts'
import type { JudgeSwitches } from '../../core/judge/switches.ts'
import type { RpRecord } from '../store/records.ts'

/** What the RP and the profile expect of both ceremonies. */
export const expectationsOf = (rp: RpRecord, profile: Profile): Expectations => ({
  origins: rp.origins,
  rpId: rp.rp_id,
  ...(profile.top_origins.length === 0 ? {} : { crossOrigin: { allowed: true, topOrigins: profile.top_origins } }),
  switches: switchesOf(profile.judge_relaxes),
})

export const switchesOf = (relaxed: Profile['judge_relaxes']): JudgeSwitches => ({
  acceptU2fAaguid: relaxed.includes('u2f-aaguid'),
  acceptUnknownTpmManufacturer: relaxed.includes('tpm-manufacturer'),
  acceptTpmSha1Names: relaxed.includes('tpm-sha1-names'),
  acceptAndroidKeyWithoutAuthorizations: relaxed.includes('android-key-authorizations'),
  acceptAppleAlg: relaxed.includes('apple-alg'),
  acceptSignatureUnusedBits: relaxed.includes('certificate-unused-bits'),
  acceptNonCanonicalCbor: relaxed.includes('non-canonical-cbor'),
  acceptReservedFlags: relaxed.includes('reserved-flags'),
  acceptAnyTokenBinding: relaxed.includes('token-binding'),
})
