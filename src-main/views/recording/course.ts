import { type Conditions, normalConditions } from '../../core/contract/conditions.ts'
import type { ArmedServiceFault } from '../../core/contract/control/service-fault-routes.ts'
import type { ControlPhone, RpState } from '../../core/contract/control/states.ts'
import type { EventOf } from '../../core/contract/events.ts'
import { defaultProfile, type Profile } from '../../core/contract/profile.ts'
import type { RecordingNote } from '../../core/contract/recording-notes.ts'
import type { StepWord, VariableSource } from '../../core/contract/scenario.ts'
import { withoutUndefined } from '../../core/protocol/json.ts'
import { failureWord, type MessageState } from '../../core/protocol/message-state.ts'
import type { EventIndex, Exchange } from './index-events.ts'

const REFERENCE = Symbol('reference')

/** A scenario variable in place of a recorded id that changes from run to run; `rest` follows it in the same text. */
export type Reference = { readonly [REFERENCE]: true; readonly name: string; readonly rest: string }

export const reference = (name: string, rest = ''): Reference => ({ [REFERENCE]: true, name, rest })

export const isReference = (value: unknown): value is Reference =>
  typeof value === 'object' && value !== null && REFERENCE in value

/** The members that differ, as they are afterwards. */
export const changedMembers = (before: object, after: object): Readonly<Record<string, unknown>> => {
  const known = new Map<string, unknown>(Object.entries(before))
  return Object.fromEntries(
    Object.entries(after).filter(([key, value]) => JSON.stringify(known.get(key)) !== JSON.stringify(value)),
  )
}

/** Later events may still name its message, or save a part of its result. */
export type RecordedStep = {
  readonly word: StepWord
  readonly input: Record<string, unknown>
  refused?: number
  answer?: unknown
  save?: Readonly<Record<string, VariableSource>>
  /** A fault or a condition affected the step, so it must not be removed. */
  struck?: true
}

export type RecordedLine = { readonly step: RecordedStep } | { readonly note: RecordingNote }

export type RecordedRp = Pick<RpState, 'id' | 'name' | 'rp_id' | 'origins'>

export type BegunMessage = {
  readonly step: RecordedStep
  readonly rp: string
  state: MessageState
  error?: string
  expiresAt: number
  reported?: string
  /** Steps that polled the message before its end. */
  readonly looks: RecordedStep[]
}

type KeptCourse = {
  readonly phones: ReadonlyMap<string, ControlPhone>
  readonly armed: ReadonlyMap<string, ArmedServiceFault>
  readonly conditions: Conditions
  readonly profile: Profile
}

export type Course = ReturnType<typeof createCourse>

/** State while events are converted to steps; `resends`: recorded calls for which there is no step are sent again. */
export const createCourse = (index: EventIndex, resends = false) => ({
  index,
  resends,
  /** Receives lines; ignored while the events before the recording are read. */
  lines: [] as RecordedLine[],
  phones: new Map<string, ControlPhone>(),
  phoneNames: createShortNames('phone'),
  rpNames: createShortNames('rp'),
  snapshots: createShortNames('snapshot'),
  faults: createShortNames('fault'),
  /** Armed faults of the service, with their remaining uses. */
  armed: new Map<string, ArmedServiceFault>(),
  rps: new Map<string, RecordedRp>(),
  messages: new Map<string, BegunMessage>(),
  latest: undefined as string | undefined,
  /** Phones created before the first step, which are in the head of the file. */
  headPhones: new Map<string, Readonly<Record<string, unknown>>>(),
  /** Virtual phones that replace foreign apps, by account. */
  foreign: new Map<string, string>(),
  headRps: new Map<string, Readonly<Record<string, unknown>>>(),
  headProfile: {} as Readonly<Record<string, unknown>>,
  headIsOpen: true,
  /** Credential IDs by `rp user`, oldest first. */
  credentials: new Map<string, readonly string[]>(),
  /** The owner of each credential. */
  users: new Map<string, { readonly user: string; readonly rp: string }>(),
  /** Credentials that were used to sign in. */
  used: new Set<string>(),
  /** Credential names that the service reported to an RP. */
  credentialNames: new Map<string, string>(),
  /** A phone's last call, until a different event follows. */
  appCall: undefined as Exchange | undefined,
  /** Variables whose value is a credential's id. */
  savedCredentials: new Map<string, string>(),
  kept: new Map<string, KeptCourse>(),
  profile: defaultProfile,
  conditions: normalConditions,
  clock: undefined as Pick<EventOf<'clock'>, 'now' | 'wall' | 'frozen' | 'speed'> | undefined,
  /** Messages that have ended without a step that shows it yet. */
  ended: [] as string[],
  expired: [] as string[],
  /** Steps for scanned codes; the next event has the result. */
  scans: new Map<string, RecordedStep>(),
  /** `phone message did`: actions that a fault or a delay postpones until the clock has moved. */
  held: new Set<string>(),
  /** Prompts that wait for the user, by `phone message`. */
  opened: new Set<string>(),
  /** The default RP, which steps need not name. */
  firstRp: undefined as string | undefined,
  named: 0,
})

