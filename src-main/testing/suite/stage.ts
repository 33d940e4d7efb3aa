import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RpOperation } from '../../core/contract/rp/routes.ts'
import { type FaultStory, type ServiceFaultName, serviceFaultOf } from '../../core/contract/service-faults.ts'
import type { Ending, FindingReason, Mistake, RpMistake } from '../../core/contract/suite-findings.ts'
import type { Data } from '../../sdk/client.ts'
import type { Phone } from '../../sdk/phone.ts'
import { pause, realNow } from '../../sdk/real-time.ts'
import type { Workspace } from '../../sdk/workspace.ts'
import type { Values } from '../calls/placeholders.ts'
import type { AttemptState, Begun, OpenRp, RpAbilities, RpBroken, SuiteUser, Visitor } from './rp-driver.ts'
import type { Message, ServiceWatch } from './watch-service.ts'

export const HELD_ENDING: Ending = { verdict: 'held' }
export const brokeEnding = (reason: FindingReason): Ending => ({ verdict: 'broke', reason })
export const letInEnding = (reason: FindingReason): Ending => ({ verdict: 'let_in', reason })
export const unplayableEnding = (reason: FindingReason): Ending => ({ verdict: 'unplayable', reason })

/** Failures of the browser, not of the RP. */
const OF_THE_BROWSER: ReadonlySet<RpMistake['code']> = new Set(['no_window', 'no_picture'])

export const endingOfBroken = ({ mistake }: RpBroken): Ending =>
  OF_THE_BROWSER.has(mistake.code) ? unplayableEnding(mistake) : { verdict: 'broke', reason: mistake }

/** A user whom the RP knows, with a phone that has their passkey. */
export type Persona = {
  readonly user: SuiteUser
  readonly phone: Phone
  /** The RP's user_id for them at the service. */
  readonly user_id: string
  /** Text that the RP shows when they are signed in. */
  readonly who: string
  /** Values from their registration, such as a number to sign in with. */
  readonly kept: Values
}

/** The user who may be signed in to a browser at the end: none, the newly registered one, or the one the RP shows. */
export type AllowedUser = 'nobody' | 'newcomer' | { readonly who: string }

export type SuiteContext = {
  readonly workspace: Workspace
  readonly watch: ServiceWatch
  readonly trap: Trap
  readonly can: RpAbilities
  /** Time for the RP to notice an event. */
  readonly patienceMs: number
  readonly signal?: AbortSignal | undefined
  newUser(): SuiteUser
  newPhone(): Promise<Phone>
  /** A second user of the RP, whose account must stay closed. */
  neighbour(): Promise<Persona>
}

type Armed = Data<'service.arm'>

export type StartedRequest = {
  readonly begun: Begun
  /** Absent if the RP made no request to the service. */
  readonly message?: Message
  /** How many requests one action began. */
  readonly count: number
}

export type Stage = SuiteContext & {
  readonly rp: OpenRp
  readonly persona: Persona
  readonly story: FaultStory
  /** Undefined: the service is honest. */
  readonly fault: ServiceFaultName | undefined
  readonly browsers: { readonly visitor: Visitor; readonly may: AllowedUser; readonly unwanted: Unwanted }[]
  readonly started: StartedRequest[]
  readonly mistakes: Mistake[]
  readonly untried: Mistake[]
  /** True if the RP is checked closely, which takes longer. */
  readonly lingers: boolean
  readonly armed: Armed[]
  readonly trial: string
  told_ms: number | undefined
  hasMarkup: boolean
}

type Opening = Pick<Stage, 'rp' | 'persona' | 'story' | 'fault' | 'trial'> &
  Partial<Pick<Stage, 'mistakes' | 'lingers'>>

export const openStage = (scenery: SuiteContext, opening: Opening): Stage => ({
  ...scenery,
  ...{ mistakes: [], untried: [], lingers: false, browsers: [], started: [], armed: [] },
  ...{ told_ms: undefined, hasMarkup: false },
  ...opening,
})

type Unwanted = 'signed_in_unapproved' | 'signed_in_unasked' | 'signed_in_by_lie'

/** Opens a browser in the RP. When the story ends, the user signed in there must be `may`. */
export const openVisitor = (
  stage: Stage,
  may: AllowedUser,
  { kept, unwanted = 'signed_in_unapproved' }: { readonly kept?: Values; readonly unwanted?: Unwanted } = {},
): Visitor => {
  const visitor = stage.rp.visitor(kept)
  stage.browsers.push({ visitor, may, unwanted })
  return visitor
}

type ArmScope = { readonly user_id?: string; readonly msg_id?: string } | undefined
type Arming = { readonly times?: number; readonly parameters?: Readonly<Record<string, string>> }

export const armFault = async (
  stage: Stage,
  scope: ArmScope,
  { times = 1, parameters }: Arming = {},
): Promise<void> => {
  const { fault, story, workspace } = stage
  if (fault === undefined) return
  const all = parameters ?? (await parametersOf(stage, fault))
  const body = {
    ...{ fault, times, only: faultedCalls(story, fault) },
    ...(scope === undefined ? {} : { scope }),
    ...(all === undefined ? {} : { parameters: all }),
  }
  stage.armed.push(await workspace.client.call('service.arm', { body }))
}

/** Parameters that make a lie believable: an account that exists, a host that answers. */
const parametersOf = async (stage: Stage, fault: ServiceFaultName): Promise<Arming['parameters']> => {
  if (fault === 'user-of-another') return { user_id: (await stage.neighbour()).user_id }
  if (serviceFaultOf(fault).act === 'redirect')
    return { location: stage.trap.address(stage.trial, stage.persona.user_id) }
  return undefined
}

