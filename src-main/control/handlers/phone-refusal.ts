import { type Refusal, refuse } from '../../contract/errors.ts'
import { en } from '../../messages/en/en.ts'
import { phoneText } from '../../messages/phone-text.ts'
import type { PhoneRefusal } from '../../phone/phone-refusal.ts'

/** What a phone refuses, as the control interface says it. */
export const refusalOfPhone = (refusal: PhoneRefusal): Refusal => {
  const { word, detail, code } = refusal
  const data = {
    word,
    ...(detail === undefined ? {} : { detail }),
    ...(code === undefined ? {} : { service_code: code }),
  }
  return refuse(word.startsWith('no_such_') ? 'not_found' : 'phone_refused', phoneText(en, refusal), { data })
}
