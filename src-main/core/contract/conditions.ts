import { APP_OPERATIONS } from './app/routes.ts'
import { errors } from './errors.ts'
import { RP_OPERATIONS } from './rp/routes.ts'
import * as t from './schema.ts'
import { type Scope, scope } from './scope.ts'

const upTo = (maximum: number, description: string) => t.whole(description, { minimum: 0, maximum })

const sideOf = (operations: readonly [string, ...string[]]) => ({
  latency_ms: upTo(600_000, 'Every answer waits this long, in real time.'),
  fail_next: upTo(1_000_000, 'The next n calls are refused before anything happens.'),
  fail_percent: upTo(100, 'How many of a hundred calls are refused, drawn from the seed.'),
  fail_code: t.errorCode('The code that those calls get; 50301 when absent.'),
  lose_next: upTo(1_000_000, 'The next n calls are carried out, and their answer is lost on the wire.'),
  lose_percent: upTo(100, 'How many of a hundred answers are lost, drawn from the seed.'),
  // A misspelt name would never match, and no error would show that.
  only: t.list(t.choice(operations), 'The operations to which this applies; an empty list: all.'),
})

const sides = { rp: sideOf(RP_OPERATIONS), app: sideOf(APP_OPERATIONS) }

const parts = t.allOptional({ rp: t.partial(sides.rp), app: t.partial(sides.app) })

/** The conditions to set; a patch keeps the others, a replacement makes them normal. */
export const conditionsPart = t.object({ ...parts, scope: t.optional(scope) })

/** Limited because each request searches all scopes. */
const MAX_SCOPES = 100

const both = { rp: t.answer(sides.rp), app: t.answer(sides.app) }

export const conditionsState = t.answer({
  ...both,
  scoped: t.optional(
    t.list(t.answer({ scope, ...both }), 'Beside those for everybody: conditions for one user, phone or message.'),
  ),
})

export const storedConditions = t.object({
  ...parts,
  scoped: t.optional(t.list(t.object({ scope, ...parts }), { maxItems: MAX_SCOPES })),
})

export type ConditionsPart = t.ValueOf<typeof conditionsPart>
export type Conditions = t.ValueOf<typeof conditionsState>
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

type Sides = Pick<Conditions, 'rp' | 'app'>
type SidesPart = Pick<ConditionsPart, 'rp' | 'app'>

const laidOver = (base: Sides, { rp, app }: SidesPart): Sides => ({
  rp: { ...base.rp, ...rp },
  app: { ...base.app, ...app },
})

export const isNormal = ({ latency_ms, fail_next, fail_percent, lose_next, lose_percent }: SideConditions): boolean =>
  latency_ms + fail_next + fail_percent + lose_next + lose_percent === 0

export const isSameScope = (one: Scope, other: Scope): boolean =>
  one.user_id === other.user_id && one.phone === other.phone && one.msg_id === other.msg_id

/** Normal conditions remove the scope's entry. Undefined if there are too many scopes. */
export const withSides = (base: Conditions, scope: Scope | undefined, sides: Sides): Conditions | undefined => {
  if (scope === undefined) return { ...base, ...sides }
  const { scoped = [], ...general } = base
  const others = scoped.filter((each) => !isSameScope(each.scope, scope))
  const next = isNormal(sides.rp) && isNormal(sides.app) ? others : [...others, { scope, ...sides }]
  if (next.length > MAX_SCOPES) return undefined
  return next.length === 0 ? general : { ...general, scoped: next }
}

export const sidesIn = (base: Conditions, scope: Scope | undefined): Sides =>
  scope === undefined ? base : (base.scoped?.find((each) => isSameScope(each.scope, scope)) ?? normalConditions)

export const withConditions = (base: Conditions, { scope, ...part }: ConditionsPart): Conditions | undefined =>
  withSides(base, scope, laidOver(sidesIn(base, scope), part))

export const replaceConditions = (base: Conditions, { scope, ...part }: ConditionsPart): Conditions | undefined =>
  withSides(base, scope, laidOver(normalConditions, part))

export const restoreConditions = ({ scoped = [], ...general }: t.ValueOf<typeof storedConditions>): Conditions =>
  scoped.reduce<Conditions>(
    (base, { scope, ...part }) => withConditions(base, { ...part, scope }) ?? base,
    laidOver(normalConditions, general),
  )
