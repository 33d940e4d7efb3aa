import type Database from 'better-sqlite3'
import type { DamagedRow } from '../damaged-rows.ts'
import { allOf, insertSql } from '../statements.ts'
import { decodeRow, encodeRow, type TableName, tables, type Value } from '../tables.ts'
import { createRowMemory } from './row-memory.ts'

/** The few things that every table's statements need. Each gives a function, whose statement is prepared with its first call. */
export type Sql = {
  all<T>(table: TableName, sql: string): (...values: readonly Value[]) => readonly T[]
  /** Rows with these values, in order of making. */
  list<T>(
    table: TableName,
    columns: readonly string[],
    selected?: string,
  ): (...values: readonly Value[]) => readonly T[]
  one<T>(table: TableName, sql: string): (...values: readonly Value[]) => T | undefined
  /**
   * As `one`, and remembered until anything is written to the table. Not inside a write, which may yet be undone: whoever
   * reads here reads what is committed.
   */
  remembered<T>(table: TableName, sql: string): (workspace: string, key: string) => T | undefined
  /** How many rows were changed. */
  run(sql: string): (...values: readonly Value[]) => number
  /** False when a row of this key exists, or when there is no row of the other table that it `needs`. */
  insert(table: TableName, needs?: TableName): (workspace: string, record: object, needed?: string) => boolean
  /** Rows as they are stored, in order of making. */
  rows(table: TableName): (workspace: string) => readonly Readonly<Record<string, Value>>[]
  insertRow(table: TableName): (workspace: string, row: Readonly<Record<string, Value>>) => void
}

export const sqlOf = (db: Database.Database, damaged: (row: DamagedRow) => void): Sql => {
  const memory = createRowMemory()
  const prepared = new Map<string, Prepared>()
  const prepare = (sql: string): Prepared => {
    const made = db.prepare<Value[]>(sql)
    const known = made.readonly ? { statement: made } : { statement: made, writes: writtenTable(sql) }
    prepared.set(sql, known)
    return known
  }
  /** About to be used: what it writes to is no longer what was read. */
  const statementOf = (sql: string): (() => Database.Statement<Value[]>) => {
    let known: Prepared | undefined
    return () => {
      known ??= prepared.get(sql) ?? prepare(sql)
      if (known.writes !== undefined) memory.forget(known.writes)
      return known.statement
    }
  }
  const all = <T>(table: TableName, sql: string) => {
    const statement = statementOf(sql)
    return (...values: readonly Value[]): readonly T[] =>
      statement()
        .all(...values)
        .map((row) => decodeRow<T>(table, row, damaged))
  }
  const one = <T>(table: TableName, sql: string) => {
    const statement = statementOf(sql)
    return (...values: readonly Value[]): T | undefined => {
      const row = statement().get(...values)
      return row === undefined ? undefined : decodeRow<T>(table, row, damaged)
    }
  }
  const run = (sql: string) => {
    const statement = statementOf(sql)
    return (...values: readonly Value[]): number => statement().run(...values).changes
  }
  return {
    all,
    // Sorted here: with ORDER BY, SQLite prepares a statement anew whenever other values are bound to it.
    list: <T>(table: TableName, columns: readonly string[], selected = '*') => {
      const statement = statementOf(`SELECT rowid, ${selected} FROM ${table} WHERE ${allOf(columns)}`)
      return (...values: readonly Value[]): readonly T[] =>
        (statement().all(...values) as { readonly rowid: number }[])
          .sort((a, b) => a.rowid - b.rowid)
          .map((row) => decodeRow<T>(table, row, damaged))
    },
    one,
    remembered: <T>(table: TableName, sql: string) => memory.remembering(table, one<T>(table, sql)),
    run,
    insert: (table, needs) => {
      const inserted = run(`${insertSql(table, needs)} ON CONFLICT DO NOTHING`)
      return (workspace, record, needed) => {
        const values = encodeRow(table, workspace, record)
        return (needed === undefined ? inserted(...values) : inserted(...values, workspace, needed)) === 1
      }
    },
    rows: (table) => {
      const text = `SELECT ${tables[table].columns.join(', ')} FROM ${table} WHERE workspace = ? ORDER BY rowid`
      const statement = statementOf(text)
      return (workspace) => statement().all(workspace) as readonly Readonly<Record<string, Value>>[]
    },
    insertRow: (table) => {
      const columns: readonly string[] = tables[table].columns
      const inserted = run(insertSql(table))
      return (workspace, row) => void inserted(workspace, ...columns.map((column) => row[column] ?? null))
    },
  }
}

type Prepared = { readonly statement: Database.Statement<Value[]>; readonly writes?: string }

const writtenTable = (sql: string): string => {
  const table = /^(?:INSERT(?: OR REPLACE)? INTO|UPDATE|DELETE FROM) (\w+)/.exec(sql)?.[1]
  if (table === undefined) throw new Error(`which table does this write to? ${sql}`)
  return table
}
