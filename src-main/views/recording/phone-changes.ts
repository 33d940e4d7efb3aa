import type { ControlPhone } from '../../core/contract/control/states.ts'
import { addStep, type Course, messageName } from './course.ts'
import { changedMembers } from './recorded-step.ts'

type Changed = {
  readonly id: string
  readonly phone: string
  readonly before: ControlPhone
  readonly next: ControlPhone
}

export const recordPhoneChange = (course: Course, changed: Changed): void => {
  const { phone, before, next } = changed
  if (next.lost && !before.lost) return void addStep(course, 'lose_phone', { phone })
  if (before.signed_in && !next.signed_in) {
    return void addStep(course, next.screen.kind === 'lock' ? 'wipe_phone' : 'sign_out_phone', { phone })
  }
  if (!before.signed_in && next.signed_in) {
    return void addStep(course, 'sign_in_phone', { phone, same_account_as: phoneOfNewAccount(course, changed) })
  }
  const settings = changedMembers(settingsOf(before), settingsOf(next))
  if (Object.keys(settings).length > 0) return void addStep(course, 'set_phone', { phone, ...settings })
  if (next.faults.length !== before.faults.length) return void recordFaults(course, changed)
  const gone = before.notifications.filter(({ msg_id }) => !next.notifications.some((each) => each.msg_id === msg_id))
  const [swiped] = gone
  if (swiped !== undefined && gone.length === 1) {
    return void addStep(course, 'dismiss', { phone, message: messageName(course, swiped.msg_id) })
  }
  const forgotten = before.credentials.find(({ id }) => !next.credentials.some((each) => each.id === id))
  if (forgotten !== undefined && isForgottenByPhone(course, before, forgotten)) {
    const several = before.credentials.length > 1
    return void addStep(course, 'forget_credential', { phone, credential_name: several ? forgotten.name : undefined })
  }
  if (next.screen.kind === 'home' && before.screen.kind !== 'home') return void addStep(course, 'home', { phone })
  const looked = course.appCall?.request.route === '/app/vault' && course.appCall.request.method === 'GET'
  if (looked && before.inbox === next.inbox) addStep(course, 'sync_phone', { phone })
}

const settingsOf = ({ name, model, storage, behaviour, network, algorithm }: ControlPhone) => {
  return { name, model, storage, behaviour, network, algorithm: algorithm ?? null }
}

const recordFaults = (course: Course, { phone, before, next }: Changed): void => {
  const isIn = (list: ControlPhone['faults'], wanted: string): boolean => list.some(({ id }) => id === wanted)
  for (const fault of next.faults) if (!isIn(before.faults, fault.id)) addArmStep(course, phone, fault)
  const gone = before.faults.filter(({ id }) => !isIn(next.faults, id))
  if (gone.length > 0 && next.faults.length === 0) return void addStep(course, 'disarm', { phone })
  for (const { fault } of gone) addStep(course, 'disarm', { phone, fault })
}

/** Arms the fault for one use, unless it has other limits. */
export const addArmStep = (course: Course, phone: string, armed: ControlPhone['faults'][number]): void => {
  const { fault, left = 1, probability, parameters } = armed
  addStep(course, 'arm', { phone, fault, times: left === 1 ? undefined : left, probability, parameters })
}

/** True if the phone itself removed the credential; a removal from the vault by another phone also affects this one. */
const isForgottenByPhone = (
  { index }: Course,
  { device_id }: ControlPhone,
  { id, storage }: ControlPhone['credentials'][number],
): boolean => storage === 'chip' || index.forgotten.has(`${device_id} ${id}`)

/** The phone whose account this one has signed in to, if it had a different account before. */
const phoneOfNewAccount = ({ index, phones, phoneNames }: Course, { id, before, next }: Changed) => {
  const accountOf = (device: string | undefined): string | undefined => index.accounts.get(device ?? '')?.account
  const account = accountOf(next.device_id)
  if (account === undefined || account === accountOf(before.device_id)) return undefined
  const other = [...phones].find(([each, phone]) => each !== id && accountOf(phone.device_id) === account)
  return other === undefined ? undefined : phoneNames.of(other[0])
}
