import {
  columnsOf,
  type DamagedRow,
  decodeRow,
  encodeRow,
  insertSql,
  type TableName,
  typedPlaceholders,
} from '../tables.ts'
import type { BoundValue, QueryResult, RunQuery } from './database.ts'

/** Statements that every table needs, run on a database or inside a transaction. */
export type Sql = {
  readonly ask: RunQuery
  decode<T>(table: TableName, row: object): T
  all<T>(table: TableName, text: string, values: readonly BoundValue[]): Promise<readonly T[]>
  one<T>(table: TableName, text: string, values: readonly BoundValue[]): Promise<T | undefined>
  /** Returns the number of changed rows. */
  run(text: string, values: readonly BoundValue[]): Promise<number>
  /** False if a row with this key exists, or the row of another table that it `needs` does not. */
  insert(table: TableName, workspace: string, record: object, needs?: RequiredRow): Promise<boolean>
}

/** A row that must exist until the new row is committed. */
export type RequiredRow = { readonly table: TableName; readonly id: string }

export const createSql = (ask: RunQuery, damaged: (row: DamagedRow) => void): Sql => {
  const decode = <T>(table: TableName, row: object): T => decodeRow<T>(table, row, damaged)
  const all = async <T>(table: TableName, text: string, values: readonly BoundValue[]): Promise<readonly T[]> =>
    (await ask(text, values)).rows.map((row) => decode<T>(table, row))
  return {
    ask,
    decode,
    all,
    one: async <T>(table: TableName, text: string, values: readonly BoundValue[]) =>
      (await all<T>(table, text, values))[0],
    run: async (text, values) => (await ask(text, values)).changes,
    insert: async (table, workspace, record, needs) => {
      const values = encodeRow(table, workspace, record)
      const inserted: QueryResult =
        needs === undefined
          ? await ask(`${insertSql(table)} ON CONFLICT DO NOTHING`, values)
          : await ask(`${insertWith(table, needs.table)} ON CONFLICT DO NOTHING`, [...values, workspace, needs.id])
      return inserted.changes === 1
    },
  }
}

/** The lock keeps the needed row from being deleted before this one is committed. */
export const insertWith = (table: TableName, needs: TableName): string =>
  `INSERT INTO ${table} (workspace, ${columnsOf(table).join(', ')})
   SELECT ${typedPlaceholders(table)} FROM ${needs} WHERE workspace = ? AND id = ? FOR KEY SHARE`
