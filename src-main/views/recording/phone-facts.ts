import type { ControlPhone } from '../../core/contract/control/states.ts'
import { errors } from '../../core/contract/errors.ts'
import type { BenchEvent, PhoneFact } from '../../core/contract/events.ts'
import { wordOf } from '../../core/contract/judge/failure-words.ts'
import { addCause, addNote, addStep, type Course, messageName, settle } from './course.ts'
import { recordPhoneChange } from './phone-changes.ts'
import type { RecordedStep } from './recorded-step.ts'

type Act = NonNullable<PhoneFact['act']>
type PhoneEvent = Extract<BenchEvent, { readonly kind: 'phone' }>

/** Actions that phones have begun but not finished. */
export type PhoneActs = {
  /** Steps for scanned codes; the next event has the result. */
  readonly scans: Map<string, RecordedStep>
  /** `phone message did`: actions that a fault or a delay postpones until the clock has moved. */
  readonly held: Set<string>
  /** `phone message`: prompts that wait for the user. */
  readonly opened: Set<string>
}

export const createPhoneActs = (): PhoneActs => ({ scans: new Map(), held: new Set(), opened: new Set() })

/** Automatic actions are not recorded. */
export const recordPhone = (course: Course, acts: PhoneActs, event: PhoneEvent): void => {
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
    acts.scans.set(id, addStep(course, 'scan', { phone }))
    return
  }
  if (act !== undefined) return void recordAct(course, acts, { id, phone, act, before, next })
  if (change === 'problem') return void recordProblem(course, { phone, word, before, next })
  if (word === 'fingerprint_failed') {
    const byItself = (before?.behaviour.fingerprint_failures ?? 0) > 0
    if (!byItself) addStep(course, 'fail_fingerprint', { phone })
    return
  }
  if (change !== 'changed' || word !== undefined || event.struck !== undefined) return
  if (before === undefined || next === undefined) return
  const planned = planOf(before, next)
  if (planned !== undefined) {
    const did = 'approve'
    acts.held.add(`${id} ${planned.msg_id} ${did}`)
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

const recordAct = (course: Course, acts: PhoneActs, { id, phone, act, before, next }: Acting): void => {
  const key = `${id} ${act.msg_id} ${act.did}`
  const wasHeld = acts.held.delete(key)
  if (act.waits === true) acts.held.add(key)
  const opens = act.did === 'scan' || act.did === 'open'
  const prompt = `${id} ${act.msg_id}`
  const wasOpen = acts.opened.has(prompt)
  if (opens && act.refused === undefined) acts.opened.add(prompt)
  if (wasHeld) return
  if (!course.messages.has(act.msg_id)) return void recordUnknown(course, acts, { id, phone, act })
  const refused = act.refused === undefined ? undefined : (act.refused.code ?? errors.phone_refused.code)
  const scan = acts.scans.get(id)
  if (scan !== undefined && (act.did === 'scan' || (act.did === 'decline' && !wasOpen))) {
    acts.scans.delete(id)
    nameScanned(course, scan, act.msg_id)
    if (refused !== undefined) scan.refused = refused
    return
  }
  if (isByItself(act, next ?? before)) return
  const message = opens || (act.did === 'decline' && !wasOpen) ? messageToOpen(course, act.msg_id) : undefined
  const word = stepOf(act, wasOpen)
  const add = course.ended.includes(act.msg_id) ? addCause : addStep
  add(course, word, { phone, message, ...choicesOf(course, act, word) }, { refused })
  settle(course)
}

const nameScanned = (course: Course, scan: RecordedStep, msgId: string): void => {
  const message = messageName(course, msgId)
  if (message !== undefined) scan.input.message = message
}

/** Adds a note for an action on a message from before the recording, which no step can name. */
const recordUnknown = (course: Course, acts: PhoneActs, { id, phone, act }: Pick<Acting, 'id' | 'phone' | 'act'>) => {
  const scan = acts.scans.get(id)
  acts.scans.delete(id)
  if (act.did === 'scan') course.lines = course.lines.filter((line) => !('step' in line && line.step === scan))
  addNote(course, { code: 'phone_with_earlier', params: { phone, did: act.did } })
}

/** Undefined means the latest message. */
const messageToOpen = (course: Course, id: string): string | undefined => messageName(course, id)

const isByItself = ({ did }: Act, phone: ControlPhone | undefined): boolean => {
  const answer = phone?.behaviour.answer
  return (answer === 'approve' || answer === 'reject') && did !== 'scan'
}

const stepOf = ({ did }: Act, wasOpen: boolean): 'scan' | 'open' | 'approve' | 'reject' => {
  if (did === 'decline') return wasOpen ? 'approve' : 'open'
  return did
}

const choicesOf = (course: Course, { did, storage, msg_id }: Act, word: string): Record<string, unknown> => {
  if (word === 'approve') return { storage }
  if (did !== 'reject') return {}
  const reason = wordOf(course.messages.get(msg_id)?.error)
  return reason === '' || reason === 'user_rejected' ? {} : { reason }
}

const UNREACHABLE: readonly string[] = ['offline', 'lost', 'signed_out']
const NOT_A_CODE: readonly string[] = ['not_ours', 'foreign_code']

type Problem = {
  readonly phone: string
  readonly word: string | undefined
  readonly before: ControlPhone | undefined
  readonly next: ControlPhone | undefined
}

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
