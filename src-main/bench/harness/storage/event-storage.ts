import type { BlockPart, StoredBlocks } from '../tape.ts'

/** Stores events of workspaces beyond the process. Functions that write throw the disk's errors. */
export type EventStorage = {
  /** The workspace's stored blocks, which are read on demand. */
  blocksOf(workspace: string): StoredBlocks
  /** Saves in one transaction, and drops the oldest events beyond the limits. */
  save(batch: readonly UnsavedEvents[]): void
  /** Forgets the workspace's events; the next save writes this to the file. */
  forget(workspace: string): void
  /** Forgets the events of all other workspaces. */
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
  /** Limit for all workspaces together. */
  readonly allBytes: number
}

export const STORAGE_LIMITS: StorageLimits = { events: 100_000, bytes: 64 * 2 ** 20, allBytes: 2 ** 30 }
