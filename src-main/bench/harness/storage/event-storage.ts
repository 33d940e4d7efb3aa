import type { BlockPart, StoredBlocks } from '../tape.ts'

/** Writing functions throw the disk's errors. */
export type EventStorage = {
  blocksOf(workspace: string): StoredBlocks
  /** Saves in one transaction, and drops the oldest events beyond the limits. */
  save(batch: readonly UnsavedEvents[]): void
  /** The next save writes this to the file. */
  forget(workspace: string): void
  keepOnly(workspaces: readonly string[]): void
  /** Deletes some of the forgotten events; true: there are more. */
  sweep(): boolean
  close(): Promise<void>
}

export type UnsavedEvents = {
  readonly workspace: string
  readonly parts: readonly BlockPart[]
  /** The next run counts from this number, so that no number is given out again after a kill. */
  readonly reserved: number
}

export type StorageLimits = {
  /** Limits for one workspace. */
  readonly events: number
  readonly bytes: number
  /** For all workspaces together. */
  readonly allBytes: number
}

export const STORAGE_LIMITS: StorageLimits = { events: 100_000, bytes: 64 * 2 ** 20, allBytes: 2 ** 30 }
