import { SLICE_COST } from '../../core/protocol/slices.ts'
import type { ReplaceHooks, Rows } from './store.ts'
import { stateTables, type TableName } from './tables.ts'

export type ReplaceSteps = {
  keyOf(workspace: string): string
  /** A new key, without rows. Its rows count as unused until a workspace gets the key. */
  reserve(): Promise<string>
  writeSlice(key: string, slice: readonly RowPlace[]): Promise<void>
  /** False if the workspace is gone or no longer wanted. */
  give(key: string, workspace: string, how: ReplaceHooks): Promise<boolean>
  unused(): Promise<readonly string[]>
  /** Deletes a slice of the key's rows; true if more may be left. */
  clearSome(key: string): Promise<boolean>
}

/** Rows are written and deleted a slice at a time, between other writes. */
export const createRowReplacer = (steps: ReplaceSteps) => {
  const beingWritten = new Set<string>()
  let clearing: Promise<void> | undefined
  let ended = false

  const clear = async (): Promise<void> => {
    for (const key of await steps.unused()) {
      while (!ended && !beingWritten.has(key) && (await steps.clearSome(key)));
    }
  }

  /** Deletes the rows of keys that no workspace has, left by a replacement or a crash. */
  const clearUnused = (): Promise<void> => {
    // If the disk refuses, the next replacement or start tries again.
    clearing = (clearing ?? Promise.resolve()).then(() => (ended ? undefined : clear())).catch(() => undefined)
    return clearing
  }

  return {
    replace: async (workspace: string, rows: Rows, how: ReplaceHooks): Promise<boolean> => {
      const before = steps.keyOf(workspace)
      const key = await steps.reserve()
      beingWritten.add(key)
      let given = false
      try {
        await how.keep?.(key)
        for (const slice of slicesOf(rows)) await steps.writeSlice(key, slice)
        given = await steps.give(key, workspace, how)
        return given
      } finally {
        beingWritten.delete(key)
        how.drop?.(given ? before : key)
        void clearUnused()
      }
    },
    clearUnused,
    /** Starts no more deletions; resolves when none is under way. */
    end: async (): Promise<void> => {
      ended = true
      await clearing
    },
  }
}

function* slicesOf(rows: Rows): Generator<readonly RowPlace[]> {
  let slice: RowPlace[] = []
  let size = 0
  for (const table of stateTables) {
    for (const row of rows[table] ?? []) {
      slice.push({ table, row })
      size += costOfRow(row)
      if (size < SLICE_COST) continue
      yield slice
      slice = []
      size = 0
    }
  }
  if (slice.length > 0) yield slice
}

/** Minimum cost of a row: parsing keys and certificates takes time even in a short row. */
const ROW_COST = 2_000

export const costOfRow = (row: Readonly<Record<string, unknown>>): number => {
  let cost = ROW_COST
  for (const cell of Object.values(row)) if (typeof cell === 'string') cost += cell.length
  return cost
}

type RowPlace = { readonly table: TableName; readonly row: Rows[string][number] }
