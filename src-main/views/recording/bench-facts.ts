import type { Conditions } from '../../core/contract/conditions.ts'
import type { ArmedServiceFault } from '../../core/contract/control/service-fault-routes.ts'
import type { BenchEvent, ClockFact, SettingFact } from '../../core/contract/events.ts'
import { defaultProfile, type Profile } from '../../core/contract/profile.ts'
import { recordArmed, recordDisarmed } from './armed-faults.ts'
import { recordConditions } from './conditions.ts'
import { addCause, addNote, addStep, type Course, rpVariable, settle } from './course.ts'
import { reference } from './recorded-step.ts'

/** The effects of the change have been recorded before it. */
export const recordClock = (course: Course, event: ClockFact & Pick<BenchEvent, 'wall'>): void => {
  const before = course.clock
  const { change, now, frozen, speed, wall } = event
  // A clock that shows real time was not set.
  course.clock = event.real === true ? undefined : { now, wall, frozen, speed }
  const expired = course.expired.splice(0)
  if (event.real === true) {
    addCause(course, 'clock', { real: true })
    return void settle(course)
  }
  if (change !== 'advanced') {
    const setting = change === 'set' ? { now, frozen } : { frozen }
    addCause(course, 'clock', { ...setting, speed: speed === 1 && (before?.speed ?? 1) === 1 ? undefined : speed })
    return void settle(course)
  }
  const then = before === undefined ? wall : before.now + (before.frozen ? 0 : (wall - before.wall) * before.speed)
  const isNext = !frozen && expired.some((id) => Math.abs((course.messages.get(id)?.expiresAt ?? 0) - now) < NEAR_MS)
  addCause(course, 'advance', isNext ? { to: 'next-expiry' } : { ms: Math.max(0, Math.round(now - then)) })
  settle(course)
}

/** Tolerance, because a running clock advances while the call that moves it is in transit. */
const NEAR_MS = 50

export const recordSetting = (course: Course, fact: SettingFact): void => {
  const { subject, change, id = '', detail = {} } = fact
  switch (subject) {
    case 'profile':
      return void recordProfile(course, detail as Profile)
    case 'conditions':
      return void recordConditions(course, detail as unknown as Conditions)
    case 'fault':
      if (change === 'armed') recordArmed(course, detail as unknown as ArmedServiceFault)
      else recordDisarmed(course, id)
      return
    case 'rp':
      return void recordRp(course, { change, id, detail })
    case 'access_key':
      return void recordKey(course, { change, detail })
    case 'snapshot':
      return void recordSnapshot(course, { change, id, detail })
    case 'root':
      // The bench trusts its own makers automatically.
      if (!String(detail.name ?? '').startsWith('Handset '))
        addNote(course, { code: 'root_changed', params: { change } })
      return
    case 'lease':
      return
    case 'user':
      return void addNote(course, { code: 'user_changed', params: { change } })
  }
}

const recordProfile = (course: Course, profile: Profile): void => {
  const changed = differenceOf(course.profile, profile)
  course.profile = profile
  if (course.headIsOpen) course.headProfile = differenceOf(defaultProfile, profile)
  else if (Object.keys(changed).length > 0) addStep(course, 'profile', changed)
}

export const differenceOf = (before: Profile, after: Profile): Readonly<Record<string, unknown>> => {
  const known = before as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(after).filter(([key, value]) => JSON.stringify(known[key]) !== JSON.stringify(value)),
  )
}

type Change = Pick<SettingFact, 'change'> & { readonly id: string; readonly detail: Readonly<Record<string, unknown>> }

const recordRp = (course: Course, { change, id, detail }: Change): void => {
  // In a scenario, the expectations replace the RP's checks, so its `care` needs no step.
  if (change === 'created' || change === 'care') return
  const rp = reference(rpVariable(course, id))
  if (change === 'deleted') return void addStep(course, 'control', { call: 'rps.delete', params: { rp } })
  const { name, rp_id, origins } = detail
  addStep(course, 'control', { call: 'rps.patch', params: { rp }, body: { name, rp_id, origins } })
}

const recordKey = (course: Course, { change, detail }: Omit<Change, 'id'>): void => {
  if (change === 'created') return
  const variable = rpVariable(course, String(detail.rp))
  if (detail.rp === undefined || (change !== 'disabled' && change !== 'enabled')) {
    return void addNote(course, { code: 'access_key_changed', params: { change } })
  }
  const of = variable.replace(/id$/, '')
  const params = { rp: reference(`${of}id`), key: reference(`${of}access_key_id`) }
  addStep(course, 'control', {
    call: 'keys.patch',
    params,
    body: { state: change === 'disabled' ? 'disabled' : 'active' },
  })
}

const recordSnapshot = (course: Course, { change, id, detail }: Change): void => {
  if (change === 'created') {
    const { phones, armed, conditions, profile } = course
    course.kept.set(id, { phones: new Map(phones), armed: new Map(armed), conditions, profile })
    return void addStep(course, 'snapshot', { as: course.snapshots.give(id, String(detail.name ?? '')) })
  }
  addNote(course, { code: 'snapshot_changed', params: { change } })
}
