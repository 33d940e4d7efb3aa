import { type Conditions, normalConditions } from '../../core/contract/conditions.ts'
import type { ArmedServiceFault } from '../../core/contract/control/service-fault-routes.ts'
import type { ControlPhone } from '../../core/contract/control/states.ts'
import { defaultProfile, type Profile } from '../../core/contract/profile.ts'
import type { RecordingNote } from '../../core/contract/recording-notes.ts'
import type { StepWord, VariableSource } from '../../core/contract/scenario.ts'
import { withoutUndefined } from '../../core/protocol/json.ts'
import type { MessageState } from '../../core/protocol/message-state.ts'
import { failureWord } from '../../core/protocol/message-state.ts'
import type { EventIndex, Exchange } from './index-events.ts'
import { type RecordedLine, type RecordedStep, type Reference, reference } from './recorded-step.ts'

export type RecordedRp = {
  readonly id: string
  readonly name: string
  readonly rp_id: string
  readonly origins: readonly string[]
}

export type BegunMessage = {
  readonly step: RecordedStep
  readonly method: 'qrcode' | 'push' | undefined
  readonly rp: string
  state: MessageState
  error?: string
  expiresAt: number
  reported?: string
  /** Steps that polled the message before its end. */
  readonly looks: RecordedStep[]
}

export type ClockReading = {
  readonly now: number
  readonly wall: number
  readonly frozen: boolean
  readonly speed: number
}

type KeptCourse = {
  readonly phones: ReadonlyMap<string, ControlPhone>
  readonly armed: ReadonlyMap<string, ArmedServiceFault>
  readonly conditions: Conditions
  readonly profile: Profile
}

/** State while events are converted to steps. */
export type Course = {
  readonly index: EventIndex
  /** Receives lines; ignored while the events before the recording are read. */
  lines: RecordedLine[]
  readonly phones: Map<string, ControlPhone>
  readonly phoneNames: ShortNames
  readonly rpNames: ShortNames
  readonly snapshots: ShortNames
  readonly faults: ShortNames
  /** Armed faults of the service, with their remaining uses. */
  readonly armed: Map<string, ArmedServiceFault>
  readonly rps: Map<string, RecordedRp>
  readonly messages: Map<string, BegunMessage>
  latest: string | undefined
  /** Phones created before the first step, which are in the head of the file. */
  readonly headPhones: Map<string, Readonly<Record<string, unknown>>>
  /** Virtual phones that replace foreign apps, by account. */
  readonly foreign: Map<string, string>
  readonly headRps: Map<string, Readonly<Record<string, unknown>>>
  headProfile: Readonly<Record<string, unknown>>
  headIsOpen: boolean
  /** Credential IDs by `rp user`, oldest first. */
  readonly credentials: Map<string, readonly string[]>
  /** The owner of each credential. */
  readonly users: Map<string, { readonly user: string; readonly rp: string }>
  /** Credentials that were used to sign in. */
  readonly used: Set<string>
  /** Credential names that the service reported to an RP. */
  readonly credentialNames: Map<string, string>
  /** A phone's last call, until a different event follows. */
  appCall: Exchange | undefined
  /** Variables whose value is a credential's id. */
  readonly savedCredentials: Map<string, string>
  readonly kept: Map<string, KeptCourse>
  profile: Profile
  conditions: Conditions
  clock: ClockReading | undefined
  /** Messages that have ended without a step that shows it yet. */
  readonly ended: string[]
  readonly expired: string[]
  /** The default RP, which steps need not name. */
  firstRp: string | undefined
  named: number
  /** True to resend recorded calls for which there is no step. */
  readonly resends: boolean
}

export const createCourse = (index: EventIndex, resends = false): Course => ({
  index,
  lines: [],
  phones: new Map(),
  phoneNames: createShortNames('phone'),
  rpNames: createShortNames('rp'),
  snapshots: createShortNames('snapshot'),
  faults: createShortNames('fault'),
  armed: new Map(),
  rps: new Map(),
  messages: new Map(),
  latest: undefined,
  headPhones: new Map(),
  foreign: new Map(),
  headRps: new Map(),
  headProfile: {},
  headIsOpen: true,
  credentials: new Map(),
  users: new Map(),
  used: new Set(),
  credentialNames: new Map(),
  appCall: undefined,
  savedCredentials: new Map(),
  kept: new Map(),
  profile: defaultProfile,
  conditions: normalConditions,
  clock: undefined,
  ended: [],
  expired: [],
  firstRp: undefined,
  named: 0,
  resends,
})

export const addNote = (course: Course, note: RecordingNote): void => {
  course.lines.push({ note })
}

type Beside = {
  readonly refused?: number | undefined
  readonly answer?: unknown
  readonly save?: Readonly<Record<string, VariableSource>>
}

/** Adds a step, after the steps for messages that ended before it. */
export const addStep = (
  course: Course,
  word: StepWord,
  input: Record<string, unknown>,
  beside: Beside = {},
): RecordedStep => {
  addEndSteps(course)
  return put(course, word, input, beside)
}

/** Adds a step that ended a message; the end is recorded after the step. */
export const addCause = (
  course: Course,
  word: StepWord,
  input: Record<string, unknown>,
  beside: Beside = {},
): RecordedStep => put(course, word, input, beside)

export const insertBeforeLast = (course: Course, word: StepWord, input: Record<string, unknown>): void => {
  course.lines.splice(-1, 0, { step: { word, input: withoutUndefined(input) } })
}

const put = (course: Course, word: StepWord, input: Record<string, unknown>, beside: Beside): RecordedStep => {
  if (word !== 'clock') course.headIsOpen = false
  const step: RecordedStep = { word, input: withoutUndefined(input), ...besideStep(beside) }
  course.lines.push({ step })
  return step
}

const besideStep = ({ refused, ...others }: Beside) => ({ ...others, ...(refused === undefined ? {} : { refused }) })

/** Adds steps for ended messages: an advance of the clock for expired ones, otherwise a wait. */
export const addEndSteps = (course: Course): void => {
  if (course.expired.splice(0).length > 0) put(course, 'advance', { to: 'next-expiry' }, {})
  for (const id of course.ended.splice(0)) {
    const message = course.messages.get(id)
    if (message === undefined) continue
    const { state, error } = message
    const why = error === undefined ? undefined : { matches: `^${failureWord(error)}(:|$)` }
    const which = id === course.latest ? undefined : messageId(course, id)
    put(course, 'wait', { kind: 'message', msg_id: which, to: state, error: why }, {})
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
export const rpName = (course: Course, id: string): string | undefined =>
  id === course.firstRp ? undefined : course.rpNames.of(id)

export const rpVariable = (course: Course, id: string): string =>
  id === course.firstRp ? 'rp.id' : `rps.${course.rpNames.of(id)}.id`

/** Distinct short names that the scenario language accepts: a phone's or RP's name, or a word with a number. */
type ShortNames = { readonly give: (id: string, called: string) => string; readonly of: (id: string) => string }

const WORD = /[A-Za-z][A-Za-z0-9]*/

const createShortNames = (fallback: string): ShortNames => {
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
  return { give, of: (id) => byId.get(id) ?? give(id, '') }
}
