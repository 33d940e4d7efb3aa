import {
  columnsOf,
  type DamagedRow,
  decodeRow,
  encodeRow,
  equalityClause,
  insertSql,
  type PlainRows,
  type TableName,
  typedPlaceholders,
} from '../tables.ts'
import type { BoundValue, RunQuery } from './database.ts'

export type Sql = ReturnType<typeof createSql>

/** Statements that every table needs. */
export const createSql = (ask: RunQuery, damaged: (row: DamagedRow) => void) => {
  const decode = <T>(table: TableName, row: object): T => decodeRow<T>(table, row, damaged)
  const all = async <T>(table: TableName, text: string, values: readonly BoundValue[]): Promise<readonly T[]> =>
    (await ask(text, values)).rows.map((row) => decode<T>(table, row))
  const one = async <T>(table: TableName, text: string, values: readonly BoundValue[]): Promise<T | undefined> =>
    (await all<T>(table, text, values))[0]
  /** True if it changed one row. */
  const changed = async (text: string, values: readonly BoundValue[]): Promise<boolean> =>
    (await ask(text, values)).changes === 1
  const plain: PlainRows = {
    get: (table, ...columns) => {
      const text = `SELECT * FROM ${table} WHERE ${equalityClause(['workspace', ...columns])}`
      return (workspace, ...values) => one(table, text, [workspace, ...values])
    },
    list: (table, columns = [], selected = '*') => {
      const text = `SELECT ${selected} FROM ${table} WHERE ${equalityClause(['workspace', ...columns])} ORDER BY rowid`
      return (workspace, ...values) => all(table, text, [workspace, ...values])
    },
    insert: (table) => {
      const text = `${insertSql(table)} ON CONFLICT DO NOTHING`
      return (workspace, record) => changed(text, encodeRow(table, workspace, record))
    },
    insertWith: (table, needs, idOf) => {
      const text = `${insertWith(table, needs)} ON CONFLICT DO NOTHING`
      return (workspace, record) => changed(text, [...encodeRow(table, workspace, record), workspace, idOf(record)])
    },
    change:
      (text) =>
      (...values) =>
        changed(text, values),
  }
  return { ask, decode, all, one, changed, ...plain }
}

/** The lock keeps the needed row from being deleted before this one is committed. */
export const insertWith = (table: TableName, needs: TableName): string =>
  `INSERT INTO ${table} (workspace, ${columnsOf(table).join(', ')})
   SELECT ${typedPlaceholders(table)} FROM ${needs} WHERE workspace = ? AND id = ? FOR KEY SHARE`
