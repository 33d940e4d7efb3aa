import type { BlockPart, StoredBlocks } from '../tape.ts'

/** Stores events of workspaces beyond the process. Functions that write throw the disk's errors. */
export type EventStorage = {
  /** Read when they are asked for. */
  blocksOf(workspace: string): StoredBlocks
  /** Saves in one transaction, and drops the oldest events beyond the limits. */
  save(batch: readonly UnsavedEvents[]): void
  /** From now on the workspace has no events; the next save writes that. */
  forget(workspace: string): void
  /** All others are forgotten. */
  keepOnly(workspaces: readonly string[]): void
  /** Deletes some of what was forgotten; true: there is more. */
  sweep(): boolean
  close(): Promise<void>
}

export type UnsavedEvents = {
  readonly workspace: string
  readonly parts: readonly BlockPart[]
  /** The next run counts from here, unless more is reserved: no number is given out again after a kill. */
  readonly reserved: number
}

export type StorageLimits = {
  /** Of a workspace. */
  readonly events: number
  readonly bytes: number
  /** Of all workspaces together. */
  readonly allBytes: number
}

export const STORAGE_LIMITS: StorageLimits = { events: 100_000, bytes: 64 * 2 ** 20, allBytes: 2 ** 30 }
