import type { Conditions } from '../../core/contract/conditions.ts'
import type { ArmedServiceFault } from '../../core/contract/control/service-fault-routes.ts'
import type { ControlPhone } from '../../core/contract/control/states.ts'
import { errors } from '../../core/contract/errors.ts'
import type { BenchEvent, ClockFact, EventOf, PhoneFact, SettingFact } from '../../core/contract/events.ts'
import { defaultProfile, type Profile } from '../../core/contract/profile.ts'
import { failureWord } from '../../core/protocol/message-state.ts'
import { recordArmed, recordConditions, recordDisarmed } from './conditions.ts'
import {
  addCause,
  addEndSteps,
  addNote,
  addStep,
  type Course,
  changedMembers,
  messageName,
  reference,
  rpVariable,
} from './course.ts'

/** The effects of the change have been recorded before it. */
export const recordClock = (course: Course, event: ClockFact & Pick<BenchEvent, 'wall'>): void => {
  const before = course.clock
  const { change, now, frozen, speed, wall } = event
  // A clock that shows real time was not set.
  course.clock = event.real === true ? undefined : { now, wall, frozen, speed }
  const expired = course.expired.splice(0)
  if (event.real === true) {
    addCause(course, 'clock', { real: true })
    return void addEndSteps(course)
  }
  if (change !== 'advanced') {
    const setting = change === 'set' ? { now, frozen } : { frozen }
    addCause(course, 'clock', { ...setting, speed: speed === 1 && (before?.speed ?? 1) === 1 ? undefined : speed })
    return void addEndSteps(course)
  }
  const then = before === undefined ? wall : before.now + (before.frozen ? 0 : (wall - before.wall) * before.speed)
  const isNext = !frozen && expired.some((id) => Math.abs((course.messages.get(id)?.expiresAt ?? 0) - now) < NEAR_MS)
  addCause(course, 'advance', isNext ? { to: 'next-expiry' } : { ms: Math.max(0, Math.round(now - then)) })
  addEndSteps(course)
}

/** Tolerance, because a running clock advances while the call that moves it is in transit. */
const NEAR_MS = 50

export const recordSetting = (course: Course, { subject, change, id = '', detail = {} }: SettingFact): void =>
  SETTINGS[subject]?.(course, { change, id, detail })

type Change = Pick<SettingFact, 'change'> & { readonly id: string; readonly detail: Readonly<Record<string, unknown>> }

const recordProfile = (course: Course, profile: Profile): void => {
  const changed = changedMembers(course.profile, profile)
  course.profile = profile
  if (course.headIsOpen) course.headProfile = changedMembers(defaultProfile, profile)
  else if (Object.keys(changed).length > 0) addStep(course, 'profile', changed)
}

const recordRp = (course: Course, { change, id, detail }: Change): void => {
  // In a scenario, the expectations replace the RP's checks, so its `care` needs no step.
  if (change === 'created' || change === 'care') return
  const rp = reference(rpVariable(course, id))
  if (change === 'deleted') return void addStep(course, 'control', { call: 'rps.delete', params: { rp } })
  const { name, rp_id, origins } = detail
  addStep(course, 'control', { call: 'rps.patch', params: { rp }, body: { name, rp_id, origins } })
}

