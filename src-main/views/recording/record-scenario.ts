import { normalConditions } from '../../core/contract/conditions.ts'
import type { ControlPhone } from '../../core/contract/control/states.ts'
import type { BenchEvent, EventKind, EventOf } from '../../core/contract/events.ts'
import { defaultProfile } from '../../core/contract/profile.ts'
import type { Messages } from '../../core/messages/messages.ts'
import { textOf } from '../../core/protocol/coded.ts'
import { isObject } from '../../core/protocol/json.ts'
import { failureWord, isFinal } from '../../core/protocol/message-state.ts'
import type { RecordedKind } from '../timeline/event-views.ts'
import { countConditions, recordArmed, recordConditions } from './conditions.ts'
import {
  addEndSteps,
  addNote,
  addStep,
  type BegunMessage,
  type Course,
  changedMembers,
  createCourse,
  isReference,
  messageName,
  type RecordedLine,
  type RecordedRp,
  type RecordedStep,
  reference,
  rpName,
} from './course.ts'
import { addArmStep, recordClock, recordPhone, recordSetting } from './facts.ts'
import { indexEvents } from './index-events.ts'
import { noteSentAgain, recordRpCall } from './rp-calls.ts'

type ScenarioRecordingInput = {
  readonly workspace: string
  readonly name: string
  /** All events that the service keeps, from the first one on. */
  readonly events: readonly BenchEvent[]
  /** Events after this number are recorded; the setup recreates the state before. */
  readonly after: number
  /** The current RPs, because the events may no longer include their creation. */
  readonly rps: readonly RecordedRp[]
  readonly texts: NoteTexts
  /** Fields of an event that the repeated run must record. */
  readonly proof?: Readonly<Record<string, unknown>> | undefined
  /** Calls that no step makes, such as one with a refused signature, are sent again instead of noted in a comment. */
  readonly resends?: boolean
}

export const recordScenario = (wanted: ScenarioRecordingInput) => {
  const { workspace, name, events, after, rps, texts, proof, resends } = wanted
  const index = indexEvents(events)
  const course = createCourse(index, resends)
  nameRps(course, events, rps)
  const recorded = new Set<number>()
  const record = (event: BenchEvent): void => {
    const call = index.rpCallOf(event)
    if (call !== undefined && !recorded.has(call.seq)) {
      recorded.add(call.seq)
      recordRpCall(course, call)
    }
    if (event.kind === 'exchange' && event.interface === 'app') {
      noteSentAgain(course, event)
      countConditions(course, event)
    }
    recordEvent(course, event)
    course.appCall = event.kind === 'exchange' && event.interface === 'app' ? event : undefined
  }
  const before = events.filter(({ seq }) => seq <= after)
  const during = events.filter(({ seq }) => seq > after)
  for (const event of before) record(event)
  const setup = before.length === 0 ? [] : setUp(course, before)
  course.lines = []
  for (const event of during) record(event)
  addEndSteps(course)
  if (proof !== undefined) addStep(course, 'expect_events', { of: proof, count: { at_least: 1 }, since: 'start' })
  const steps = course.lines
  const count = steps.filter((line) => 'step' in line).length
  // A scenario needs at least one step, and `mark` has no effect.
  if (count === 0) addStep(course, 'mark', { as: 'nothing_happened' })
  const first = during[0]?.seq
  const last = during.at(-1)?.seq
  const span = first === undefined || last === undefined ? {} : { from: first, to: last }
  return {
    steps: count,
    /** Settings that are not the defaults. */
    profile: course.headProfile,
    text: [
      comment(textOf(texts, { code: 'recorded', params: { workspace, ...span } })),
      `name: ${flow(name)}`,
      ...(Object.keys(course.headProfile).length === 0 ? [] : [`profile: ${flow(course.headProfile)}`]),
      ...byName('rps', course.headRps),
      ...byName('phones', course.headPhones),
      ...(setup.length === 0 ? [] : block('setup', setup, texts)),
      ...block('steps', steps, texts),
      '',
    ].join('\n'),
  }
}

type Recorders = { readonly [K in RecordedKind]: (course: Course, event: EventOf<K>) => void }

const recordEvent = (course: Course, event: BenchEvent): void => {
  const recorders = RECORDERS as Partial<Readonly<Record<EventKind, (course: Course, event: never) => void>>>
  recorders[event.kind]?.(course, event as never)
}

