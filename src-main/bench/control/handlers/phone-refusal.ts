import type { Quota } from '../../../core/contract/control/workspace-about.ts'
import { quotaReached, type Refusal, refuse } from '../../../core/contract/errors.ts'

import type { PhoneRefusal } from '../../../phones/phone/phone-refusal.ts'

/** What a phone refuses, as the control interface says it. */
export const refusalOfPhone = ({ word, reason, code }: PhoneRefusal): Refusal => ({
  ...refuse(word.startsWith('no_such_') ? 'not_found' : 'phone_refused', reason),
  word,
  ...(code === undefined ? {} : { data: { service_code: code } }),
})

/** Why a workspace with this quota cannot have so many phones; what else a quota counts is the service's. */
export const beyondPhoneQuota = ({ phones = Number.POSITIVE_INFINITY }: Quota, count: number): Refusal | undefined =>
  count > phones ? quotaReached('phones', phones) : undefined
