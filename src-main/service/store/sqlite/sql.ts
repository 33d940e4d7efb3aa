import type Database from 'better-sqlite3'
import * as tables from '../tables.ts'

export type Sql = ReturnType<typeof createSql>

/** Statements that every table needs. Each member returns a function that prepares its statement at its first call. */
export const createSql = (db: Database.Database, damaged: (row: tables.DamagedRow) => void) => {
  const memory = createRowMemory()
  const prepared = new Map<string, Prepared>()
  const prepare = (sql: string): Prepared => {
    const made = db.prepare<tables.SqlValue[]>(sql)
    const known = made.readonly ? { statement: made } : { statement: made, changes: changedTable(sql) }
    prepared.set(sql, known)
    return known
  }
  /** Before each use of a statement, forgets the remembered rows of the table that it changes. */
  const statementOf = (sql: string, quietly = false): (() => Database.Statement<tables.SqlValue[]>) => {
    let known: Prepared | undefined
    return () => {
      known ??= prepared.get(sql) ?? prepare(sql)
      if (known.changes !== undefined && !quietly) memory.forget(known.changes)
      return known.statement
    }
  }
  const all = <T>(table: tables.TableName, sql: string) => {
    const statement = statementOf(sql)
    return (...values: readonly tables.SqlValue[]): readonly T[] =>
      statement()
        .all(...values)
        .map((row) => tables.decodeRow<T>(table, row, damaged))
  }
  const one = <T>(table: tables.TableName, sql: string) => {
    const statement = statementOf(sql)
    return (...values: readonly tables.SqlValue[]): T | undefined => {
      const row = statement().get(...values)
      return row === undefined ? undefined : tables.decodeRow<T>(table, row, damaged)
    }
  }
  const run = (sql: string, quietly = false) => {
    const statement = statementOf(sql, quietly)
    return (...values: readonly tables.SqlValue[]): number => statement().run(...values).changes
  }
  return {
    all,
    /** In order of creation. Sorted here: with ORDER BY, SQLite prepares the statement again for each new set of values. */
    list: <T>(table: tables.TableName, columns: readonly string[], selected = '*') => {
      const statement = statementOf(`SELECT rowid, ${selected} FROM ${table} WHERE ${tables.equalityClause(columns)}`)
      return (...values: readonly tables.SqlValue[]): readonly T[] =>
        (statement().all(...values) as { readonly rowid: number }[])
          .sort((a, b) => a.rowid - b.rowid)
          .map((row) => tables.decodeRow<T>(table, row, damaged))
    },
    one,
    /** Like `one`, but remembered until a row of the table is changed or deleted, or a write is undone. */
    remembered: <T>(table: tables.TableName, sql: string) => {
      const known = memory.rowsOf<T>(table)
      const read = one<T>(table, sql)
      return (workspace: string, key: string): T | undefined => {
        const row = known.get(workspace, key)
        if (row !== undefined) return row
        const found = read(workspace, key)
        // Missing rows are not remembered: clients may ask for any key.
        if (found !== undefined) known.put(workspace, key, found)
        return found
      }
    },
    /** For a caller that updates the remembered rows of a table itself. */
    memoryOf: memory.rowsOf,
    /** Called after a rollback, which may have undone remembered rows. */
    forgetAll: memory.forgetAll,
    /** Returns the number of changed rows. */
    run: (text: string) => run(text),
    /** Like `run`, but the caller updates the remembered rows of the table. */
    runQuietly: (text: string) => run(text, true),
    /** False if a row with this key exists, or if the row `needed` in the table `needs` does not. */
    insert: (table: tables.TableName, needs?: tables.TableName) => {
      const columns = newColumns(table)
      const inserted = run(`${tables.insertSql(table, needs, columns)} ON CONFLICT DO NOTHING`)
      const encode = tables.rowEncoder(table, columns)
      return (workspace: string, record: object, needed?: string): boolean => {
        const values = encode(workspace, record)
        return (needed === undefined ? inserted(...values) : inserted(...values, workspace, needed)) === 1
      }
    },
    /** Rows as they are stored, in order of creation. */
    rows: (table: tables.TableName) => {
      const text = `SELECT ${tables.columnsOf(table).join(', ')} FROM ${wholeRows(table)} WHERE workspace = ? ORDER BY rowid`
      const statement = statementOf(text)
      return (workspace: string) => statement().all(workspace) as readonly StoredRow[]
    },
    insertRow: (table: tables.TableName) => {
      const columns = tables.columnsOf(table)
      const inserted = run(tables.insertSql(table).replace(table, wholeRows(table)))
      return (workspace: string, row: StoredRow) =>
        void inserted(workspace, ...columns.map((column) => row[column] ?? null))
    },
  }
}

type StoredRow = Readonly<Record<string, tables.SqlValue>>

type Prepared = { readonly statement: Database.Statement<tables.SqlValue[]>; readonly changes?: string | undefined }

/** Undefined for an insert: a new row is not remembered yet. */
const changedTable = (sql: string): string | undefined => {
  if (sql.startsWith('INSERT INTO')) return undefined
  const table = /^(?:INSERT OR REPLACE INTO|UPDATE|DELETE FROM) (\w+)/.exec(sql)?.[1]
  if (table === undefined) throw new Error(`which table does this write to? ${sql}`)
  return table
}

/**
 * The verdict is the largest part of a message and is written once. It has a separate table, since each state change
 * rewrites the message's whole row. Reads and imports see it as a column of the message.
 */
const WHOLE = 'whole_messages'

export const SELECT_MESSAGES = `SELECT * FROM ${WHOLE}`

export const INSERT_VERDICT =
  'INSERT INTO verdicts (message, verdict) SELECT rowid, ? FROM messages WHERE workspace = ? AND id = ?'

const wholeRows = (table: tables.TableName): string => (table === 'messages' ? WHOLE : table)

const newColumns = (table: tables.TableName): readonly string[] =>
  tables.columnsOf(table).filter((column) => table !== 'messages' || column !== 'verdict')

export type RememberedRows<T> = {
  get(workspace: string, key: string): T | undefined
  put(workspace: string, key: string, row: T): void
  forget(workspace: string, key: string): void
}

/** Maximum number of rows for one kind of query in one workspace; beyond it, all are dropped. */
const MAX_ROWS = 10_000

/** Rows as they were read or written, until rows of their table are changed or deleted. */
const createRowMemory = () => {
  const byTable = new Map<string, Map<string, unknown>[]>()
  const forget = (table: string): void => {
    for (const known of byTable.get(table) ?? []) known.clear()
  }
  return {
    rowsOf: <T>(table: tables.TableName): RememberedRows<T> => {
      const byWorkspace = new Map<string, Map<string, T>>()
      byTable.set(table, [...(byTable.get(table) ?? []), byWorkspace])
      return {
        get: (workspace, key) => byWorkspace.get(workspace)?.get(key),
        put: (workspace, key, row) => {
          const rows = byWorkspace.get(workspace) ?? new Map<string, T>()
          byWorkspace.set(workspace, rows)
          if (rows.size >= MAX_ROWS) rows.clear()
          rows.set(key, row)
        },
        forget: (workspace, key) => void byWorkspace.get(workspace)?.delete(key),
      }
    },
    forget,
    forgetAll: () => {
      for (const table of byTable.keys()) forget(table)
    },
  }
}