const recordDevice = (course: Course, event: EventOf<'device'>): void => {
  if (event.change !== 'signed_out' || event.actor.kind !== 'control') return
  const phone = [...course.phones.values()].find(({ device_id }) => device_id === event.device_id)
  if (phone === undefined) return
  const name = course.phoneNames.of(phone.id)
  const params = { id: reference(`phones.${name}.id`) }
  addStep(course, 'control', { call: 'phones.get', params }, { save: { [`${name}_device`]: '/device_id' } })
  addStep(course, 'control', { call: 'devices.sign-out', params: { id: reference(`${name}_device`) } })
}

const recordWorkspace = (course: Course, event: EventOf<'workspace'>): void => {
  if (event.change === 'restored') {
    const { snapshot = '' } = event
    const kept = course.kept.get(snapshot)
    if (kept === undefined) return void addNote(course, { code: 'earlier_snapshot' })
    course.phones = new Map(kept.phones)
    course.armed = new Map(kept.armed)
    course.conditions = kept.conditions
    course.profile = kept.profile
    addStep(course, 'restore', { snapshot: course.snapshots.of(snapshot) })
  }
  if (event.change === 'reset') {
    course.phones.clear()
    course.credentials.clear()
    course.clock = undefined
    addStep(course, 'control', { call: 'workspace.reset' })
  }
}

/** Only changes by a control call need a step. */
const recordCredential = (course: Course, event: EventOf<'credential'>): void => {
  const { change, actor, user_id, rp_id, credential_id: id } = event
  const of = `${rp_id} ${user_id}`
  const held = course.credentials.get(of) ?? []
  course.users.set(id, { user: user_id, rp: rp_id })
  if (change === 'used') course.used.add(id)
  const others = held.filter((each) => each !== id)
  if (change === 'deleted') course.credentials.set(of, others)
  if (change === 'registered' || change === 'restored') course.credentials.set(of, [...held, id])
  if (actor.kind !== 'control') return
  const known = course.savedCredentials.get(id)
  const name = known ?? `credential${course.savedCredentials.size + 1}`
  if (change === 'deleted') {
    if (known === undefined) {
      course.savedCredentials.set(id, name)
      const save = { [name]: `/credentials/${held.indexOf(id)}/id` }
      addStep(course, 'control', { call: 'credentials.list', query: { user_id } }, { save })
    }
    addStep(course, 'control', { call: 'credentials.delete', params: { id: reference(name) } })
  }
  if (change === 'restored')
    addStep(course, 'control', { call: 'credentials.undelete', params: { id: reference(name) } })
}

/** Adds a step, unless another event adds it. */
const recordMessage = (course: Course, event: EventOf<'message'>): void => {
  const { msg_id: id, to, error, expires_at, actor } = event
  const message = course.messages.get(id)
  if (message === undefined) return
  message.state = to
  message.expiresAt = expires_at
  if (error !== undefined) message.error = error
  if (to !== 'timeout' && isForeign(course, event)) recordForeign(course, event)
  if (!isFinal(to)) return
  if (to !== 'timeout') return void recordEnd(course, id, message, event)
  if (actor.kind === 'control') addStep(course, 'expire', { message: messageName(course, id) })
  else course.expired.push(id)
}

/** Records a wait if no RP read the result or the phone answers by itself. Polls that race such a phone are removed. */
const recordEnd = (course: Course, id: string, message: BegunMessage, { device_id }: EventOf<'message'>): void => {
  const phone = [...course.phones.values()].find((each) => each.device_id === device_id)
  const byItself = phone !== undefined && phone.behaviour.answer !== 'ask'
  if (byItself) {
    course.lines = course.lines.filter((line) => !('step' in line && message.looks.includes(line.step)))
  }
  if (byItself || !course.index.read.has(id)) course.ended.push(id)
}

/** The first RP of every workspace, unless configured otherwise. */
const isDemo = ({ rp_id, name }: RecordedRp): boolean => rp_id === 'localhost' && name === 'Demo RP'

/** Names the RPs, unless only the workspace's first RP makes requests. */
const nameRps = (course: Course, events: readonly BenchEvent[], kept: readonly RecordedRp[]): void => {
  const ofPasskeys = events.flatMap((event) => (event.kind === 'credential' ? event.rp_id : []))
  const asking = new Set([...course.index.rpCalls.flatMap(({ rp_id }) => rp_id ?? []), ...ofPasskeys])
  for (const event of events) {
    if (event.kind === 'setting' && event.subject === 'rp' && event.change === 'created') {
      const rp = event.detail as RecordedRp
      course.rps.set(rp.id, rp)
    }
  }
  for (const rp of kept) if (!course.rps.has(rp.id)) course.rps.set(rp.id, rp)
  const needed = [...course.rps.values()].filter((rp) => asking.has(rp.id) || !isDemo(rp))
  course.firstRp = (needed[0] ?? [...course.rps.values()][0])?.id
  if (needed.every(isDemo)) return
  for (const { id, name, rp_id, origins } of needed) {
    const usual = origins.length === 1 && origins[0] === `https://${rp_id}`
    course.headRps.set(course.rpNames.give(id, name), { name, rp_id, ...(usual ? {} : { origins }) })
  }
}

