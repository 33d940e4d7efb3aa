import type { AgentOptions } from 'node:https'
import type { Body, Data } from '../../core/contract/control/routes.ts'
import type { FieldProblem } from '../../core/contract/errors.ts'
import type { Observe } from '../../core/contract/events.ts'
import type { RandomStreams } from '../../core/protocol/random.ts'
import type { Result } from '../../core/protocol/result.ts'
import type { Clock } from '../../core/protocol/time.ts'
import type { AttestationAuthority } from '../authenticator/attestation/attestation-authority.ts'
import type { CertifiedFormat } from '../authenticator/models.ts'
import type { EditedAnswer } from './edited-answer.ts'
import type { CredentialStorage, PhoneRefusal, PhoneState, ReportTrouble, Traceparent } from './phone-state.ts'
import type { Picture } from './picture.ts'
import type { PhoneStorage, SnapshotRef, StoredWorkspace } from './storage/phone-storage.ts'

export type { AttestationAuthority }

export type PhonesOptions = {
  /** Address of the service's app interface: `http://localhost:7420/app`. */
  readonly appUrl: (workspace: string) => string
  /** The service's address in message addresses; with it, codes of other services are refused. */
  readonly baseUrl?: (workspace: string) => string
  readonly tls?: AgentOptions | undefined
  readonly traceparent?: Traceparent
  /** The workspace's clock: expiry, delays, stored times. */
  readonly clock: (workspace: string) => Clock
  /** Real time: when to try the inbox again. */
  readonly wall: Clock
  readonly random: RandomStreams
  readonly observe: Observe
  readonly storage: PhoneStorage
  /** The workspace's id when absent. */
  readonly rowKey?: (workspace: string) => string
  /** Called when a workspace's makers have changed. Its phones wait for the promise. */
  readonly trustMakers?: (workspace: string) => Promise<unknown>
  /** Called with the devices as which phones are signed in, before the phones use them. */
  readonly signedIn?: SignedIn
  /** A workspace's phones cannot be saved: reported once, until saving works again. */
  readonly trouble?: ReportTrouble
}

export type SignedIn = (
  workspace: string,
  devices: readonly { readonly phone: string; readonly device: string }[],
) => Promise<void>

export type NewPhone = Omit<Body<'phones.create'>, 'lease'>

/** A null algorithm returns to the model's choice; so does a new model that lacks the chosen algorithm. */
export type PhonePatch = Body<'phones.patch'>

/** The phone owns the picture from now on. `glance`: the camera is still looking, so no code is no failure. */
export type ScanInput = ({ readonly url: string } | { readonly picture: Picture; readonly glance?: boolean }) & {
  /** The origin of the page that shows the code, if it is not the RP's. */
  readonly seenOn?: string
}

/** Applies to the next `times` attempts; to one when neither `times` nor `probability` is given. */
export type NewFault = Body<'phones.arm'>
export type NewlyArmedFault = Data<'phones.arm'>

/** A refusal means the command could not be carried out; the result of a successful one is on the phone's screen. */
export type PhoneResult = Promise<Result<PhoneState, PhoneRefusal>>

export type PhoneRef = { readonly workspace: string; readonly phone: string }
export type MessageRef = PhoneRef & { readonly msg_id: string }
export type PromptRef = PhoneRef & { readonly prompt: string }

/** A workspace's phones, stored under a key that is not read until the workspace is switched to it. */
export type PhoneRows = { keep(key: string): Promise<void>; switched(): void; drop(key: string): void }

