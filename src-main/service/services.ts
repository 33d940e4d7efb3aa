import type { FieldProblem } from '../core/contract/errors.ts'
import type { Actor, ExchangeFact, Fact, Observe } from '../core/contract/events.ts'
import type { Profile } from '../core/contract/profile.ts'
import type { SigningMistake } from '../core/contract/signing-mistakes.ts'
import type { ModelMetadata } from '../core/judge/ceremony-case.ts'
import type { RefusedRequest } from '../core/judge/signing/explain-signature.ts'
import type { BackgroundTasks } from '../core/protocol/background.ts'
import type { HeaderPair } from '../core/protocol/canonical-request.ts'
import { MAIN_WORKSPACE } from '../core/protocol/ids.ts'
import type { Log } from '../core/protocol/log.ts'
import type { RandomStreams } from '../core/protocol/random.ts'
import type { Clock, Millis } from '../core/protocol/time.ts'
import type { KeyedQueue } from '../core/protocol/turns.ts'
import type { RawRequest } from '../http/message.ts'
import type { Inboxes } from './inbox/inboxes.ts'
import type { MessageTimers } from './messages/message-timers.ts'
import type { SecondOpinions } from './second-opinion/second-opinions.ts'
import type { RateLimit } from './settings/limits.ts'
import type { Settings } from './settings/settings.ts'
import type { SharedInboxes } from './shared/shared-inboxes.ts'
import type { AccountRecord, DeviceRecord, PhoneDevice, SharedStore, Store } from './store/store.ts'
import type { Bin } from './workspaces/bin.ts'

/** Known only once the server listens, hence functions. */
export type Addresses = {
  /** `http://localhost:7420/fido`, with `/w/<id>` for other workspaces; no slash at the end. */
  baseUrl(workspace: string): string
  appUrl(workspace: string): string
  /** Checks a Host header: guards the app interface against foreign pages. */
  isOurHost(host: string): boolean
  isOurOrigin(origin: string): boolean
}

export type Services = {
  readonly store: Store
  readonly clock: (workspace: string) => Clock
  readonly wall: Clock
  readonly random: RandomStreams
  readonly observe: Observe
  readonly log: Log
  readonly addresses: Addresses
  readonly isDeviceOf: (workspace: string, pair: PhoneDevice) => boolean | Promise<boolean>
  /** Verified at the start, from --mds. */
  readonly metadata?: ModelMetadata
  readonly settings: Settings
  /** Queues the creation of objects that a quota counts, one at a time in each workspace. */
  readonly turns: KeyedQueue
  readonly timers: MessageTimers
  readonly inboxes: Inboxes
  readonly rateLimit: RateLimit
  readonly keyUse: KeyUse
  readonly bin: Bin
  readonly secondOpinions: SecondOpinions
  readonly background: BackgroundTasks
  readonly nameMistake: (workspace: string, request: RefusedRequest) => Promise<SigningMistake | undefined>
  /** Each workspace has a unique mark, since one that is closed and opened again counts as new. */
  readonly open: Map<string, symbol>
  /** Workspaces with damaged rows, and their problems. They stay closed; the others open. */
  readonly damaged: Map<string, FieldProblem>
  /** Set if other processes use the store as well. */
  readonly shared?: { readonly store: SharedStore; readonly inboxes: SharedInboxes }
}

export type RequestContext = {
  readonly services: Services
  readonly request: RawRequest
  readonly workspace: string
  /** The mark that the workspace had when the request came in. */
  readonly mark: symbol | undefined
  readonly clock: Clock
  /** The profile when the request came in: later changes do not affect this request. */
  readonly profile: Profile
  readonly trace: Trace
}

declare const signedIn: unique symbol

/** Only authenticateDevice makes one. */
export type SignedIn = {
  readonly [signedIn]: true
  readonly device: Omit<DeviceRecord, 'push_count'>
  readonly account: AccountRecord
}

type TracedFact = 'rp_id' | 'access_key_id' | 'scope' | 'device_id' | 'msg_id' | 'conditions' | 'answered_by'

/** Facts collected while a request is handled, for its exchange event and its log line. */
export type Trace = { [K in TracedFact]: ExchangeFact[K] } & {
  route: string | undefined
  faults: Pick<Required<ExchangeFact>, 'faults' | 'honest'> | undefined
  mistake: SigningMistake | undefined
  /** Response headers in addition to the usual ones. */
  headers: readonly HeaderPair[]
}

/** True if the workspace was closed meanwhile: the request must leave no data, not even in a new one with that id. */
export const workspaceWasClosed = ({ services, workspace, mark }: RequestContext): boolean =>
  mark === undefined || services.open.get(workspace) !== mark

export const observeIn = (context: RequestContext, actor: Actor, fact: Fact): void => {
  if (!workspaceWasClosed(context))
    context.services.observe(context.workspace, { ...fact, actor, cause: context.request.id })
}

export const markOpen = ({ open }: Pick<Services, 'open'>, workspace: string): void => {
  open.set(workspace, Symbol(workspace))
}

/** Undefined while the store does not answer. */
export const countWorkspaces = (store: Store): Promise<number | undefined> =>
  store.workspaces.list().then(
    (all) => all.length,
    () => undefined,
  )

/** Closes a damaged workspace. The data stays unchanged, and can still be inspected or deleted. */
export const closeDamaged = (
  { open, damaged, timers, inboxes, log }: Services,
  workspace: string,
  problem: FieldProblem,
): void => {
  damaged.set(workspace, problem)
  open.delete(workspace)
  timers.forget(workspace)
  inboxes.end(workspace)
  // Without main nothing starts, and the caller reports why.
  if (workspace !== MAIN_WORKSPACE) log({ level: 'error', event: 'workspace damaged', workspace, problem })
}

type KeyUse = ReturnType<typeof createKeyUseLog>

/** Keeps the time at which each access key last verified a request; in memory, since each poll would cost a write. */
export const createKeyUseLog = () => {
  const uses = new Map<string, Map<string, Millis>>()
  return {
    note: (workspace: string, accessKeyId: string, at: Millis): void => {
      const own = uses.get(workspace)
      if (own === undefined) uses.set(workspace, new Map([[accessKeyId, at]]))
      else own.set(accessKeyId, at)
    },
    last: (workspace: string, accessKeyId: string): Millis | undefined => uses.get(workspace)?.get(accessKeyId),
    forget: (workspace: string): void => void uses.delete(workspace),
  }
}