export const faultedCalls = (story: FaultStory, fault: ServiceFaultName): RpOperation[] => {
  const { on } = serviceFaultOf(fault)
  const kind = story.startsWith('registration-') ? 'attestation' : 'assertion'
  const own = on.filter((operation) => operation.startsWith(kind))
  const ofResults = own.filter((operation) => operation === `${kind}.result`)
  const ofList = on.filter((operation) => operation.startsWith('credentials'))
  if (story.startsWith('passkeys-')) return ofList
  return ofResults.length > 0 ? ofResults : own.length > 0 ? own : [...on]
}

export const affectsOptions = ({ story, fault }: Stage): boolean =>
  fault !== undefined && faultedCalls(story, fault).every((operation) => operation.endsWith('.options'))

export const disarmFaults = async ({ workspace: { client }, armed }: Stage): Promise<void> => {
  if (armed.length === 0) return
  const { faults } = await client.call('service.faults')
  for (const { id } of faults)
    if (armed.some((each) => each.id === id))
      await client.call('service.disarm', { params: { id } }).catch(() => undefined)
}

const hasTriggered = async ({ workspace: { client }, armed }: Stage): Promise<boolean> => {
  const { faults } = await client.call('service.faults')
  return armed.some(({ id, left }) => (faults.find((each) => each.id === id)?.left ?? 0) < (left ?? 1))
}

const LOOK_MS = 40
/** A page may show a result a moment later. */
const SHOWS_AFTER_MS = 800
/** A page without a script reloads itself every second or two. */
const RELOADS_AFTER_MS = 2500

/** A fault whose text an RP may show as markup. */
export const isTextFault = ({ fault }: Stage): boolean => fault !== undefined && serviceFaultOf(fault).act === 'text'

const look = async (stage: Stage, visitor: Visitor, begun: Begun): Promise<AttemptState> => {
  stage.signal?.throwIfAborted()
  const state = await visitor.state(begun)
  if (isTextFault(stage)) stage.hasMarkup ||= await visitor.hasMarkup()
  return state
}

/** Looks repeatedly: some RPs poll only when asked. */
export const waitUntilTriggered = async (stage: Stage, visitor: Visitor, begun: Begun): Promise<AttemptState> => {
  if (stage.armed.length === 0) return look(stage, visitor, begun)
  const until = realNow() + stage.patienceMs
  for (;;) {
    const state = await look(stage, visitor, begun)
    if (state !== 'pending') return state
    if (await hasTriggered(stage)) break
    if (realNow() > until) return 'pending'
    await pause(LOOK_MS, stage.signal)
  }
  const triggered = realNow()
  for (;;) {
    const state = await look(stage, visitor, begun)
    // An RP that followed a redirect may believe what it found there.
    const shows =
      stage.trap.caught(stage.trial) !== undefined ? RELOADS_AFTER_MS : isTextFault(stage) ? SHOWS_AFTER_MS : LOOK_MS
    if (state !== 'pending' || realNow() > triggered + shows) return state
    await pause(LOOK_MS, stage.signal)
  }
}

export const waitUntilSettled = async (stage: Stage, visitor: Visitor, begun: Begun): Promise<AttemptState> => {
  const [from, until] = [realNow(), realNow() + stage.patienceMs]
  for (;;) {
    const state = await look(stage, visitor, begun)
    if (state !== 'pending') {
      stage.told_ms = realNow() - from
      return state
    }
    if (realNow() > until) return 'pending'
    await pause(LOOK_MS, stage.signal)
  }
}

/** Looks repeatedly, since an RP may reopen a request a moment later. */
export const lookRepeatedly = async (stage: Stage, visitor: Visitor, begun: Begun): Promise<AttemptState> => {
  let state: AttemptState = 'pending'
  for (let i = 0; i < 4; i++) {
    state = await look(stage, visitor, begun)
    await pause(3 * LOOK_MS, stage.signal)
  }
  return state
}

export const listPasskeyIds = async (workspace: Workspace, user_id: string): Promise<readonly string[]> => {
  const { credentials } = await workspace.client.call('credentials.list', { query: { user_id } })
  return credentials.map(({ id }) => id)
}

type Caught = { readonly call: string; readonly isSigned: boolean }

type Trap = Awaited<ReturnType<typeof openTrap>>

/** Another host, to which the service redirects: no call should ever come here. */
export const openTrap = async () => {
  const users = new Map<string, string>()
  const caught = new Map<string, Caught>()
  const server = createServer((request, response) => {
    const trial = request.url?.split('/')[1] ?? ''
    const { authorization } = request.headers
    const isSigned = authorization?.startsWith('SVC-') === true
    if (isSigned || !caught.has(trial)) caught.set(trial, { call: `${request.method} ${request.url}`, isSigned })
    const data = { svc_user: 'Li Wei (138****5678)', status: 'success', error: '', user_id: users.get(trial) ?? '' }
    request.resume()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ code: 0, data, error: '' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const { port } = server.address() as AddressInfo
  return {
    /** The trial's own address. It answers that this user has signed in. */
    address: (trial: string, user_id: string): string => {
      users.set(trial, user_id)
      return `http://127.0.0.1:${port}/${trial}/`
    },
    /** The call that arrived; of several, preferably one with a signature. */
    caught: (trial: string) => caught.get(trial),
    close: () => void server.close(),
  }
}
