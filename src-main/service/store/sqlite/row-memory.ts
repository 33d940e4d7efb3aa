import type { TableName } from '../tables.ts'

type Read<T> = (workspace: string, id: string) => T

/** Rows as they were read, until somebody writes to their table. */
export type RowMemory = {
  /** The same reading, for rows that are read again and again. */
  remembering<T>(table: TableName, read: Read<T>): Read<T>
  forget(table: string): void
}

/** Of one statement in one workspace; then it begins anew. */
const MOST = 10_000

export const createRowMemory = (): RowMemory => {
  const byTable = new Map<string, Map<string, unknown>[]>()
  return {
    remembering: <T>(table: TableName, read: Read<T>) => {
      const byWorkspace = new Map<string, Map<string, T>>()
      byTable.set(table, [...(byTable.get(table) ?? []), byWorkspace])
      const rowsOf = (workspace: string): Map<string, T> => {
        const rows = new Map<string, T>()
        byWorkspace.set(workspace, rows)
        return rows
      }
      return (workspace, id) => {
        const rows = byWorkspace.get(workspace) ?? rowsOf(workspace)
        const known = rows.get(id)
        if (known !== undefined) return known
        const row = read(workspace, id)
        // What is not there is not remembered: anybody may ask for anything.
        if (row === undefined) return row
        if (rows.size >= MOST) rows.clear()
        rows.set(id, row)
        return row
      }
    },
    forget: (table) => {
      for (const known of byTable.get(table) ?? []) known.clear()
    },
  }
}