export const addNote = (course: Course, note: RecordingNote): void => {
  course.lines.push({ note })
}

/** The members of a step besides its word and input; undefined ones are left out. */
type Beside = { readonly [K in 'refused' | 'answer' | 'save']?: RecordedStep[K] | undefined }

/** Adds a step, after the steps for messages that ended before it. */
export const addStep = (course: Course, word: StepWord, input: Record<string, unknown>, beside: Beside = {}) => {
  addEndSteps(course)
  return addCause(course, word, input, beside)
}

/** Adds a step that ended a message; the end is recorded after the step. */
export const addCause = (course: Course, word: StepWord, input: Record<string, unknown>, beside: Beside = {}) => {
  if (word !== 'clock') course.headIsOpen = false
  const step: RecordedStep = { word, input: withoutUndefined(input), ...withoutUndefined(beside) }
  course.lines.push({ step })
  return step
}

export const insertBeforeLast = (course: Course, word: StepWord, input: Record<string, unknown>): void => {
  course.lines.splice(-1, 0, { step: { word, input: withoutUndefined(input) } })
}

/** Adds steps for ended messages: an advance of the clock for expired ones, otherwise a wait. */
export const addEndSteps = (course: Course): void => {
  if (course.expired.splice(0).length > 0) addCause(course, 'advance', { to: 'next-expiry' })
  for (const id of course.ended.splice(0)) {
    const message = course.messages.get(id)
    if (message === undefined) continue
    const { state, error } = message
    const why = error === undefined ? undefined : { matches: `^${failureWord(error)}(:|$)` }
    const which = id === course.latest ? undefined : messageId(course, id)
    addCause(course, 'wait', { kind: 'message', msg_id: which, to: state, error: why })
  }
}

/** Undefined for the latest message. */
export const messageName = (course: Course, id: string): string | undefined =>
  id === course.latest ? undefined : nameOf(course, id)

export const messageId = (course: Course, id: string): Reference | undefined => {
  const name = nameOf(course, id)
  return name === undefined ? undefined : reference(`messages.${name}.msg_id`)
}

const nameOf = (course: Course, id: string): string | undefined => {
  const message = course.messages.get(id)
  if (message === undefined) return undefined
  const { input } = message.step
  if (typeof input.as !== 'string') {
    course.named += 1
    input.as = `m${course.named}`
  }
  return String(input.as)
}

/** Undefined for the RP that steps use by default. */
export const rpName = (course: Course, id: string | undefined): string | undefined =>
  id === undefined || id === course.firstRp ? undefined : course.rpNames.of(id)

export const rpVariable = (course: Course, id: string): string =>
  id === course.firstRp ? 'rp.id' : `rps.${course.rpNames.of(id)}.id`

const WORD = /[A-Za-z][A-Za-z0-9]*/

/** Distinct short names that the scenario language accepts: a phone's or RP's name, or a word with a number. */
const createShortNames = (fallback: string) => {
  const byId = new Map<string, string>()
  const taken = new Set<string>()

  const give = (id: string, called: string): string => {
    const known = byId.get(id)
    if (known !== undefined) return known
    const base = WORD.exec(called.normalize('NFD').replace(/\p{M}/gu, ''))?.[0].toLowerCase().slice(0, 32) ?? fallback
    let name = base
    for (let n = 2; taken.has(name); n++) name = `${base}${n}`
    taken.add(name)
    byId.set(id, name)
    return name
  }
  return { give, of: (id: string): string => byId.get(id) ?? give(id, '') }
}
