import type Database from 'better-sqlite3'
import { withoutUndefined } from '../../../core/protocol/json.ts'
import { type Log, silentLog } from '../../../core/protocol/log.ts'
import { rememberByText } from '../../../core/protocol/remember.ts'
import { noSync, type WalSync } from '../../../disk/log-sync.ts'
import { createRowReplacer, type ReplaceSteps } from '../replace-rows.ts'
import type { AccessKeyRecord, CredentialRecord, PushRecord, RpRecord, Store, WorkspaceRecord } from '../store.ts'
import {
  createCommonTables,
  createDamagedRowLog,
  encodeValue,
  equalityClause,
  SELECT_OPEN_PUSHES,
  type SqlValue,
  stateTables,
  type TableName,
  withRowKeys,
} from '../tables.ts'
import { createDiskOutage, createGroupCommit, type DiskOutage, type Write } from './group-commit.ts'
import { createUserCredentials, messageStore } from './messages.ts'
import { createSql, type Sql } from './sql.ts'

export type SqliteOptions = {
  readonly sync?: WalSync
  readonly outage?: DiskOutage
  readonly log?: Log
  readonly release?: () => void
}

/** `release` is called after the database is closed. */
export const sqliteStore = (
  db: Database.Database,
  { sync = noSync, log = silentLog, outage = createDiskOutage(log), release = () => {} }: SqliteOptions = {},
): Store => {
  const damaged = createDamagedRowLog(log)
  const sql = createSql(db, (row) => damaged({ ...row, workspace: keys.workspaceOf(row.workspace) }))
  const { write, rewrite, flush } = createGroupCommit(db, { sync, outage, undone: sql.forgetAll })
  const keys = createRowKeys(sql)
  const replacing = createRowReplacer(replaceSteps({ sql, write, flush, keys }))

  const get = <T>(table: TableName, ...columns: readonly string[]) =>
    promised(sql.one<T>(table, `SELECT * FROM ${table} WHERE ${equalityClause(['workspace', ...columns])}`))
  const list = <T>(table: TableName, columns: readonly string[] = [], selected?: string) =>
    promised(sql.list<T>(table, ['workspace', ...columns], selected))
  const remembered = <T>(table: TableName, column: string) =>
    sql.remembered<T>(table, `SELECT * FROM ${table} WHERE workspace = ? AND ${column} = ?`)
  const written =
    <A extends readonly unknown[], T>(change: (...values: A) => T) =>
    (...values: A): Promise<T> =>
      write(() => change(...values))
  const insert = (table: TableName) => written(sql.insert(table))
  const insertWith = <R extends object>(table: TableName, needs: TableName, idOf: (record: R) => string) => {
    const inserted = sql.insert(table, needs)
    return written((workspace: string, record: R) => inserted(workspace, record, idOf(record)))
  }
  /** True if it changed one row. */
  const change = (statement: string) => {
    const run = sql.run(statement)
    return written((...values: readonly SqlValue[]) => run(...values) === 1)
  }
  const plain = createCommonTables({ get, list, insert, insertWith, change })

  const users = createUserCredentials(sql)
  const credentialsBy = rememberByText((columns) => sql.list<CredentialRecord>('credentials', columns.split(' ')), 10)
  const insertCredential = sql.insert('credentials', 'rps')
  const keyOf = remembered<AccessKeyRecord>('access_keys', 'id')
  const rpOf = remembered<RpRecord>('rps', 'id')
  const setKeyState = change('UPDATE access_keys SET state = ? WHERE workspace = ? AND id = ?')
  const openPushes = sql.all<PushRecord>('pushes', SELECT_OPEN_PUSHES)

  const store: Store = {
    workspaces: {
      list: promised(sql.all<WorkspaceRecord>('settings', 'SELECT id, created_at FROM workspaces ORDER BY rowid')),
      insert: written(({ id, created_at }) => {
        const text = 'INSERT INTO workspaces (id, created_at) VALUES (?, ?) ON CONFLICT DO NOTHING'
        if (sql.run(text)(id, created_at) === 0) return false
        keys.begin(id)
        return true
      }),
      delete: written((id) => {
        for (const table of stateTables) sql.run(`DELETE FROM ${table} WHERE workspace = ?`)(keys.of(id))
        sql.run('DELETE FROM snapshots WHERE workspace = ?')(id)
        keys.forget(id)
        return sql.run('DELETE FROM workspaces WHERE id = ?')(id) === 1
      }),
    },

    settings: {
      get: async (workspace, name) => {
        const text = 'SELECT value FROM settings WHERE workspace = ? AND name = ?'
        const row = sql.one<{ value: string }>('settings', text)(workspace, name)
        return row === undefined ? undefined : JSON.parse(row.value)
      },
      set: written((workspace, name, value) => {
        const text = 'INSERT OR REPLACE INTO settings (workspace, name, value) VALUES (?, ?, ?)'
        sql.run(text)(workspace, name, JSON.stringify(value))
      }),
      delete: written((workspace, name) => {
        sql.run('DELETE FROM settings WHERE workspace = ? AND name = ?')(workspace, name)
      }),
    },

    rps: {
      list: list('rps'),
      get: promised(rpOf),
      insert: insert('rps'),
      update: written((workspace, id, part) => {
        const columns = Object.entries(part)
        const set = ['id = id', ...columns.map(([column]) => `${column} = ?`)].join(', ')
        const values = columns.map(([column, value]) => encodeValue('rps', column, value))
        return sql.run(`UPDATE rps SET ${set} WHERE workspace = ? AND id = ?`)(...values, workspace, id) === 1
      }),
      delete: written((workspace, id) => {
        const messages = 'SELECT id FROM messages WHERE workspace = ? AND rp = ?'
        sql.run(`DELETE FROM pushes WHERE workspace = ? AND msg_id IN (${messages})`)(workspace, workspace, id)
        for (const table of ['access_keys', 'messages', 'credentials']) {
          sql.run(`DELETE FROM ${table} WHERE workspace = ? AND rp = ?`)(workspace, id)
        }
        return sql.run('DELETE FROM rps WHERE workspace = ? AND id = ?')(workspace, id) === 1
      }),
    },

    accessKeys: {
      list: list('access_keys'),
      get: promised(keyOf),
      withRp: async (workspace, id) => {
        const key = keyOf(workspace, id)
        const rp = key && rpOf(workspace, key.rp)
        return key && rp && { key, rp }
      },
      insert: insertWith<AccessKeyRecord>('access_keys', 'rps', ({ rp }) => rp),
      setState: (workspace, id, state) => setKeyState(state, workspace, id),
      delete: written(
        sql.one<AccessKeyRecord>('access_keys', 'DELETE FROM access_keys WHERE workspace = ? AND id = ? RETURNING *'),
      ),
    },

    accounts: {
      list: list('accounts'),
      get: promised(remembered('accounts', 'id')),
      byPhone: get('accounts', 'phone'),
      insert: insert('accounts'),
      delete: written((workspace, id) => {
        const unused = 'NOT EXISTS (SELECT 1 FROM devices WHERE workspace = ? AND account = ?)'
        const deleted = sql.run(`DELETE FROM accounts WHERE workspace = ? AND id = ? AND ${unused}`)
        if (deleted(workspace, id, workspace, id) === 0) return false
        sql.run('DELETE FROM vault WHERE workspace = ? AND account = ?')(workspace, id)
        return true
      }),
    },

    devices: {
      ...plain.devices,
      byToken: promised(remembered('devices', 'token_hash')),
      delete: written((workspace, id) => {
        sql.run('DELETE FROM pushes WHERE workspace = ? AND device = ?')(workspace, id)
        return sql.run('DELETE FROM devices WHERE workspace = ? AND id = ?')(workspace, id) === 1
      }),
    },

    messages: messageStore({ sql, write: rewrite, rpOf, users, onDisk: sync.pending }),

    credentials: {
      list: async (workspace, filter = {}) => {
        const { rp, user_id } = filter
        if (rp !== undefined && user_id !== undefined) return users.list(workspace, rp, user_id)
        const wanted = withoutUndefined(filter)
        const columns = ['workspace', ...Object.keys(wanted)].join(' ')
        return credentialsBy(columns)(workspace, ...Object.values(wanted))
      },
      get: promised(users.get),
      delete: written((workspace, { rp, user_id, ids }) => {
        const owner = user_id === undefined ? [] : [user_id]
        const where = equalityClause(['workspace', 'rp', 'id', ...owner.map(() => 'user_id')])
        const deleted = sql.one<CredentialRecord>('credentials', `DELETE FROM credentials WHERE ${where} RETURNING *`)
        return ids.flatMap((id) => deleted(workspace, rp, id, ...owner) ?? [])
      }),
      insert: written((workspace, record) => {
        users.made(workspace, record)
        return insertCredential(workspace, record, record.rp)
      }),
    },

    pushes: {
      open: async (workspace, { device, after, now }) => openPushes(workspace, device, after, now),
      ...plain.pushes,
    },

    vault: plain.vault,
    roots: plain.roots,
    snapshots: plain.snapshots,

    counts: async (workspace) => {
      const count = (table: TableName, where = ''): number => {
        const text = `SELECT count(*) AS n FROM ${table} WHERE workspace = ?${where}`
        return sql.one<{ n: number }>(table, text)(workspace)?.n ?? 0
      }
      return {
        rps: count('rps'),
        messages: count('messages'),
        messages_under_way: count('messages', " AND state IN ('init', 'bind')"),
        credentials: count('credentials'),
        accounts: count('accounts'),
      }
    },

    // The rows lack the workspace's id, since another workspace may import them.
    rows: async (workspace, tables = stateTables) =>
      Object.fromEntries(
        stateTables.filter((table) => tables.includes(table)).map((table) => [table, sql.rows(table)(workspace)]),
      ),

    replaceRows: (workspace, rows, how = {}) => replacing.replace(workspace, rows, how),
    rowKey: keys.of,

    clear: written((workspace, names) => {
      for (const table of stateTables) {
        if (names.includes(table)) sql.run(`DELETE FROM ${table} WHERE workspace = ?`)(workspace)
      }
    }),

    close: async () => {
      flush()
      await replacing.end()
      flush()
      await sync.close()
      db.close()
      release()
    },
  }
  void replacing.clearUnused()
  return withRowKeys(store, keys.of)
}