/** True for a foreign phone app, known only by its calls; a virtual phone of its account replaces it. */
const isForeign = ({ index }: Course, { device_id }: EventOf<'message'>): boolean =>
  device_id !== undefined && !index.phoneDevices.has(device_id)

const recordForeign = (course: Course, event: EventOf<'message'>): void => {
  const { msg_id, to, method, error, device_id = '' } = event
  const phone = standIn(course, device_id)
  if (to === 'bind') {
    addStep(course, method === 'push' ? 'open' : 'scan', { phone, message: messageName(course, msg_id) })
  } else if (to === 'success') addStep(course, 'approve', { phone })
  else if (to === 'fail' && course.index.judgedBad.has(msg_id)) {
    addNote(course, { code: 'foreign_answer_refused', params: { phone, word: failureWord(error) } })
  } else if (isFinal(to) && to !== 'timeout') {
    const reason = failureWord(error)
    addStep(course, 'reject', { phone, reason: reason === 'user_rejected' ? undefined : reason })
  }
}

const standIn = (course: Course, device: string): string => {
  const account = course.index.accounts.get(device)
  const known = [...course.phones.values()].find(
    (phone) => account !== undefined && course.index.accounts.get(phone.device_id ?? '')?.account === account.account,
  )
  const shared = known === undefined ? course.foreign.get(account?.account ?? '') : course.phoneNames.of(known.id)
  const name = course.phoneNames.give(device, account?.name ?? 'app')
  if (course.headPhones.has(name)) return name
  course.headPhones.set(
    name,
    shared === undefined
      ? { name, account: { name: account?.name ?? name, phone: account?.phone ?? MADE_UP } }
      : { name, same_account_as: shared },
  )
  if (account !== undefined) course.foreign.set(account.account, shared ?? name)
  return name
}

const setUp = (course: Course, before: readonly BenchEvent[]): readonly RecordedLine[] => {
  const lines: RecordedLine[] = []
  course.lines = lines
  course.ended.length = 0
  course.expired.length = 0
  course.headProfile = changedMembers(defaultProfile, course.profile)
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

const addCeremony = (
  course: Course,
  word: 'register' | 'sign_in',
  user: Record<string, unknown>,
  { phone, storage }: { readonly phone: string; readonly storage?: ControlPhone['storage'] },
): void => {
  addStep(course, word, user)
  addStep(course, 'scan', { phone })
  addStep(course, 'approve', { phone, storage })
  addStep(course, 'expect', { status: 'success' })
}

/** Recreates passkeys that no phone has any more: a phone registers and then forgets them. */
const registerForgotten = (course: Course, phones: readonly ControlPhone[]): void => {
  const held = new Set(phones.flatMap(({ credentials }) => credentials.map(({ id }) => id)))
  const [phone] = phones
  for (const id of [...course.credentials.values()].flat()) {
    const owner = course.users.get(id)
    if (held.has(id) || owner === undefined || phone === undefined) continue
    const short = course.phoneNames.of(phone.id)
    const user = { user_id: owner.user, username: owner.user, rp: rpName(course, owner.rp) }
    addCeremony(course, 'register', user, { phone: short, storage: phone.storage })
    addStep(course, 'forget_credential', { phone: short })
  }
}

/** Registers each passkey once, even if several phones of its account have it. */
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
      addCeremony(course, 'register', user, { phone: short, storage })
      // Some faults have an effect only after an earlier sign-in.
      if (phone.faults.length === 0 || !course.used.has(id)) continue
      const known = { user_id: owner.user, username, method: 'qrcode', rp: rpName(course, owner.rp) }
      addCeremony(course, 'sign_in', known, { phone: short })
    }
  }
}

/** Restores the state of a phone, except for its passkeys. */
const putBack = (course: Course, phone: ControlPhone): void => {
  const short = course.phoneNames.of(phone.id)
  const { behaviour, network, lost, signed_in } = phone
  for (const fault of phone.faults) addArmStep(course, short, fault)
  const settings = {
    ...(behaviour.answer === 'ask' ? {} : { behaviour }),
    ...(network === 'online' || lost ? {} : { network }),
  }
  if (Object.keys(settings).length > 0) addStep(course, 'set_phone', { phone: short, ...settings })
  if (lost) addStep(course, 'lose_phone', { phone: short })
  else if (!signed_in) addStep(course, 'sign_out_phone', { phone: short })
}

