import type Database from 'better-sqlite3'
import { decodeRow, encodeRow, insertSql, type TableName, tables, type Value } from './tables.ts'

/** The few things that every table's statements need. Statements are prepared once. */
export type Sql = {
  all<T>(table: TableName, sql: string, ...values: readonly Value[]): readonly T[]
  one<T>(table: TableName, sql: string, ...values: readonly Value[]): T | undefined
  /** How many rows were changed. */
  run(sql: string, ...values: readonly Value[]): number
  /** False when a row of this key exists. */
  insert(table: TableName, workspace: string, record: object): boolean
  /** Rows as they are stored, in order of making. */
  rows(table: TableName, workspace: string): readonly Readonly<Record<string, Value>>[]
  insertRow(table: TableName, workspace: string, row: Readonly<Record<string, Value>>): void
}

export const sqlOf = (db: Database.Database): Sql => {
  const prepared = new Map<string, Database.Statement<Value[]>>()
  const statement = (sql: string): Database.Statement<Value[]> => {
    const known = prepared.get(sql)
    if (known !== undefined) return known
    const made = db.prepare<Value[]>(sql)
    prepared.set(sql, made)
    return made
  }
  return {
    all: <T>(table: TableName, sql: string, ...values: readonly Value[]) =>
      statement(sql)
        .all(...values)
        .map((row) => decodeRow<T>(table, row)),
    one: <T>(table: TableName, sql: string, ...values: readonly Value[]) => {
      const row = statement(sql).get(...values)
      return row === undefined ? undefined : decodeRow<T>(table, row)
    },
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