const promised =
  <A extends readonly unknown[], T>(read: (...values: A) => T) =>
  async (...values: A): Promise<T> =>
    read(...values)

type Parts = { readonly sql: Sql; readonly write: Write; readonly flush: () => void; readonly keys: RowKeys }

const DELETED_AT_ONCE = 200

const replaceSteps = ({ sql, write, flush, keys }: Parts): ReplaceSteps => {
  const clearSome = (key: string): boolean => {
    let left = DELETED_AT_ONCE
    for (const table of stateTables) {
      const text = `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE workspace = ? LIMIT ?)`
      left -= sql.run(text)(key, left)
    }
    if (left > 0) keys.cleared(key)
    return left === 0
  }
  return {
    keyOf: keys.of,
    reserve: () => write(keys.reserve),
    writeSlice: (key, slice) =>
      write(() => {
        for (const { table, row } of slice) sql.insertRow(table)(key, row)
      }),
    // Flushes at once, with the pending writes before it, so that later readers find the new rows.
    give: async (key, workspace, { isWanted, switched }) => {
      const given = write(() => {
        if (isWanted?.() === false || !keys.give(key, workspace)) return false
        switched?.()
        return true
      })
      flush()
      try {
        return await given
      } catch (reason) {
        keys.readAgain()
        throw reason
      }
    },
    unused: async () => keys.unused(),
    clearSome: (key) => write(() => clearSome(key)),
  }
}

