import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceFaultName } from '../contract/service-faults.ts'
import type { Finding, FindingReason } from '../contract/suite-findings.ts'
import type { Phone } from '../sdk/phone.ts'
import type { Workspace } from '../sdk/workspace.ts'
import type { AttemptState, Begun, OpenRp, SuiteUser, Visitor } from './rp-driver.ts'

export const HELD: Finding = { verdict: 'held' }
export const broke = (reason: FindingReason): Finding => ({ verdict: 'broke', reason })
export const letIn = (reason: FindingReason): Finding => ({ verdict: 'let_in', reason })

export type StageOptions = {
  readonly workspace: Workspace
  readonly driver: OpenRp
  /** How long the RP may take to notice what happened. */
  readonly patienceMs: number
  readonly signal?: AbortSignal | undefined
}

export type Arming = {
  readonly times?: number
  readonly parameters?: Readonly<Record<string, string>>
  /** Whose calls; the story’s user’s when absent. */
  readonly user_id?: string
}

/** Where one story is played: a user of its own, a phone, and the fault that strikes nobody else. */
export type Stage = StageOptions & {
  readonly user: SuiteUser
  readonly phone: Phone
  /** Undefined: the story is played without any fault, to see that it holds. */
  readonly fault: ServiceFaultName | undefined
  /** Another phone, with nothing on it. */
  anotherPhone(): Promise<Phone>
  /** Whom the RP does not know yet. */
  anotherUser(): SuiteUser
  /** From here on the fault strikes this user’s calls. */
  arm(how?: Arming): Promise<void>
}

const PAUSE_MS = 40

/** Asks until the request has ended, or the patience of the suite has. */
export const settled = async (stage: Stage, visitor: Visitor, begun: Begun): Promise<AttemptState> => {
  for (let waited = 0; waited < stage.patienceMs; waited += PAUSE_MS) {
    const state = await visitor.state(begun)
    if (state !== 'pending') return state
    await sleep(PAUSE_MS, undefined, { signal: stage.signal })
  }
  return 'pending'
}

/** An RP that polls by itself gets its time, and one that polls when it is asked is asked. What it says meanwhile. */
export const polled = async (visitor: Visitor, begun: Begun, times = 2): Promise<readonly AttemptState[]> => {
  const states: AttemptState[] = []
  for (let i = 0; i < times; i++) {
    states.push(await visitor.state(begun))
    await sleep(PAUSE_MS)
  }
  return states
}

type Code = Parameters<Phone['scan']>[0]

/** The code that the RP shows, or the address that the service gave it where the RP’s answer has none. */
export const codeOf = async (stage: Stage, begun: Begun): Promise<Code> =>
  begun.ok && begun.url === undefined && begun.shown !== undefined ? begun.shown : addressOf(stage, begun)

/** The address in the code. */
export const addressOf = async ({ workspace, user }: Stage, begun: Begun): Promise<string> => {
  if (begun.ok && begun.url !== undefined) return begun.url
  const { messages } = await workspace.client.call('messages.list', { query: { user_id: user.user_id, limit: 1 } })
  return messages[0]?.url ?? ''
}

/** Scans and approves; false where the phone could not. */
export const approves = async (phone: Phone, code: Code): Promise<boolean> => {
  try {
    await phone.scan(code)
    await phone.approve()
    return true
  } catch (error) {
    if (error instanceof Error && error.name === 'PhoneError') return false
    throw error
  }
}

/** A registration from beginning to end. */
export const registers = async (stage: Stage, visitor: Visitor, phone = stage.phone): Promise<boolean> => {
  const begun = await visitor.register(stage.user)
  if (!begun.ok) return false
  await approves(phone, await codeOf(stage, begun))
  return (await settled(stage, visitor, begun)) === 'done'
}

/** A sign-in from beginning to end: who is signed in afterwards. */
export const signsIn = async (stage: Stage, visitor: Visitor, phone = stage.phone): Promise<string | undefined> => {
  const begun = await visitor.signIn(stage.user)
  if (!begun.ok) return undefined
  await approves(phone, await codeOf(stage, begun))
  await settled(stage, visitor, begun)
  return visitor.who()
}

/** The IDs of the passkeys that the user has with the service. */
export const stored = async ({ workspace, user }: Stage): Promise<readonly string[]> => {
  const { credentials } = await workspace.client.call('credentials.list', { query: { user_id: user.user_id } })
  return credentials.map(({ id }) => id)
}
