import type { Expectations } from '../../explain/ceremony-case.ts'
import type { Profile } from '../../protocol/profile.ts'
import type { RpRecord } from '../store/records.ts'

/** What the RP and the profile expect of both ceremonies. */
export const expectationsOf = (rp: RpRecord, profile: Profile): Expectations => ({
  origins: rp.origins,
  rpId: rp.rp_id,
  ...(profile.top_origins.length === 0 ? {} : { crossOrigin: { allowed: true, topOrigins: profile.top_origins } }),
  switches: {
    acceptU2fAaguid: profile.u2f_aaguid === 'any',
    acceptUnknownTpmManufacturer: profile.tpm_manufacturer === 'any',
  },
})
