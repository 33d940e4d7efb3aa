import { columnsOf, type DamagedRow, decodeRow, encodeRow, insertSql, type TableName, typedPlaces } from '../tables.ts'
import type { Answer, Ask, Bound } from './database.ts'

/** Statements that every table needs, run on a database or inside a transaction. */
export type Sql = {
  readonly ask: Ask
  decode<T>(table: TableName, row: object): T
  all<T>(table: TableName, text: string, values: readonly Bound[]): Promise<readonly T[]>
  one<T>(table: TableName, text: string, values: readonly Bound[]): Promise<T | undefined>
  /** Returns the number of changed rows. */
  run(text: string, values: readonly Bound[]): Promise<number>
  /** False if a row with this key exists, or the row of another table that it `needs` does not. */
  insert(table: TableName, workspace: string, record: object, needs?: Needs): Promise<boolean>
}

/** A row that must exist until the new row is committed. */
export type Needs = { readonly table: TableName; readonly id: string }

export const sqlOf = (ask: Ask, damaged: (row: DamagedRow) => void): Sql => {
  const decode = <T>(table: TableName, row: object): T => decodeRow<T>(table, row, damaged)
  const all = async <T>(table: TableName, text: string, values: readonly Bound[]): Promise<readonly T[]> =>
    (await ask(text, values)).rows.map((row) => decode<T>(table, row))
  return {
    ask,
    decode,
    all,
    one: async <T>(table: TableName, text: string, values: readonly Bound[]) => (await all<T>(table, text, values))[0],
    run: async (text, values) => (await ask(text, values)).changes,
    insert: async (table, workspace, record, needs) => {
      const values = encodeRow(table, workspace, record)
      const inserted: Answer =
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
   SELECT ${typedPlaces(table)} FROM ${needs} WHERE workspace = ? AND id = ? FOR KEY SHARE`