const recordKey = (course: Course, { change, detail }: Change): void => {
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

const SETTINGS: Partial<Record<SettingFact['subject'], (course: Course, setting: Change) => void>> = {
  profile: (course, { detail }) => recordProfile(course, detail as Profile),
  conditions: (course, { detail }) => recordConditions(course, detail as unknown as Conditions),
  fault: (course, { change, id, detail }) => {
    if (change === 'armed') recordArmed(course, detail as unknown as ArmedServiceFault)
    else recordDisarmed(course, id)
  },
  rp: recordRp,
  access_key: recordKey,
  snapshot: recordSnapshot,
  root: (course, { change, detail }) => {
    // The bench trusts its own makers automatically.
    const isOwn = String(detail.name ?? '').startsWith('Handset ')
    if (!isOwn) addNote(course, { code: 'root_changed', params: { change } })
  },
  user: (course, { change }) => addNote(course, { code: 'user_changed', params: { change } }),
}

type Act = NonNullable<PhoneFact['act']>
/** Automatic actions are not recorded. */
export const recordPhone = (course: Course, event: EventOf<'phone'>): void => {
  const { phone_id: id, change, phone: next, act, word } = event
  const before = course.phones.get(id)
  if (next !== undefined) course.phones.set(id, next)
  const phone = course.phoneNames.of(id)
  if (change === 'removed') {
    course.phones.delete(id)
    addStep(course, 'remove_phone', { phone })
    return
  }
  if (change === 'scanned') {
    course.scans.set(id, addStep(course, 'scan', { phone }))
    return
  }
  if (act !== undefined) return void recordAct(course, { id, phone, act, before, next })
  if (change === 'problem') return void recordProblem(course, { phone, word, before, next })
  if (word === 'fingerprint_failed') {
    const byItself = (before?.behaviour.fingerprint_failures ?? 0) > 0
    if (!byItself) addStep(course, 'fail_fingerprint', { phone })
    return
  }
  if (change !== 'changed' || (word ?? event.struck ?? event.signal) !== undefined) return
  if (before === undefined || next === undefined) return
  const planned = planOf(before, next)
  if (planned !== undefined) {
    course.held.add(`${id} ${planned.msg_id} approve`)
    if (next.behaviour.answer === 'ask') addStep(course, 'approve', { phone, delay_ms: planned.time - event.bench })
    return
  }
  recordPhoneChange(course, { id, phone, before, next })
}

/** The prompt that is scheduled for a later answer. */
const planOf = (before: ControlPhone, next: ControlPhone) => {
  const known = new Set(before.prompts.filter((each) => each.answers_at !== undefined).map(({ id }) => id))
  const found = next.prompts.find((each) => each.answers_at !== undefined && !known.has(each.id))
  return found?.answers_at === undefined ? undefined : { msg_id: found.msg_id, time: found.answers_at }
}

type Acting = {
  readonly id: string
  readonly phone: string
  readonly act: Act
  readonly before: ControlPhone | undefined
  readonly next: ControlPhone | undefined
}

const recordAct = (course: Course, { id, phone, act, before, next }: Acting): void => {
  const key = `${id} ${act.msg_id} ${act.did}`
  const wasHeld = course.held.delete(key)
  if (act.waits === true) course.held.add(key)
  const opens = act.did === 'scan' || act.did === 'open'
  const prompt = `${id} ${act.msg_id}`
  const wasOpen = course.opened.has(prompt)
  if (opens && act.refused === undefined) course.opened.add(prompt)
  if (wasHeld) return
  if (!course.messages.has(act.msg_id)) return void recordUnknown(course, { id, phone, act })
  const refused = act.refused === undefined ? undefined : (act.refused.code ?? errors.phone_refused.code)
  const scan = course.scans.get(id)
  if (scan !== undefined && (act.did === 'scan' || (act.did === 'decline' && !wasOpen))) {
    course.scans.delete(id)
    const message = messageName(course, act.msg_id)
    if (message !== undefined) scan.input.message = message
    if (refused !== undefined) scan.refused = refused
    return
  }
  if (isByItself(act, next ?? before)) return
  const message = opens || (act.did === 'decline' && !wasOpen) ? messageName(course, act.msg_id) : undefined
  const word = act.did === 'decline' ? (wasOpen ? 'approve' : 'open') : act.did
  const add = course.ended.includes(act.msg_id) ? addCause : addStep
  add(course, word, { phone, message, ...choicesOf(course, act, word) }, { refused })
  addEndSteps(course)
}

/** Adds a note for an action on a message from before the recording, which no step can name. */
const recordUnknown = (course: Course, { id, phone, act }: Pick<Acting, 'id' | 'phone' | 'act'>) => {
  const scan = course.scans.get(id)
  course.scans.delete(id)
  if (act.did === 'scan') course.lines = course.lines.filter((line) => !('step' in line && line.step === scan))
  addNote(course, { code: 'phone_with_earlier', params: { phone, did: act.did } })
}

const isByItself = ({ did }: Act, phone: ControlPhone | undefined): boolean => {
  const answer = phone?.behaviour.answer
  return (answer === 'approve' || answer === 'reject') && did !== 'scan'
}

const choicesOf = (course: Course, { did, storage, msg_id }: Act, word: string): Record<string, unknown> => {
  if (word === 'approve') return { storage }
  if (did !== 'reject') return {}
  const reason = failureWord(course.messages.get(msg_id)?.error)
  return reason === '' || reason === 'user_rejected' ? {} : { reason }
}

const UNREACHABLE: readonly string[] = ['offline', 'lost', 'signed_out']
const NOT_A_CODE: readonly string[] = ['not_ours', 'foreign_code']

type Problem = Pick<Acting, 'phone' | 'before' | 'next'> & { readonly word: string | undefined }

/** Records a phone's problem without an action: the step is derived from the problem's code. */
const recordProblem = (course: Course, { phone, word = '', before, next }: Problem): void => {
  const refused = errors.phone_refused.code
  const nothing = 'https://example.com/'
  if (word === 'expired' || (word === 'signed_out' && before?.signed_in === true)) return
  if (NOT_A_CODE.includes(word)) {
    addStep(course, 'scan', { phone, url: nothing }, { refused })
    return
  }
  const signIn = course.appCall?.request.route === '/app/devices' ? course.appCall : undefined
  if (signIn !== undefined && signIn.response.code !== 0) {
    addStep(course, 'sign_in_phone', { phone }, { refused: signIn.response.code })
    return
  }
  if (!UNREACHABLE.includes(word)) return void addNote(course, { code: 'phone_problem', params: { phone, word } })
  const asks = next !== undefined && 'prompt' in next.screen && next.screen.prompt !== undefined
  if (asks) addStep(course, 'approve', { phone }, { refused })
  else addStep(course, 'scan', course.latest === undefined ? { phone, url: nothing } : { phone }, { refused })
}

type Changed = {
  readonly id: string
  readonly phone: string
  readonly before: ControlPhone
  readonly next: ControlPhone
}

const recordPhoneChange = (course: Course, changed: Changed): void => {
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
