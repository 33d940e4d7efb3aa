import { allOf } from '../statements.ts'
import type { TableName } from '../tables.ts'
import type { Bound } from './database.ts'
import type { Sql } from './sql.ts'

/** What most tables need: rows by some of their columns, new ones, and changes of one. */
export const plainRows = (sql: Sql) => {
  const get =
    <T>(table: TableName, ...columns: readonly string[]) =>
    (workspace: string, ...values: readonly Bound[]) =>
      sql.one<T>(table, `SELECT * FROM ${table} WHERE ${allOf(['workspace', ...columns])}`, [workspace, ...values])
  const list =
    <T>(table: TableName, ...columns: readonly string[]) =>
    (workspace: string, ...values: readonly Bound[]) =>
      sql.all<T>(table, `SELECT * FROM ${table} WHERE ${allOf(['workspace', ...columns])} ORDER BY rowid`, [
        workspace,
        ...values,
      ])
  const insert = (table: TableName) => (workspace: string, record: object) => sql.insert(table, workspace, record)
  const insertWith =
    <R extends object>(table: TableName, needs: TableName, idOf: (record: R) => string) =>
    (workspace: string, record: R) =>
      sql.insert(table, workspace, record, { table: needs, id: idOf(record) })
  /** Whether it changed one row. */
  const change = async (text: string, ...values: readonly Bound[]): Promise<boolean> =>
    (await sql.run(text, values)) === 1
  const remove = (table: TableName) => (workspace: string, id: string) =>
    change(`DELETE FROM ${table} WHERE workspace = ? AND id = ?`, workspace, id)

  return { get, list, insert, insertWith, change, remove }
}

export type PlainRows = ReturnType<typeof plainRows>
