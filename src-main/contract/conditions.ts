import { APP_OPERATIONS } from './app/routes.ts'
import { errorCode } from './error-code.ts'
import { errors } from './errors.ts'
import { RP_OPERATIONS } from './rp/routes.ts'
import { answer, choice, list, object, optional, type ValueOf, whole } from './schema.ts'

const upTo = (maximum: number, description: string) => whole(description, { minimum: 0, maximum })

/** Trouble between the service and those who call it, as the user ordered it. */
const sideOf = (operations: readonly [string, ...string[]]) => ({
  latency_ms: upTo(600_000, 'Every answer waits this long, in real time.'),
  fail_next: upTo(1_000_000, 'The next n calls are refused before anything happens.'),
  fail_percent: upTo(100, 'How many of a hundred calls are refused, drawn from the seed.'),
  fail_code: errorCode('The code that those calls get; 50301 when absent.'),
  lose_next: upTo(1_000_000, 'The next n calls are carried out, and their answer is lost on the wire.'),
  lose_percent: upTo(100, 'How many of a hundred answers are lost, drawn from the seed.'),
  // A name that is misspelt would never be struck, and nobody would know why.
  only: list(choice(operations), { description: 'The operations to which this applies; an empty list: all.' }),
})

const sides = { rp: sideOf(RP_OPERATIONS), app: sideOf(APP_OPERATIONS) }

const partOf = (side: ReturnType<typeof sideOf>) =>
  object({
    latency_ms: optional(side.latency_ms),
    fail_next: optional(side.fail_next),
    fail_percent: optional(side.fail_percent),
    fail_code: optional(side.fail_code),
    lose_next: optional(side.lose_next),
    lose_percent: optional(side.lose_percent),
    only: optional(side.only),
  })

/** What of the conditions is ordered; the rest stays, or is normal. */
export const conditionsPart = object({ rp: optional(partOf(sides.rp)), app: optional(partOf(sides.app)) })

export const conditionsState = answer({ rp: answer(sides.rp), app: answer(sides.app) })

export type ConditionsPart = ValueOf<typeof conditionsPart>
export type Conditions = ValueOf<typeof conditionsState>
export type SideConditions = Conditions['rp']

const normalSide: SideConditions = {
  latency_ms: 0,
  fail_next: 0,
  fail_percent: 0,
  fail_code: errors.fault_injected.code,
  lose_next: 0,
  lose_percent: 0,
  only: [],
}

export const normalConditions: Conditions = { rp: normalSide, app: normalSide }

export const withConditions = (base: Conditions, { rp, app }: ConditionsPart): Conditions => ({
  rp: { ...base.rp, ...rp },
  app: { ...base.app, ...app },
})
