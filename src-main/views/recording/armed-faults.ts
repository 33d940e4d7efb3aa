import type { ArmedServiceFault } from '../../core/contract/control/service-fault-routes.ts'
import type { RpOperation } from '../../core/contract/rp/routes.ts'
import { recordedScope } from './conditions.ts'
import { addStep, type Course, insertBeforeLast } from './course.ts'
import type { Exchange } from './index-events.ts'
import { reference } from './recorded-step.ts'

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