export type Phones = {
  /** A problem that shows that stored phones are not valid; checked before they are started. */
  problem(workspace: string): FieldProblem | undefined
  /** Deletes data under keys of no workspace: left by a crash while phones were replaced. */
  tidy(workspaces: readonly string[]): void
  /** Loads the workspace's stored phones and opens their inboxes. Called once the service listens. */
  start(workspace: string): Promise<void>
  /**
   * Ends inboxes and alarms silently, until `start`. For a caller that restores the service to another state:
   * a phone awake in between would find that its token is unknown.
   */
  sleep(workspace: string): Promise<void>
  /** Creates a phone and signs it in. If the service refuses, no phone is created. */
  create(workspace: string, phone: NewPhone): PhoneResult
  list(workspace: string): readonly PhoneState[]
  get(ref: PhoneRef): PhoneState | undefined
  patch(ref: PhoneRef, patch: PhonePatch): PhoneResult
  /** A wiped phone gets the account's secret from the phone in `same_account_as`, or tries without it. */
  signIn(ref: PhoneRef & { readonly same_account_as?: string }): PhoneResult
  /** The account's secret and the chip stay on the phone. */
  signOut(ref: PhoneRef): PhoneResult
  /** Back to the factory state: signs out and forgets the chip and the account's secret. The phone stays on the bench. */
  wipe(ref: PhoneRef): PhoneResult
  /** Lost: its account wipes it remotely, so that it never answers again. It stays visible. */
  lose(ref: PhoneRef): PhoneResult
  remove(ref: PhoneRef): Promise<Result<void, PhoneRefusal>>

  scan(ref: PhoneRef, input: ScanInput): PhoneResult
  open(ref: MessageRef): PhoneResult
  /** Swipes a push away; the service is not notified. */
  dismiss(ref: MessageRef): PhoneResult
  goHome(ref: PhoneRef): PhoneResult
  /** Resolves once the answer was sent, or once a delayed answer is set (`prompt.answers_at`). */
  approve(ref: PromptRef, choice?: { readonly storage?: CredentialStorage; readonly delay_ms?: number }): PhoneResult
  reject(ref: PromptRef, choice?: { readonly reason?: string }): PhoneResult
  /** The finger is not recognised; the prompt stays. */
  failFingerprint(ref: PromptRef): PhoneResult

  /** Edits the phone's answer to this message when the phone sends it. Returns a function that undoes this. */
  editAnswer(ref: MessageRef, edited: EditedAnswer): (() => void) | undefined

  sync(ref: PhoneRef): PhoneResult
  forgetCredential(ref: PhoneRef & { readonly credential_id: string }): PhoneResult

  arm(ref: PhoneRef, fault: NewFault): Promise<Result<NewlyArmedFault, PhoneRefusal>>
  /** Disarms one fault, or all of the phone's. */
  disarm(ref: PhoneRef & { readonly fault_id?: string }): PhoneResult

  /** The makers that exist so far: a workspace that trusts its own phones trusts their roots. */
  makers(workspace: string): Promise<AttestationAuthority>
  /** The makers including this format's, which are made if missing. With those of `fido-u2f`, all makers exist. */
  makersOf(workspace: string, format: CertifiedFormat): Promise<Result<AttestationAuthority, PhoneRefusal>>
  /** Resolves when the workspace's phones wait only for its clock or their user. */
  idle(workspace: string): Promise<void>
  /** Plain JSON with secrets in it. Waits for running work. */
  snapshot(workspace: string): Promise<StoredWorkspace>
  /**
   * Replaces the phones in one step with the service's rows, which `put` replaces. All phones sleep meanwhile; then the
   * new phones wake, or after a refusal the old ones.
   */
  replace<T, E>(
    workspace: string,
    stored: StoredWorkspace,
    put: (others: PhoneRows) => Promise<Result<T, E>>,
  ): Promise<Result<T, E>>
  /** The phones' parts are in their own storage: the service, which keeps the rest, must not have their secrets. */
  readonly snapshots: SnapshotParts
  /** Deletes the phones of a closed workspace without a call to the service. */
  forget(workspace: string): Promise<void>
  /** Cuts off running work. The storage is closed by its opener. */
  close(): Promise<void>
}

type SnapshotParts = {
  keep(ref: SnapshotRef, stored: StoredWorkspace): Promise<void>
  find(ref: SnapshotRef): StoredWorkspace | undefined
  drop(ref: SnapshotRef): void
  /** Restores one of the last dropped parts; false for any other. */
  takeBack(ref: SnapshotRef): boolean
  dropAll(workspace: string): void
}

/** Dropped parts that are remembered: as many deletions as the service can undo. */
const MAX_DROPPED_PARTS = 20

/** A dropped part leaves the disk immediately, because it has secrets; memory keeps it while it can be restored. */
export const createSnapshotParts = (storage: PhoneStorage): SnapshotParts => {
  const dropped = new Map<string, Map<string, StoredWorkspace>>()
  return {
    keep: (ref, stored) => {
      storage.keepSnapshot(ref, stored)
      return storage.synced()
    },
    find: storage.keptSnapshot,
    drop: (ref) => {
      const stored = storage.keptSnapshot(ref)
      storage.dropSnapshot(ref)
      if (stored === undefined) return
      const parts = dropped.get(ref.workspace) ?? new Map<string, StoredWorkspace>()
      dropped.set(ref.workspace, parts.set(ref.snapshot, stored))
      const [oldest] = parts.keys()
      if (parts.size > MAX_DROPPED_PARTS && oldest !== undefined) parts.delete(oldest)
    },
    takeBack: (ref) => {
      const stored = dropped.get(ref.workspace)?.get(ref.snapshot)
      if (stored === undefined) return false
      storage.keepSnapshot(ref, stored)
      dropped.get(ref.workspace)?.delete(ref.snapshot)
      return true
    },
    dropAll: (workspace) => {
      dropped.delete(workspace)
      storage.dropSnapshots(workspace)
    },
  }
}
