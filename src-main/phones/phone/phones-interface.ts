import type { AgentOptions } from 'node:https'
import type { Body, Data } from '../../core/contract/control/routes.ts'
import type { Observe } from '../../core/contract/events.ts'
import type { RandomStreams } from '../../core/protocol/random.ts'
import type { Clock } from '../../core/protocol/time.ts'
import type { ReportTrouble, Traceparent } from './phone-state.ts'
import type { Picture } from './picture.ts'
import type { PhoneStorage, SnapshotRef, StoredWorkspace } from './storage/open-storage.ts'

export type { PhoneResult } from './phone-state.ts'

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

export type PhoneRef = { readonly workspace: string; readonly phone: string }
export type MessageRef = PhoneRef & { readonly msg_id: string }
export type PromptRef = PhoneRef & { readonly prompt: string }

/** A workspace's phones, stored under a key that is not read until the workspace is switched to it. */
export type PhoneRows = { keep(key: string): Promise<void>; switched(): void; drop(key: string): void }

/** Dropped parts that are remembered: as many deletions as the service can undo. */
const MAX_DROPPED_PARTS = 20

/** A dropped part leaves the disk immediately, because it has secrets; memory keeps it while it can be restored. */
export const createSnapshotParts = (storage: PhoneStorage) => {
  const dropped = new Map<string, Map<string, StoredWorkspace>>()
  return {
    keep(ref: SnapshotRef, stored: StoredWorkspace): Promise<void> {
      storage.keepSnapshot(ref, stored)
      return storage.synced()
    },
    find: storage.keptSnapshot,
    drop(ref: SnapshotRef): void {
      const stored = storage.keptSnapshot(ref)
      storage.dropSnapshot(ref)
      if (stored === undefined) return
      const parts = dropped.get(ref.workspace) ?? new Map<string, StoredWorkspace>()
      dropped.set(ref.workspace, parts.set(ref.snapshot, stored))
      const [oldest] = parts.keys()
      if (parts.size > MAX_DROPPED_PARTS && oldest !== undefined) parts.delete(oldest)
    },
    /** Restores one of the last dropped parts; false for any other. */
    takeBack(ref: SnapshotRef): boolean {
      const stored = dropped.get(ref.workspace)?.get(ref.snapshot)
      if (stored === undefined) return false
      storage.keepSnapshot(ref, stored)
      dropped.get(ref.workspace)?.delete(ref.snapshot)
      return true
    },
    dropAll(workspace: string): void {
      dropped.delete(workspace)
      storage.dropSnapshots(workspace)
    },
  }
}
