import {
  type Conditions,
  isNormal,
  isSameScope,
  normalConditions,
  type SideConditions,
  withSides,
} from '../../core/contract/conditions.ts'
import type { ArmedServiceFault } from '../../core/contract/control/service-fault-routes.ts'
import type { ControlPhone } from '../../core/contract/control/states.ts'
import type { RpOperation } from '../../core/contract/rp/routes.ts'
import type { Scope } from '../../core/contract/scope.ts'
import { parseJsonObject } from '../timeline/json-member.ts'
import { addStep, type Course, changedMembers, insertBeforeLast, messageId, reference } from './course.ts'
import { type Exchange, targetQuery } from './index-events.ts'

type Entry = Pick<Conditions, 'rp' | 'app'> & { readonly scope?: Scope }

/** Records one step for the workspace's conditions and one for each scope, if they changed. */
export const recordConditions = (course: Course, next: Conditions): void => {
  const [before, after] = [withoutChance(course.conditions), withoutChance(next)]
  course.conditions = next
  const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
  if (!same([before.rp, before.app], [after.rp, after.app])) addStep(course, 'conditions', sidesOf(after))
  const { scoped: old = [] } = before
  const { scoped = [] } = after
  for (const each of scoped) {
    if (!old.some((one) => same(one, each)))
      addStep(course, 'conditions', { ...sidesOf(each), scope: recordedScope(course, each.scope) })
  }
  for (const { scope } of old) {
    if (!scoped.some((one) => isSameScope(one.scope, scope)))
      addStep(course, 'conditions', { ...sidesOf(normalConditions), scope: recordedScope(course, scope) })
  }
}

/** Random conditions of RP calls are recorded by effect, because another run would draw differently. */
const withoutChance = (conditions: Conditions): Conditions => {
  const { scoped = [], ...general } = conditions
  // Scopes in normal conditions are left out.
  const kept = scoped.map(drawnFrom).filter(({ rp, app }) => !isNormal(rp) || !isNormal(app))
  return { ...drawnFrom(general), ...(kept.length === 0 ? {} : { scoped: kept }) }
}

const drawnFrom = <E extends Entry>(entry: E): E => ({
  ...entry,
  rp: { ...entry.rp, fail_percent: 0, lose_percent: 0 },
})

/** Counts down the conditions that affected a call, or returns them if they applied by chance. */
export const countConditions = (course: Course, call: Exchange, operation?: string): Entry | undefined => {
  const what = troubleOf(call)
  if (what === undefined) return undefined
  const side = call.interface
  const { scoped = [], ...general } = course.conditions
  for (const entry of [general, ...scoped] as readonly Entry[]) {
    const own = entry[side]
    if (operation !== undefined && own.only.length > 0 && !own.only.includes(operation)) continue
    if (!mayBeIn(entry.scope, course, call)) continue
    if (own[`${what}_next`] > 0) {
      const counted = { ...entry, [side]: { ...own, [`${what}_next`]: own[`${what}_next`] - 1 } }
      course.conditions = withSides(course.conditions, entry.scope, counted) ?? course.conditions
      return undefined
    }
    if (own[`${what}_percent`] > 0) return entry
  }
  return undefined
}

/** Adds a step before a call with random trouble, so that the next call has the same trouble. */
export const recordRandomTrouble = (course: Course, call: Exchange, entry: Entry): void => {
  const what = troubleOf(call)
  if (what === undefined) return
  const { scope, ...sides } = drawnFrom(entry)
  const next = sidesOf({ ...sides, rp: { ...sides.rp, [`${what}_next`]: 1 } })
  insertBeforeLast(course, 'conditions', {
    ...next,
    scope: scope === undefined ? undefined : recordedScope(course, scope),
  })
}

const troubleOf = ({ conditions = {} }: Exchange): 'fail' | 'lose' | undefined =>
  conditions.failed !== undefined ? 'fail' : conditions.lost === true ? 'lose' : undefined

/** True if the call may be in the scope. The phone that took a message is not known here. */
const mayBeIn = (scope: Scope | undefined, { messages }: Course, call: Exchange): boolean => {
  if (scope === undefined) return true
  const { request, msg_id } = call
  const searchParams = targetQuery(call)
  const message = msg_id ?? searchParams.get('msg_id') ?? undefined
  const of = messages.get(message ?? '')?.step.input.user_id
  const user = parseJsonObject(request.body).user_id ?? searchParams.get('user_id') ?? of
  return (
    (scope.user_id === undefined || scope.user_id === user) && (scope.msg_id === undefined || scope.msg_id === message)
  )
}

const sidesOf = ({ rp, app }: Pick<Conditions, 'rp' | 'app'>): Record<string, unknown> =>
  isNormal(rp) && isNormal(app) ? { rp: { latency_ms: 0 } } : { ...sideOf('rp', rp), ...sideOf('app', app) }

const sideOf = (name: 'rp' | 'app', side: SideConditions): Record<string, unknown> =>
  isNormal(side) ? {} : { [name]: changedMembers(normalConditions[name], side) }

const recordedScope = (course: Course, { user_id, phone, msg_id }: Scope) => {
  const isNamed = ({ id, device_id }: ControlPhone): boolean => id === phone || device_id === phone
  const held = phone === undefined ? undefined : [...course.phones.values()].find(isNamed)
  return {
    user_id,
    phone: held === undefined ? phone : reference(`phones.${course.phoneNames.of(held.id)}.id`),
    msg_id: msg_id === undefined ? undefined : (messageId(course, msg_id) ?? msg_id),
  }
}

/** A random fault is recorded by its effect, because another run would draw differently. */
export const recordArmed = (course: Course, armed: ArmedServiceFault): void => {
  course.armed.set(armed.id, armed)
  const { id, fault, left = 1, probability, parameters, only, scope } = armed
  if (probability !== undefined) return
  const input = {
    fault,
    times: left === 1 ? undefined : left,
    parameters,
    only: only.length > 0 ? only : undefined,
    scope: scope === undefined ? undefined : recordedScope(course, scope),
  }
  addStep(course, 'arm_service', input, { save: { [course.faults.give(id, 'fault')]: '/id' } })
}

export const recordDisarmed = (course: Course, id: string): void => {
  const known = course.armed.get(id)
  if (id === '') {
    course.armed.clear()
    addStep(course, 'control', { call: 'service.disarm-all' })
    return
  }
  course.armed.delete(id)
  if (known === undefined || known.probability !== undefined) return
  addStep(course, 'control', { call: 'service.disarm', params: { id: reference(course.faults.of(id)) } })
}

/** Records the faults that were applied to a call for which a step was recorded. */
export const recordTriggeredFaults = (course: Course, { faults = [] }: Exchange, operation: RpOperation): void => {
  for (const { id, fault, parameters } of faults) {
    const armed = course.armed.get(id)
    if (armed?.left === undefined) insertBeforeLast(course, 'arm_service', { fault, parameters, only: [operation] })
  }
}

/** Counts down the limited faults, even if the call did not become a step. */
export const countFaults = (course: Course, { faults = [] }: Exchange): void => {
  for (const { id } of faults) {
    const armed = course.armed.get(id)
    if (armed?.left === undefined) continue
    if (armed.left > 1) course.armed.set(id, { ...armed, left: armed.left - 1 })
    else course.armed.delete(id)
  }
}
