import { plainNumber } from '../../core/contract/app/fields.ts'
import type { RandomSource } from '../../core/protocol/random.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { makePhoneNumber } from './account.ts'
import type { Phone } from './phone.ts'
import type { PhoneRecord } from './phone-record.ts'
import { type PhoneRefusal, refusePhone } from './phone-refusal.ts'
import type { NewPhone } from './phones-interface.ts'

/** The account of a phone: that of another phone, the one that is wanted, or a new one with the phone's name and a drawn number. */
export const accountFor = (
  wanted: Pick<NewPhone, 'name' | 'account' | 'same_account_as'>,
  { phones, random }: { readonly phones: ReadonlyMap<string, Phone>; readonly random: () => RandomSource },
): Result<PhoneRecord['account'], PhoneRefusal> => {
  if (wanted.same_account_as !== undefined) {
    const other = phones.get(wanted.same_account_as)?.core.record()
    return other?.account.secret === undefined ? err(refusePhone('no_such_account')) : ok(other.account)
  }
  const { name, phone } = wanted.account ?? { name: wanted.name, phone: makePhoneNumber(random()) }
  return ok({ name, phone: plainNumber(phone) })
}
