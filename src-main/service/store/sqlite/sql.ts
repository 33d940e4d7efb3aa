import type Database from 'better-sqlite3'
import type { DamagedRow } from '../damaged-rows.ts'
import { createRowMemory } from './row-memory.ts'
import { decodeRow, encodeRow, insertSql, type TableName, tables, type Value } from './tables.ts'

/** The few things that every table's statements need. Statements are prepared once. */
export type Sql = {
  all<T>(table: TableName, sql: string, ...values: readonly Value[]): readonly T[]
  one<T>(table: TableName, sql: string, ...values: readonly Value[]): T | undefined
  /**
   * As `one`, and remembered until anything is written to the table. Not inside a write, which may yet be undone: whoever
   * reads here reads what is committed.
   */
  remembered<T>(table: TableName, sql: string): (workspace: string, id: string) => T | undefined
  /** How many rows were changed. */
  run(sql: string, ...values: readonly Value[]): number
  /** False when a row of this key exists. */
  insert(table: TableName, workspace: string, record: object): boolean
  /** Rows as they are stored, in order of making. */
  rows(table: TableName, workspace: string): readonly Readonly<Record<string, Value>>[]
  insertRow(table: TableName, workspace: string, row: Readonly<Record<string, Value>>): void
}

type Prepared = { readonly statement: Database.Statement<Value[]>; readonly writes?: string }

export const sqlOf = (db: Database.Database, damaged: (row: DamagedRow) => void): Sql => {
  const prepared = new Map<string, Prepared>()
  const memory = createRowMemory()
  const prepare = (sql: string): Prepared => {
    const made = db.prepare<Value[]>(sql)
    const known = made.readonly ? { statement: made } : { statement: made, writes: writtenTable(sql) }
    prepared.set(sql, known)
    return known
  }
  /** About to be used: what it writes to is no longer what was read. */
  const statement = (sql: string): Database.Statement<Value[]> => {
    const known = prepared.get(sql) ?? prepare(sql)
    if (known.writes !== undefined) memory.forget(known.writes)
    return known.statement
  }
  const one = <T>(table: TableName, sql: string, ...values: readonly Value[]): T | undefined => {
    const row = statement(sql).get(...values)
    return row === undefined ? undefined : decodeRow<T>(table, row, damaged)
  }
  return {
    all: <T>(table: TableName, sql: string, ...values: readonly Value[]) =>
      statement(sql)
        .all(...values)
        .map((row) => decodeRow<T>(table, row, damaged)),
    one,
    remembered: <T>(table: TableName, sql: string) =>
      memory.remembering(table, (workspace, id) => one<T>(table, sql, workspace, id)),
    run: (sql, ...values) => statement(sql).run(...values).changes,
    insert: (table, workspace, record) =>
      statement(`${insertSql(table)} ON CONFLICT DO NOTHING`).run(...encodeRow(table, workspace, record)).changes === 1,
    rows: (table, workspace) => {
      const columns = tables[table].columns.join(', ')
      const text = `SELECT ${columns} FROM ${table} WHERE workspace = ? ORDER BY rowid`
      return statement(text).all(workspace) as readonly Readonly<Record<string, Value>>[]
    },
    insertRow: (table, workspace, row) => {
      const columns: readonly string[] = tables[table].columns
      statement(insertSql(table)).run(workspace, ...columns.map((column) => row[column] ?? null))
    },
  }
}

const writtenTable = (sql: string): string => {
  const table = /^(?:INSERT(?: OR REPLACE)? INTO|UPDATE|DELETE FROM) (\w+)/.exec(sql)?.[1]
  if (table === undefined) throw new Error(`which table does this write to? ${sql}`)
  return table
}
