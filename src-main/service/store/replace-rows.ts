import type { FieldProblem } from '../../core/contract/errors.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { SLICE } from '../../core/protocol/slices.ts'
import { RowMisfit, type RowPlace, strayTable } from './row-problems.ts'
import type { Replacing, Rows } from './store.ts'
import { stateTables } from './tables.ts'

/** Steps of an adapter for rows under a separate key. */
export type ReplaceSteps = {
  keyOf(workspace: string): string
  /** A key that no row has; until it is given to a workspace, its rows are to be deleted. */
  reserve(): Promise<string>
  writeSlice(key: string, slice: readonly RowPlace[]): Promise<void>
  /** False: the workspace is gone, or is not wanted any more. */
  give(key: string, workspace: string, how: Replacing): Promise<boolean>
  /** Keys whose rows belong to no workspace. */
  unused(): Promise<readonly string[]>
  /** Deletes some of its rows; whether any may be left. */
  clearSome(key: string): Promise<boolean>
}

export type ReplaceRows = {
  replace(workspace: string, rows: Rows, how: Replacing): Promise<Result<void, FieldProblem | 'gone'>>
  /** Deletes the rows of keys that no workspace has any more: those that were replaced, and what a crash left. */
  clearUnused(): Promise<void>
  /** Resolves when no deletion is under way; from now on none begins. */
  end(): Promise<void>
}

/** Rows are written and deleted a slice at a time, between other writes. */
export const createReplaceRows = (steps: ReplaceSteps): ReplaceRows => {
  const beingWritten = new Set<string>()
  let clearing: Promise<void> | undefined
  let ended = false

  const clear = async (): Promise<void> => {
    for (const key of await steps.unused()) {
      while (!ended && !beingWritten.has(key) && (await steps.clearSome(key)));
    }
  }

  const clearUnused = (): Promise<void> => {
    // A disk that refuses now is tried again with the next replacement, or start.
    clearing = (clearing ?? Promise.resolve()).then(() => (ended ? undefined : clear())).catch(() => undefined)
    return clearing
  }

  return {
    replace: async (workspace, rows, how) => {
      const stray = strayTable(rows)
      if (stray !== undefined) return err(stray)
      const before = steps.keyOf(workspace)
      const key = await steps.reserve()
      beingWritten.add(key)
      let given = false
      try {
        await how.keep?.(key)
        for (const slice of slicesOf(rows)) await steps.writeSlice(key, slice)
        given = await steps.give(key, workspace, how)
        return given ? ok(undefined) : err('gone')
      } catch (reason) {
        if (!(reason instanceof RowMisfit)) throw reason
        return err(reason.problem)
      } finally {
        beingWritten.delete(key)
        how.drop?.(given ? before : key)
        void clearUnused()
      }
    },
    clearUnused,
    end: async () => {
      ended = true
      await clearing
    },
  }
}

function* slicesOf(rows: Rows): Generator<readonly RowPlace[]> {
  let slice: RowPlace[] = []
  let size = 0
  for (const table of stateTables) {
    for (const [index, row] of (rows[table] ?? []).entries()) {
      slice.push({ table, index, row })
      size += ROW_COST
      for (const cell of Object.values(row)) if (typeof cell === 'string') size += cell.length
      if (size < SLICE) continue
      yield slice
      slice = []
      size = 0
    }
  }
  if (slice.length > 0) yield slice
}

const ROW_COST = 2_000