/**
 * The key of a workspace's stored rows: its id, until they are replaced as a whole. New rows get a separate key, and
 * the workspace changes its key in one statement. Keys whose rows belong to no workspace are remembered.
 */
type RowKeys = ReturnType<typeof createRowKeys>

type Named = { readonly row_key: string }

const createRowKeys = (sql: Sql) => {
  const keys = new Map<string, string>()
  const unused = (): readonly string[] =>
    sql
      .all<Named>('settings', 'SELECT row_key FROM unused_rows ORDER BY rowid')()
      .map(({ row_key }) => row_key)

  /** Called at the start, and after the rollback of a write that gave a workspace a new key. */
  const readAgain = (): void => {
    keys.clear()
    const given = 'SELECT id, row_key FROM workspaces WHERE row_key IS NOT NULL'
    for (const { id, row_key } of sql.all<Named & { readonly id: string }>('settings', given)()) keys.set(id, row_key)
  }
  readAgain()
  // New keys are `#` and a number, which is never a workspace's id.
  let last = Math.max(0, ...[...keys.values(), ...unused()].map((key) => Number(key.slice(1)) || 0))

  const keep = sql.run('INSERT INTO unused_rows (row_key) VALUES (?)')
  const cleared = sql.run('DELETE FROM unused_rows WHERE row_key = ?')
  const name = sql.run('UPDATE workspaces SET row_key = ? WHERE id = ?')
  const of = (workspace: string): string => keys.get(workspace) ?? workspace

  /** Called inside a write. Makes a new key, which is listed for deletion with its rows until a workspace gets it. */
  const reserve = (): string => {
    const key = `#${++last}`
    keep(key)
    return key
  }

  /** Called inside a write. False if there is no such workspace. */
  const give = (key: string, workspace: string): boolean => {
    if (name(key, workspace) === 0) return false
    keep(of(workspace))
    cleared(key)
    keys.set(workspace, key)
    return true
  }

  return {
    of,
    workspaceOf: (key: string): string => [...keys].find(([, given]) => given === key)?.[0] ?? key,
    reserve,
    give,
    /** Called inside the write that inserts a new workspace. */
    begin: (workspace: string): void => {
      // Rows of an earlier workspace with this id may remain.
      if (!unused().includes(workspace)) return
      const key = `#${++last}`
      name(key, workspace)
      keys.set(workspace, key)
    },
    forget: (workspace: string) => void keys.delete(workspace),
    readAgain,
    unused,
    /** Called inside a write, once the key's rows are deleted: ends its listing for deletion. */
    cleared,
  }
}
