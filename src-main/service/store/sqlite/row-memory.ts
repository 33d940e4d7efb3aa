import type { TableName } from './tables.ts'

/** Rows as they were read, by workspace and id, until somebody writes to their table. */
export type RowMemory = {
  /** What is known of one statement: it begins anew when there is too much of it. */
  recall<T>(table: TableName, read: (workspace: string, id: string) => T): (workspace: string, id: string) => T
  forget(table: string): void
}

/** Of one statement. */
const MOST = 10_000

export const createRowMemory = (): RowMemory => {
  const byTable = new Map<string, Map<string, unknown>[]>()
  return {
    recall: <T>(table: TableName, read: (workspace: string, id: string) => T) => {
      const rows = new Map<string, T>()
      byTable.set(table, [...(byTable.get(table) ?? []), rows])
      return (workspace, id) => {
        // The id of a workspace has no line breaks.
        const key = `${workspace}\n${id}`
        const known = rows.get(key)
        if (known !== undefined) return known
        const row = read(workspace, id)
        if (rows.size >= MOST) rows.clear()
        rows.set(key, row)
        return row
      }
    },
    forget: (table) => {
      for (const rows of byTable.get(table) ?? []) rows.clear()
    },
  }
}
