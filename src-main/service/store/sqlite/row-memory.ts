import type { TableName } from './tables.ts'

/** Rows as they were read, by statement and key, until somebody writes to their table. */
export type RowMemory = {
  recall<T>(what: { readonly table: TableName; readonly sql: string; readonly key: string }, read: () => T): T
  forget(table: string): void
}

/** Of one statement; then it begins anew. */
const MOST = 10_000

export const createRowMemory = (): RowMemory => {
  const byTable = new Map<string, Map<string, Map<string, unknown>>>()
  const rowsOf = (table: string, sql: string): Map<string, unknown> => {
    const statements = byTable.get(table) ?? new Map<string, Map<string, unknown>>()
    byTable.set(table, statements)
    const rows = statements.get(sql) ?? new Map<string, unknown>()
    statements.set(sql, rows)
    return rows
  }
  return {
    recall: <T>({ table, sql, key }: { table: string; sql: string; key: string }, read: () => T): T => {
      const rows = byTable.get(table)?.get(sql) ?? rowsOf(table, sql)
      const known = rows.get(key)
      if (known !== undefined) return known as T
      const row = read()
      if (rows.size >= MOST) rows.clear()
      rows.set(key, row)
      return row
    },
    forget: (table) => {
      for (const rows of byTable.get(table)?.values() ?? []) rows.clear()
    },
  }
}
