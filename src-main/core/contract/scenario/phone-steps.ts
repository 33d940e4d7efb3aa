import { phoneMakingRoutes } from '../control/phone-making-routes.ts'
import { phoneFaultRoutes, phoneHandRoutes } from '../control/phone-routes.ts'
import { answer, object, optional, refined, text } from '../schema.ts'
import { change, message, name, phone, until } from './parts.ts'

const { storage, delay_ms } = phoneHandRoutes['phones.approve'].body.properties
const { reason } = phoneHandRoutes['phones.reject'].body.properties
const alone = object({ phone })

/** Steps of a person with a phone, and changes to it. */
export const phoneSteps = {
  scan: refined(
    object({
      phone,
      message,
      url: optional(text('What the code says, where your own RP shows it.')),
      image: optional(text('A PNG or JPEG in base64, which the phone reads.')),
    }),
    (input) => [input.message, input.url, input.image].filter((one) => one !== undefined).length < 2,
    { code: 'any_of', params: { forms: ['{phone, message}', '{phone, url}', '{phone, image}'] } },
  ),
  open: object({ phone, message, until }),
  dismiss: object({ phone, message, until }),
  approve: object({ phone, storage, delay_ms }),
  reject: object({ phone, reason }),
  fail_fingerprint: alone,
  home: alone,
  set_phone: object({ phone, ...phoneMakingRoutes['phones.patch'].body.properties }, { ...change, minProperties: 2 }),
  new_phone: object({
    as: name('The short name that later steps use.'),
    name: optional(text('What it is called.')),
    ...withoutName(phoneMakingRoutes['phones.create'].body.properties),
  }),
  remove_phone: alone,
  sign_out_phone: alone,
  sign_in_phone: object({ phone, same_account_as: optional(text('The short name of a phone of the account.')) }),
  wipe_phone: alone,
  lose_phone: alone,
  sync_phone: alone,
  forget_credential: object({ phone, credential_name: optional(text('Which one, where the phone holds several.')) }),
  arm: object({ phone, ...phoneFaultRoutes['phones.arm'].body.properties }),
  disarm: object({ phone, fault: optional(text('All of them when absent.')) }),
  expect_phone: refined(
    answer({ phone, until }),
    (input) => Object.keys(input).some((key) => key !== 'phone' && key !== 'until'),
    { code: 'phone_fields' },
  ),
}

function withoutName<P extends { readonly name: unknown; readonly lease: unknown }>({
  name: _,
  lease: __,
  ...rest
}: P): Omit<P, 'name' | 'lease'> {
  return rest
}
