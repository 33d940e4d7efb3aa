import { MESSAGE_STATES } from '../../protocol/message-state.ts'
import { newPhone, phoneRoutes } from '../control/phone-routes.ts'
import { simulatorRoutes } from '../control/simulator-routes.ts'
import { answer, choice, dictionary, list, object, optional, refined, text, typed, type ValueOf } from '../schema.ts'
import {
  amount,
  as,
  change,
  type Limit,
  limit,
  messageReference,
  phone,
  rp,
  shortName,
  since,
  textPattern,
  until,
} from './parts.ts'

const { user_id, username, display_name, credential_name, form } = simulatorRoutes['simulator.register'].body.properties
const { method } = simulatorRoutes['simulator.sign-in'].body.properties

export const rpSteps = {
  register: object({ user_id, username, display_name, credential_name, form, rp, as }),
  sign_in: object({ user_id, username, method, form, rp, as }),
  expect: object({
    status: choice(MESSAGE_STATES),
    message: messageReference,
    error: optional(textPattern),
    user_id: optional(textPattern),
    svc_user: optional(textPattern),
    until,
  }),
  expect_credentials: refined(
    object({
      user_id,
      count: optional(amount),
      credentials: optional(list(dictionary('Fields of a credential, in the order of the list.'))),
      rp,
      until,
    }),
    ({ count, credentials }) => count !== undefined || credentials !== undefined,
    { code: 'any_of', params: { forms: ['{user_id, count}', '{user_id, credentials}'] } },
  ),
  delete_credential: object({ user_id, credential_name: optional(text('Which one, where the user has several.')), rp }),
}

type Waited = Readonly<Record<string, unknown>> & { readonly until?: Limit }
type Unwanted = Readonly<Record<string, unknown>> & { readonly within?: Limit }

const fieldsBeside = (limitName: string, properties: Readonly<Record<string, typeof until>>) =>
  refined(answer(properties), (input) => Object.keys(input).some((key) => key !== limitName), { code: 'event_fields' })

export const eventSteps = {
  wait: typed<Waited>(fieldsBeside('until', { until })),
  no_event: typed<Unwanted>(fieldsBeside('within', { within: optional(limit) })),
  mark: object({ as: shortName('A name for this moment, for `since`.') }),
  expect_events: refined(
    object({
      of: optional(dictionary('Fields of the events that are counted.')),
      count: optional(amount),
      in_order: optional(list(dictionary('Fields of an event.'), { minItems: 2 })),
      since,
      until,
    }),
    ({ of, count, in_order }) => (of === undefined) === (count === undefined) && (of ?? in_order) !== undefined,
    { code: 'any_of', params: { forms: ['{of, count}', '{in_order}'] } },
  ),
}

export type EventExpectation = ValueOf<typeof eventSteps.expect_events>

const { storage, delay_ms } = phoneRoutes['phones.approve'].body.properties
const { reason } = phoneRoutes['phones.reject'].body.properties
const { name: _, ...madeWith } = newPhone
const alone = object({ phone })

export const phoneSteps = {
  scan: refined(
    object({
      phone,
      message: messageReference,
      url: optional(text('What the code says, where your own RP shows it.')),
      image: optional(text('A PNG or JPEG in base64, which the phone reads.')),
    }),
    (input) => [input.message, input.url, input.image].filter((one) => one !== undefined).length < 2,
    { code: 'any_of', params: { forms: ['{phone, message}', '{phone, url}', '{phone, image}'] } },
  ),
  open: object({ phone, message: messageReference, until }),
  dismiss: object({ phone, message: messageReference, until }),
  approve: object({ phone, storage, delay_ms }),
  reject: object({ phone, reason }),
  fail_fingerprint: alone,
  home: alone,
  set_phone: object({ phone, ...phoneRoutes['phones.patch'].body.properties }, { ...change, minProperties: 2 }),
  new_phone: object({
    as: shortName('The short name that later steps use.'),
    name: optional(text('What it is called.')),
    ...madeWith,
  }),
  remove_phone: alone,
  sign_out_phone: alone,
  sign_in_phone: object({ phone, same_account_as: optional(text('The short name of a phone of the account.')) }),
  wipe_phone: alone,
  lose_phone: alone,
  sync_phone: alone,
  forget_credential: object({ phone, credential_name: optional(text('Which one, where the phone holds several.')) }),
  arm: object({ phone, ...phoneRoutes['phones.arm'].body.properties }),
  disarm: object({ phone, fault: optional(text('All of them when absent.')) }),
  expect_phone: refined(
    answer({ phone, until }),
    (input) => Object.keys(input).some((key) => key !== 'phone' && key !== 'until'),
    { code: 'phone_fields' },
  ),
}
