import type { FieldProblem } from '../../../contract/reasons.ts'
import { err, ok, type Result } from '../../../protocol/result.ts'
import { SLICE } from '../../../protocol/slices.ts'
import type { Rows } from '../records.ts'
import type { Replacing } from '../store.ts'
import type { Write } from './group-commit.ts'
import type { RowKeys } from './row-keys.ts'
import { RowMisfit, type RowPlace, strayTable, writeRow } from './rows.ts'
import type { Sql } from './sql.ts'
import { stateTables } from './tables.ts'

type Parts = { readonly sql: Sql; readonly write: Write; readonly flush: () => void; readonly keys: RowKeys }

/** Rows are written and deleted so many at a time, beside the writes of everybody else. */
const DELETED_AT_ONCE = 200

export type ReplaceRows = {
  replace(workspace: string, rows: Rows, how: Replacing): Promise<Result<void, FieldProblem | 'gone'>>
  /** Deletes the rows of keys that no workspace has any more: those that were replaced, and what a crash left. */
  clearUnused(): Promise<void>
  /** Resolves when no deletion is under way; from now on none begins. */
  end(): Promise<void>
}

export const createReplaceRows = ({ sql, write, flush, keys }: Parts): ReplaceRows => {
  const beingWritten = new Set<string>()
  let clearing: Promise<void> | undefined
  let ended = false

  const writeAll = async (key: string, rows: Rows): Promise<void> => {
    for (const slice of slicesOf(rows)) {
      await write(() => {
        for (const place of slice) writeRow(sql, key, place)
      })
    }
  }

  /** At once, with what waits to be written before it: whoever comes later finds the new rows. */
  const give = async (key: string, workspace: string, { isWanted, switched }: Replacing): Promise<boolean> => {
    const given = write(() => {
      if (isWanted?.() === false || !keys.give(key, workspace)) return false
      switched?.()
      return true
    })
    flush()
    try {
      return await given
    } catch (reason) {
      keys.readAgain()
      throw reason
    }
  }

  /** Whether anything may be left of them. */
  const clearSome = (key: string): boolean => {
    let left = DELETED_AT_ONCE
    for (const table of stateTables) {
      const text = `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE workspace = ? LIMIT ?)`
      left -= sql.run(text)(key, left)
    }
    if (left > 0) keys.cleared(key)
    return left === 0
  }

  const clear = async (): Promise<void> => {
    for (const key of keys.unused()) {
      while (!ended && !beingWritten.has(key) && (await write(() => clearSome(key))));
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
      const before = keys.of(workspace)
      const key = await write(keys.reserve)
      beingWritten.add(key)
      let given = false
      try {
        await how.keep?.(key)
        await writeAll(key, rows)
        given = await give(key, workspace, how)
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