type NoteTexts = Messages['recordingNotes']

/** An empty list without steps: YAML reads a block of only comments as null. */
const block = (head: string, lines: readonly RecordedLine[], texts: NoteTexts): readonly string[] => [
  lines.some((line) => 'step' in line) ? `${head}:` : `${head}: []`,
  ...lines.flatMap((line) => ('note' in line ? [`  ${comment(textOf(texts, line.note))}`] : stepLines(line.step))),
]

const byName = (head: string, entries: ReadonlyMap<string, unknown>): readonly string[] =>
  entries.size === 0 ? [] : [`${head}:`, ...[...entries].map(([name, value]) => `  ${flow(name)}: ${flow(value)}`)]

const stepLines = ({ word, input, refused, answer, save }: RecordedStep): readonly string[] => [
  `  - ${word}: ${flow(input)}`,
  ...(refused === undefined ? [] : [`    refused: ${refused}`]),
  ...(answer === undefined ? [] : [`    answer: ${flow(answer)}`]),
  ...(save === undefined ? [] : [`    save: ${flow(save)}`]),
]

/** Recorded text may have line breaks; a comment has one line. */
const comment = (text: string): string => `# ${text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')}`

const flow = (value: unknown): string => {
  if (isReference(value)) {
    const { name, rest } = value
    return rest === '' ? `'\${${name}}'` : JSON.stringify(`\${${name}}${plain(rest)}`)
  }
  if (typeof value === 'string') return text(value)
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return entries.length === 0 ? '{}' : `{ ${entries.map(([key, each]) => `${text(key)}: ${flow(each)}`).join(', ')} }`
}

/** Texts that YAML reads as strings without quotes; all others are quoted as in JSON. */
const PLAIN = /^[\p{L}_][\p{L}\p{N}_.’/-]*( [\p{L}\p{N}_.’/-]+)*$/u
const NO_TEXT = /^(true|false|null|yes|no|on|off|y|n)$/i

const text = (value: string): string =>
  PLAIN.test(value) && !NO_TEXT.test(value) ? value : JSON.stringify(plain(value))

/** Escapes text that would be read as a variable of the scenario. */
const plain = (value: string): string => value.replaceAll('${', () => '$${')

/** A fictional phone number, for an account whose own number was not recorded. */
const MADE_UP = '13800000000'

/** Adds the phone to the file's head, or as a step if steps precede it. */
const recordMadePhone = (course: Course, phone: ControlPhone): void => {
  const parts = phoneParts(course, phone)
  course.phones.set(phone.id, phone)
  const as = course.phoneNames.give(phone.id, phone.name)
  if (course.headIsOpen) course.headPhones.set(as, parts)
  else addStep(course, 'new_phone', { as, ...parts })
}

/** The properties of a phone, in the form of `phones` and `new_phone`. */
const phoneParts = (course: Course, phone: ControlPhone): Readonly<Record<string, unknown>> => {
  const { name, model, algorithm, storage, behaviour } = phone
  return {
    name,
    ...ownerOf(course, phone),
    model,
    ...(algorithm === undefined ? {} : { algorithm }),
    ...(storage === 'cloud' ? {} : { storage }),
    ...(behaviour.answer === 'ask' ? {} : { behaviour }),
  }
}

const ownerOf = ({ index, phones, phoneNames }: Course, { id, device_id, account }: ControlPhone) => {
  const known = index.accounts.get(device_id ?? '')
  const all = [...phones.values()]
  const own = all.findIndex((other) => other.id === id)
  // Phones are created in this order, so a phone can only share the account of an earlier one.
  const sharer = (own === -1 ? all : all.slice(0, own)).find(
    (other) => known !== undefined && index.accounts.get(other.device_id ?? '')?.account === known.account,
  )
  if (sharer !== undefined) return { same_account_as: phoneNames.of(sharer.id) }
  return { account: { name: account.name, phone: known?.phone ?? MADE_UP } }
}

/** Exactly one recorder for each kind that is recorded according to event-views.ts. */
const RECORDERS: Recorders = {
  message: recordMessage,
  phone: (course, event) => {
    if (event.phone !== undefined && !course.phones.has(event.phone_id)) recordMadePhone(course, event.phone)
    if (event.change !== 'created') recordPhone(course, event)
  },
  clock: recordClock,
  setting: recordSetting,
  credential: recordCredential,
  device: recordDevice,
  workspace: recordWorkspace,
}
