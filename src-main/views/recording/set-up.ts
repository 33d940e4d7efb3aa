import { normalConditions } from '../../core/contract/conditions.ts'
import type { ControlPhone } from '../../core/contract/control/states.ts'
import type { BenchEvent } from '../../core/contract/events.ts'
import { defaultProfile } from '../../core/contract/profile.ts'
import { isFinal } from '../../core/protocol/message-state.ts'
import { recordArmed } from './armed-faults.ts'
import { differenceOf } from './bench-facts.ts'
import { recordConditions } from './conditions.ts'
import { addNote, addStep, type Course, rpName } from './course.ts'
import { phoneParts } from './made-phone.ts'
import { armStep } from './phone-changes.ts'
import type { Line } from './recorded-step.ts'

/** Steps that recreate the workspace at the beginning of the recording. */
export const setUp = (course: Course, before: readonly BenchEvent[]): readonly Line[] => {
  const lines: Line[] = []
  course.lines = lines
  course.ended.length = 0
  course.expired.length = 0
  course.headProfile = differenceOf(defaultProfile, course.profile)
  course.headPhones.clear()
  course.messages.clear()
  course.latest = undefined
  if (course.clock !== undefined) {
    const { now, frozen, speed } = course.clock
    addStep(course, 'clock', { now: Math.round(now), frozen, speed: speed === 1 ? undefined : speed })
  }
  const phones = [...course.phones.values()]
  for (const phone of phones) {
    const { behaviour: _, ...parts } = phoneParts(course, phone)
    course.headPhones.set(course.phoneNames.of(phone.id), parts)
  }
  registerForgotten(course, phones)
  registerAll(course, phones)
  for (const phone of phones) putBack(course, phone)
  const { conditions } = course
  course.conditions = normalConditions
  recordConditions(course, conditions)
  for (const armed of [...course.armed.values()]) recordArmed(course, armed)
  const open = underWay(before)
  if (open > 0) {
    addNote(course, { code: 'messages_under_way', params: { count: open } })
  }
  course.headIsOpen = false
  return lines
}

const underWay = (before: readonly BenchEvent[]): number => {
  const states = new Map(
    before.flatMap((event) => (event.kind === 'message' ? [[event.msg_id, event.to] as const] : [])),
  )
  return [...states.values()].filter((state) => !isFinal(state)).length
}

/** Passkeys that the service knows but no phone has: they are registered, then forgotten by the phone. */
const registerForgotten = (course: Course, phones: readonly ControlPhone[]): void => {
  const held = new Set(phones.flatMap(({ credentials }) => credentials.map(({ id }) => id)))
  const [phone] = phones
  for (const id of [...course.credentials.values()].flat()) {
    const owner = course.users.get(id)
    if (held.has(id) || owner === undefined || phone === undefined) continue
    const short = course.phoneNames.of(phone.id)
    addStep(course, 'register', { user_id: owner.user, username: owner.user, rp: rpName(course, owner.rp) })
    addStep(course, 'scan', { phone: short })
    addStep(course, 'approve', { phone: short, storage: phone.storage })
    addStep(course, 'expect', { status: 'success' })
    addStep(course, 'forget_credential', { phone: short })
  }
}

/** Each passkey once, even if several phones of its account have it. */
const registerAll = (course: Course, phones: readonly ControlPhone[]): void => {
  const made = new Set<string>()
  for (const phone of phones) {
    for (const { id, name, username, storage } of phone.credentials.toReversed()) {
      if (made.has(id)) continue
      made.add(id)
      const owner = course.users.get(id)
      if (owner === undefined) {
        addNote(course, { code: 'earlier_passkey', params: { credential: name, username } })
        continue
      }
      const short = course.phoneNames.of(phone.id)
      const user = { user_id: owner.user, username, credential_name: name, rp: rpName(course, owner.rp) }
      addStep(course, 'register', user)
      addStep(course, 'scan', { phone: short })
      addStep(course, 'approve', { phone: short, storage })
      addStep(course, 'expect', { status: 'success' })
      // Some faults need a sign-in before them.
      if (phone.faults.length === 0 || !course.used.has(id)) continue
      addStep(course, 'sign_in', { user_id: owner.user, username, method: 'qrcode', rp: rpName(course, owner.rp) })
      addStep(course, 'scan', { phone: short })
      addStep(course, 'approve', { phone: short })
      addStep(course, 'expect', { status: 'success' })
    }
  }
}

/** The state of a phone other than its passkeys. */
const putBack = (course: Course, phone: ControlPhone): void => {
  const short = course.phoneNames.of(phone.id)
  const { behaviour, network, lost, signed_in } = phone
  for (const fault of phone.faults) armStep(course, short, fault)
  const settings = {
    ...(behaviour.answer === 'ask' ? {} : { behaviour }),
    ...(network === 'online' || lost ? {} : { network }),
  }
  if (Object.keys(settings).length > 0) addStep(course, 'set_phone', { phone: short, ...settings })
  if (lost) addStep(course, 'lose_phone', { phone: short })
  else if (!signed_in) addStep(course, 'sign_out_phone', { phone: short })
}
