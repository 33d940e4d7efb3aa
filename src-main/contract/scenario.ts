import { MESSAGE_STATES } from '../protocol/message-state.ts'
import type { ConditionsPart } from './conditions.ts'
import { phoneFaultRoutes } from './control/phone-fault-routes.ts'
import { phoneHandRoutes } from './control/phone-hand-routes.ts'
import { phoneMakingRoutes } from './control/phone-making-routes.ts'
import { simulatorRoutes } from './control/simulator-routes.ts'
import { errorCode } from './error-code.ts'
import type { Profile } from './profile.ts'
import {
  answer,
  choice,
  constant,
  count,
  decimal,
  dictionary,
  expecting,
  flag,
  list,
  object,
  optional,
  refined,
  text,
  typed,
  type ValueOf,
  whole,
} from './schema.ts'

const LONGEST_MS = 600_000

const limit = typed<{ readonly s: number } | { readonly ms: number }>({
  anyOf: [
    object({ s: decimal(undefined, { minimum: 0.001, maximum: LONGEST_MS / 1000 }) }),
    object({ ms: whole(undefined, { minimum: 1, maximum: LONGEST_MS }) }),
  ],
  ...expecting({ code: 'time_limit' }),
})

const until = optional(limit)
const phone = text('Its short name.')
const message = optional(text('What an earlier step named by `as`; the latest one when absent.'))
const as = optional(text('A name for the message, for later steps.'))
const change = { minProperties: 1, ...expecting({ code: 'something_to_change' }) }

const { user_id, username, display_name, credential_name, form } = simulatorRoutes['simulator.register'].body.properties
const { method } = simulatorRoutes['simulator.sign-in'].body.properties
const { storage, delay_ms } = phoneHandRoutes['phones.approve'].body.properties
const { reason } = phoneHandRoutes['phones.reject'].body.properties

/**
 * What each step takes. Settings of the profile, the conditions and the clock are held against their own contract when
 * the step sets them, so that a scenario can show that one is refused.
 */
export const stepInputs = {
  register: object({ user_id, username, display_name, credential_name, form, as }),
  sign_in: object({ user_id, username, method, form, as }),
  scan: object({ phone, message }),
  open: object({ phone, message, until }),
  approve: object({ phone, storage, delay_ms }),
  reject: object({ phone, reason }),
  set_phone: object({ phone, ...phoneMakingRoutes['phones.patch'].body.properties }, { ...change, minProperties: 2 }),
  arm: object({ phone, ...phoneFaultRoutes['phones.arm'].body.properties }),
  expect: object({
    status: choice(MESSAGE_STATES),
    message,
    error: optional(text('The machine word.')),
    user_id: optional(text()),
    svc_user: optional(text()),
    until,
  }),
  expect_credentials: object({ user_id, count: count() }),
  clock: object({ now: optional(decimal()), frozen: optional(flag()), speed: optional(decimal()) }, change),
  advance: typed<{ readonly s: number } | { readonly ms: number } | { readonly to: 'next-expiry' }>({
    anyOf: [object({ s: decimal() }), object({ ms: decimal() }), object({ to: constant('next-expiry') })],
    ...expecting({ code: 'any_of', params: { forms: ['{s: SECONDS}', '{ms: MILLISECONDS}', '{to: next-expiry}'] } }),
  }),
  profile: typed<Partial<Profile>>({ ...dictionary(), ...change }),
  conditions: typed<ConditionsPart>(object({ rp: optional(dictionary()), app: optional(dictionary()) }, change)),
  wait: typed<Waited>(
    refined(answer({ until }), (input) => Object.keys(input).some((key) => key !== 'until'), { code: 'event_fields' }),
  ),
}

type Waited = Readonly<Record<string, unknown>> & { readonly until?: Limit }

export type Limit = ValueOf<typeof limit>
export type StepWord = keyof typeof stepInputs
export type StepInput<W extends StepWord> = ValueOf<(typeof stepInputs)[W]>

export const STEP_WORDS = Object.keys(stepInputs) as readonly StepWord[]

const refusedWith = optional(errorCode('The step must be refused with this code.'))

const step = typed<Readonly<Record<string, unknown>>>({
  anyOf: STEP_WORDS.map((word) => object({ [word]: stepInputs[word], refused: refusedWith })),
  ...expecting({ code: 'scenario_step', params: { words: STEP_WORDS } }),
})

/** A scenario's file; this is also the JSON Schema for editors. */
export const scenarioSchema = object(
  {
    name: text(undefined, { minLength: 1 }),
    about: optional(text('Shown when it is played.')),
    profile: optional(dictionary('Settings of the scenario’s workspace that differ from the defaults.')),
    phones: optional(
      typed<Readonly<Record<string, Readonly<Record<string, unknown>>>>>({
        type: 'object',
        additionalProperties: dictionary(),
        description: 'By short name what `POST /phones` takes.',
        ...expecting({ code: 'phones_by_name' }),
      }),
    ),
    steps: list(step, { minItems: 1 }),
  },
  expecting({ code: 'scenario' }),
)

export type ScenarioDocument = ValueOf<typeof scenarioSchema>
