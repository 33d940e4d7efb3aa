import { type FieldProblem, withinField } from '../../core/contract/errors.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { SLICE_COST } from '../../core/protocol/slices.ts'
import type { ReplaceHooks, Rows } from './store.ts'
import { jsonColumns, stateTables, type TableName, tables } from './tables.ts'

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
export const createReplaceRows = (steps: ReplaceSteps) => {
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
    replace: async (workspace: string, rows: Rows, how: ReplaceHooks): Promise<Result<void, FieldProblem | 'gone'>> => {
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
    for (const [index, row] of (rows[table] ?? []).entries()) {
      slice.push({ table, index, row })
      size += ROW_COST
      for (const cell of Object.values(row)) if (typeof cell === 'string') size += cell.length
      if (size < SLICE_COST) continue
      yield slice
      slice = []
      size = 0
    }
  }
  if (slice.length > 0) yield slice
}

const ROW_COST = 2_000

export type RowPlace = { readonly table: TableName; readonly index: number; readonly row: Rows[string][number] }

/** Thrown to roll back the rows written before this one. */
class RowMisfit extends Error {
  readonly problem: FieldProblem
  constructor(problem: FieldProblem) {
    super(problem.code)
    this.problem = problem
  }
}

const strayTable = (rows: Rows): FieldProblem | undefined => {
  const stray = Object.keys(rows).find((name) => !isStateTable(name))
  return stray === undefined
    ? undefined
    : { code: 'field_unknown', params: { field: `tables.${stray}`, known: stateTables } }
}

/** Checks that the database does not make: unknown columns, documents that are not JSON. */
export const checkRow = ({ table, row, index }: RowPlace): void => {
  const problem = misfit(table, row)
  if (problem !== undefined) throw new RowMisfit(withinField(`tables.${table}[${index}]`, problem))
}

export const rowConflict = ({ table, index }: RowPlace, { message }: Error): RowMisfit =>
  new RowMisfit({ code: 'row_conflicts', params: { field: `tables.${table}[${index}]`, message } })

const misfit = (table: TableName, row: Rows[string][number]): FieldProblem | undefined => {
  const columns: readonly string[] = tables[table].columns
  const stray = Object.keys(row).find((column) => !columns.includes(column))
  if (stray !== undefined) return { code: 'field_unknown', params: { field: stray, known: columns } }
  const broken = documentColumns(table).find((column) => !isJson(row[column] ?? null))
  return broken === undefined
    ? undefined
    : { code: 'field_unfit', params: { field: broken, expected: { code: 'json' } } }
}

/** Columns that JSON.parse reads; a setting's value is a document as well. */
const documentColumns = (name: TableName): readonly string[] => (name === 'settings' ? ['value'] : jsonColumns(name))

const isJson = (value: string | number | null): boolean => {
  if (value === null) return true
  try {
    JSON.parse(String(value))
    return true
  } catch {
    return false
  }
}

const isStateTable = (name: string): name is TableName => (stateTables as readonly string[]).includes(name)
