/**
 * Data of phones, apart from the service's database: a phone's secrets are never stored with the service's data.
 * Documents are JSON; the phones know their form, the storage does not.
 */
import Database from 'better-sqlite3'
export type PhoneStorage = {
  phones(workspace: string): readonly StoredDocument[]
  /** A phone that exists already keeps its position. */
  savePhone(workspace: string, phone: StoredDocument): void
  /** Also removes everything in its chip. */
  removePhone(workspace: string, phoneId: string): void

  /** A chip's credentials, oldest first. */
  chip(owner: ChipOwner): readonly StoredDocument[]
  /** False if the phone is missing, or removed by now. */
  saveInChip(owner: ChipOwner, credential: StoredDocument): boolean
  removeFromChip(owner: ChipOwner, credentialId: string): boolean
  clearChip(owner: ChipOwner): void

  /** The makers' keys of the workspace's phones. */
  makers(workspace: string): string | undefined
  saveMakers(workspace: string, json: string): void

  snapshot(workspace: string): StoredWorkspace
  /** Stores under a key that nothing reads yet, in slices between other writes; resolves once on disk. */
  keep(key: string, stored: StoredWorkspace): Promise<void>
  keys(): readonly string[]
  /** Deletes all of the workspace's data but its snapshots. */
  forget(workspace: string): void

  /** Snapshots have the same secrets, so they are kept here too; the service keeps its own part under the same id. */
  keepSnapshot(ref: SnapshotRef, stored: StoredWorkspace): void
  keptSnapshot(ref: SnapshotRef): StoredWorkspace | undefined
  dropSnapshot(ref: SnapshotRef): void
  dropSnapshots(workspace: string): void
  /** Resolves when all data written before would survive a loss of power; concurrent callers share one sync. */
  synced(): Promise<void>
  close(): Promise<void>
}

export type ChipOwner = { readonly workspace: string; readonly phoneId: string }

export type SnapshotRef = { readonly workspace: string; readonly snapshot: string }

export type StoredDocument = { readonly id: string; readonly json: string }

/** Plain JSON. It contains secrets: it needs the same care as the data directory. */
export type StoredWorkspace = {
  readonly makers?: string
  readonly phones: readonly (StoredDocument & { readonly chip: readonly StoredDocument[] })[]
}

/** A refusal by the disk or the file, as opposed to a bug: full, read-only, broken. */
export const isStorageFailure = (reason: unknown): reason is Error =>
  reason instanceof Database.SqliteError || (reason instanceof Error && 'syscall' in reason)

/** The same storage, with each workspace's id replaced by its key; without the snapshots. */
export const withRowKeys = (storage: PhoneStorage, keyOf: (workspace: string) => string): PhoneStorage => {
  const owner = ({ workspace, phoneId }: ChipOwner): ChipOwner => ({ workspace: keyOf(workspace), phoneId })
  return {
    ...storage,
    phones: (workspace) => storage.phones(keyOf(workspace)),
    savePhone: (workspace, phone) => storage.savePhone(keyOf(workspace), phone),
    removePhone: (workspace, phoneId) => storage.removePhone(keyOf(workspace), phoneId),
    chip: (of) => storage.chip(owner(of)),
    saveInChip: (of, credential) => storage.saveInChip(owner(of), credential),
    removeFromChip: (of, id) => storage.removeFromChip(owner(of), id),
    clearChip: (of) => storage.clearChip(owner(of)),
    makers: (workspace) => storage.makers(keyOf(workspace)),
    saveMakers: (workspace, json) => storage.saveMakers(keyOf(workspace), json),
    snapshot: (workspace) => storage.snapshot(keyOf(workspace)),
    forget: (workspace) => storage.forget(keyOf(workspace)),
  }
}
