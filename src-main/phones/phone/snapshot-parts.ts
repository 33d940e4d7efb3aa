import type { PhoneStorage, SnapshotRef, StoredWorkspace } from './storage/phone-storage.ts'

/** The phones' parts of snapshots. */
export type SnapshotParts = {
  keep(ref: SnapshotRef, stored: StoredWorkspace): Promise<void>
  find(ref: SnapshotRef): StoredWorkspace | undefined
  drop(ref: SnapshotRef): void
  /** Takes the last drops back; false for any other. */
  takeBack(ref: SnapshotRef): boolean
  dropAll(workspace: string): void
}

/** As many deletions as the service can take back. */
const MOST = 20

/** A dropped part leaves the disk at once, because it holds secrets; memory has it as long as it can be taken back. */
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
      if (parts.size > MOST && oldest !== undefined) parts.delete(oldest)
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
