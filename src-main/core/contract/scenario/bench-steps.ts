import type { ConditionsPart } from '../conditions.ts'
import { type RouteId, routes } from '../control/routes.ts'
import { newServiceFault } from '../control/service-fault-routes.ts'
import type { Profile } from '../profile.ts'
import { choice, constant, decimal, dictionary, expecting, flag, object, optional, text, typed } from '../schema.ts'
import { scope } from '../scope.ts'
import { change, message, name, until } from './parts.ts'

/** Calls that a step `control` can make: those of the scenario's own workspace. */
export const CONTROL_CALLS = (Object.keys(routes) as RouteId[]).filter((id) => {
  const route = routes[id]
  return route.scope === 'workspace' && !('stream' in route)
})

/** Steps on the workspace as a whole. */
export const benchSteps = {
  clock: object(
    {
      ...{ now: optional(decimal()), frozen: optional(flag()), speed: optional(decimal()) },
      real: optional(constant(true, 'Back to real time; it goes alone.')),
    },
    change,
  ),
  advance: typed<{ readonly s: number } | { readonly ms: number } | { readonly to: 'next-expiry' }>({
    anyOf: [object({ s: decimal() }), object({ ms: decimal() }), object({ to: constant('next-expiry') })],
    ...expecting({ code: 'any_of', params: { forms: ['{s: SECONDS}', '{ms: MILLISECONDS}', '{to: next-expiry}'] } }),
  }),
  expire: object({ message }),
  profile: typed<Partial<Profile>>({ ...dictionary(), ...change }),
  conditions: typed<ConditionsPart>(
    object({ rp: optional(dictionary()), app: optional(dictionary()), scope: optional(scope) }, change),
  ),
  arm_service: newServiceFault,
  snapshot: object({ as: name('A name for the snapshot.') }),
  restore: object({ snapshot: text('What an earlier step `snapshot` named.') }),
  control: object({
    call: choice(CONTROL_CALLS as [RouteId, ...RouteId[]], 'A call of the control interface, by its name.'),
    params: optional(dictionary('What stands in its path.')),
    query: optional(dictionary()),
    body: optional(dictionary()),
    until,
  }),
}
