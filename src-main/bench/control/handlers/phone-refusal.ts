import type { Quota } from '../../../core/contract/control/workspace-about.ts'
import { quotaReached, type Refusal, refuse } from '../../../core/contract/errors.ts'
import type { PhoneRefusal } from '../../../phones/phone/phone-state.ts'

export const refusalOfPhone = ({ word, reason, code }: PhoneRefusal): Refusal => ({
  ...refuse(word.startsWith('no_such_') ? 'not_found' : 'phone_refused', reason),
  word,
  ...(code === undefined ? {} : { data: { service_code: code } }),
})

/** Checks the phones of a quota; the service checks the rest of it. */
export const beyondPhoneQuota = ({ phones = Number.POSITIVE_INFINITY }: Quota, count: number): Refusal | undefined =>
  count > phones ? quotaReached('phones', phones) : undefined
