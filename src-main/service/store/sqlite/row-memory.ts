import type { TableName } from '../tables.ts'

/** For one kind of query: rows by the key that was asked for. */
export type RememberedRows<T> = {
  get(workspace: string, key: string): T | undefined
  put(workspace: string, key: string, row: T): void
  forget(workspace: string, key: string): void
}

/** Rows as they were read or written, until rows of their table are changed or deleted. */
export type RowMemory = {
  rowsOf<T>(table: TableName): RememberedRows<T>
  forget(table: string): void
  forgetAll(): void
}

/** For one kind of query in one workspace; then it starts over. */
const MOST = 10_000

export const createRowMemory = (): RowMemory => {
  const byTable = new Map<string, Map<string, unknown>[]>()
  const forget = (table: string): void => {
    for (const known of byTable.get(table) ?? []) known.clear()
  }
  return {
    rowsOf: <T>(table: TableName): RememberedRows<T> => {
      const byWorkspace = new Map<string, Map<string, T>>()
      byTable.set(table, [...(byTable.get(table) ?? []), byWorkspace])
      return {
        get: (workspace, key) => byWorkspace.get(workspace)?.get(key),
        put: (workspace, key, row) => {
          const rows = byWorkspace.get(workspace) ?? new Map<string, T>()
          byWorkspace.set(workspace, rows)
          if (rows.size >= MOST) rows.clear()
          rows.set(key, row)
        },
        forget: (workspace, key) => void byWorkspace.get(workspace)?.delete(key),
      }
    },
    forget,
    forgetAll: () => {
      for (const table of byTable.keys()) forget(table)
    },
  }
}
