import type Database from 'better-sqlite3'
import { type Log, silent } from '../../../protocol/log.ts'
import { createDamagedRows } from '../damaged-rows.ts'
import { createDiskOutage, type DiskOutage } from '../disk-outage.ts'
import type {
  AccessKeyRecord,
  AccountRecord,
  CredentialRecord,
  DeviceRecord,
  PushRecord,
  RootRecord,
  RpRecord,
  SnapshotRecord,
  VaultRecord,
  WorkspaceRecord,
} from '../records.ts'
import type { Store } from '../store.ts'
import { groupCommit } from './group-commit.ts'
import { type LogSync, noSync } from './log-sync.ts'
import { messageStore } from './messages.ts'
import { createReplaceRows } from './replace-rows.ts'
import { createRowKeys } from './row-keys.ts'
import { readRows } from './rows.ts'
import { type Sql, sqlOf } from './sql.ts'
import { encodeValue, stateTables, type TableName } from './tables.ts'
import { underRowKeys } from './under-row-keys.ts'

export type SqliteOptions = {
  readonly sync?: LogSync
  readonly outage?: DiskOutage
  readonly log?: Log
  readonly release?: () => void
}

/** The store over one SQLite database that is open and migrated. `release` is called after it is closed. */
export const sqliteStore = (
  db: Database.Database,
  { sync = noSync, log = silent, outage = createDiskOutage(log), release = () => {} }: SqliteOptions = {},
): Store => {
  const damaged = createDamagedRows(log)
  const sql = sqlOf(db, (row) => damaged({ ...row, workspace: keys.workspaceOf(row.workspace) }))
  const { write, flush } = groupCommit(db, { sync, outage })
  const keys = createRowKeys(sql)
  const replacing = createReplaceRows({ sql, write, flush, keys })
  const one = byKey(sql)
  const remove = (table: TableName, workspace: string, id: string): Promise<boolean> =>
    write(() => sql.run(`DELETE FROM ${table} WHERE workspace = ? AND id = ?`, workspace, id) === 1)
  const insert = (table: TableName, workspace: string, record: object): Promise<boolean> =>
    write(() => sql.insert(table, workspace, record))
  const list = <T>(table: TableName, workspace: string): readonly T[] =>
    sql.all<T>(table, `SELECT * FROM ${table} WHERE workspace = ? ORDER BY rowid`, workspace)
  const keyOf = sql.remembered<AccessKeyRecord>(
    'access_keys',
    'SELECT * FROM access_keys WHERE workspace = ? AND id = ?',
  )
  const rpOf = sql.remembered<RpRecord>('rps', 'SELECT * FROM rps WHERE workspace = ? AND id = ?')

  const store: Store = {
    workspaces: {
      list: async () => sql.all<WorkspaceRecord>('settings', 'SELECT id, created_at FROM workspaces ORDER BY rowid'),
      insert: ({ id, created_at }) =>
        write(() => {
          const text = 'INSERT INTO workspaces (id, created_at) VALUES (?, ?) ON CONFLICT DO NOTHING'
          if (sql.run(text, id, created_at) === 0) return false
          keys.begin(id)
          return true
        }),
      delete: (id) =>
        write(() => {
          for (const table of stateTables) sql.run(`DELETE FROM ${table} WHERE workspace = ?`, keys.of(id))
          sql.run('DELETE FROM snapshots WHERE workspace = ?', id)
          keys.forget(id)
          return sql.run('DELETE FROM workspaces WHERE id = ?', id) === 1
        }),
    },

    settings: {
      get: async (workspace, name) => {
        const where = 'WHERE workspace = ? AND name = ?'
        const row = sql.one<{ value: string }>('settings', `SELECT value FROM settings ${where}`, workspace, name)
        return row === undefined ? undefined : JSON.parse(row.value)
      },
      set: (workspace, name, value) =>
        write(() => {
          const text = JSON.stringify(value)
          sql.run('INSERT OR REPLACE INTO settings (workspace, name, value) VALUES (?, ?, ?)', workspace, name, text)
        }),
      delete: (workspace, name) =>
        write(() => {
          sql.run('DELETE FROM settings WHERE workspace = ? AND name = ?', workspace, name)
        }),
    },

    rps: {
      list: async (workspace) => list<RpRecord>('rps', workspace),
      get: async (workspace, id) => rpOf(workspace, id),
      insert: (workspace, record) => insert('rps', workspace, record),
      update: (workspace, id, part) =>
        write(() => {
          const columns = Object.entries(part)
          if (columns.length === 0) return one('rps', workspace, { id }) !== undefined
          const set = columns.map(([column]) => `${column} = ?`).join(', ')
          const values = columns.map(([column, value]) => encodeValue('rps', column, value))
          return sql.run(`UPDATE rps SET ${set} WHERE workspace = ? AND id = ?`, ...values, workspace, id) === 1
        }),
      delete: (workspace, id) =>
        write(() => {
          const messages = 'SELECT id FROM messages WHERE workspace = ? AND rp = ?'
          sql.run(`DELETE FROM pushes WHERE workspace = ? AND msg_id IN (${messages})`, workspace, workspace, id)
          for (const table of ['access_keys', 'messages', 'credentials']) {
            sql.run(`DELETE FROM ${table} WHERE workspace = ? AND rp = ?`, workspace, id)
          }
          return sql.run('DELETE FROM rps WHERE workspace = ? AND id = ?', workspace, id) === 1
        }),
    },

    accessKeys: {
      list: async (workspace) => list<AccessKeyRecord>('access_keys', workspace),
      get: async (workspace, id) => keyOf(workspace, id),
      withRp: async (workspace, id) => {
        const key = keyOf(workspace, id)
        const rp = key && rpOf(workspace, key.rp)
        return key && rp && { key, rp }
      },
      insert: (workspace, record) =>
        write(
          () => one('rps', workspace, { id: record.rp }) !== undefined && sql.insert('access_keys', workspace, record),
        ),
      setState: (workspace, id, state) =>
        write(
          () => sql.run('UPDATE access_keys SET state = ? WHERE workspace = ? AND id = ?', state, workspace, id) === 1,
        ),
      delete: (workspace, id) =>
        write(() => {
          const record = one<AccessKeyRecord>('access_keys', workspace, { id })
          sql.run('DELETE FROM access_keys WHERE workspace = ? AND id = ?', workspace, id)
          return record
        }),
    },

    accounts: {
      list: async (workspace) => list<AccountRecord>('accounts', workspace),
      get: async (workspace, id) => one<AccountRecord>('accounts', workspace, { id }),
      byPhone: async (workspace, phone) => one<AccountRecord>('accounts', workspace, { phone }),
      insert: (workspace, record) => insert('accounts', workspace, record),
    },

    devices: {
      list: async (workspace, { account } = {}) =>
        account === undefined
          ? list<DeviceRecord>('devices', workspace)
          : sql.all<DeviceRecord>(
              'devices',
              'SELECT * FROM devices WHERE workspace = ? AND account = ? ORDER BY rowid',
              ...[workspace, account],
            ),
      get: async (workspace, id) => one<DeviceRecord>('devices', workspace, { id }),
      byToken: async (workspace, token_hash) => one<DeviceRecord>('devices', workspace, { token_hash }),
      insert: (workspace, record) =>
        write(
          () =>
            one('accounts', workspace, { id: record.account }) !== undefined &&
            sql.insert('devices', workspace, record),
        ),
      delete: (workspace, id) =>
        write(() => {
          sql.run('DELETE FROM pushes WHERE workspace = ? AND device = ?', workspace, id)
          return sql.run('DELETE FROM devices WHERE workspace = ? AND id = ?', workspace, id) === 1
        }),
    },

    messages: messageStore({ sql, write, onDisk: sync.pending }),

    credentials: {
      list: async (workspace, { rp, user_id } = {}) => {
        const wanted = Object.entries({ rp, user_id }).flatMap(([column, value]) =>
          value === undefined ? [] : [{ column, value }],
        )
        const where = ['workspace = ?', ...wanted.map(({ column }) => `${column} = ?`)].join(' AND ')
        const values = wanted.map(({ value }) => value)
        const text = `SELECT * FROM credentials WHERE ${where} ORDER BY rowid`
        return sql.all<CredentialRecord>('credentials', text, workspace, ...values)
      },
      get: async (workspace, rp, id) => one<CredentialRecord>('credentials', workspace, { rp, id }),
      delete: (workspace, { rp, user_id, ids }) =>
        write(() =>
          ids.flatMap((id) => {
            const record = one<CredentialRecord>('credentials', workspace, { rp, id })
            if (record === undefined || (user_id !== undefined && record.user_id !== user_id)) return []
            sql.run('DELETE FROM credentials WHERE workspace = ? AND rp = ? AND id = ?', workspace, rp, id)
            return [record]
          }),
        ),
      insert: (workspace, record) =>
        write(
          () => one('rps', workspace, { id: record.rp }) !== undefined && sql.insert('credentials', workspace, record),
        ),
    },

    pushes: {
      open: async (workspace, { device, after, now }) =>
        sql.all<PushRecord>(
          'pushes',
          `SELECT p.device, p.n, p.msg_id, p.sent_at FROM pushes p
           JOIN messages m ON m.workspace = p.workspace AND m.id = p.msg_id
           WHERE p.workspace = ? AND p.device = ? AND p.n > ? AND m.state IN ('init', 'bind') AND m.expires_at > ?
           ORDER BY p.n`,
          ...[workspace, device, after, now],
        ),
      markSent: (workspace, { device, n, now }) =>
        write(
          () =>
            sql.run(
              'UPDATE pushes SET sent_at = ? WHERE workspace = ? AND device = ? AND n = ? AND sent_at IS NULL',
              ...[now, workspace, device, n],
            ) === 1,
        ),
    },

    vault: {
      list: async (workspace, account) =>
        sql.all<VaultRecord>(
          'vault',
          'SELECT * FROM vault WHERE workspace = ? AND account = ? ORDER BY rowid',
          ...[workspace, account],
        ),
      get: async (workspace, account, credential_id) =>
        one<VaultRecord>('vault', workspace, { account, credential_id }),
      put: (workspace, record, ifMatch) =>
        write(() => {
          if (ifMatch === undefined) return sql.insert('vault', workspace, record)
          const { account, credential_id, etag, sealed, updated_at } = record
          return (
            sql.run(
              'UPDATE vault SET etag = ?, sealed = ?, updated_at = ? WHERE workspace = ? AND account = ? AND credential_id = ? AND etag = ?',
              ...[etag, sealed, updated_at, workspace, account, credential_id, ifMatch],
            ) === 1
          )
        }),
      delete: (workspace, { account, credential_id, ifMatch }) =>
        write(() => {
          const where = 'workspace = ? AND account = ? AND credential_id = ?'
          const key = [workspace, account, credential_id]
          return ifMatch === undefined
            ? sql.run(`DELETE FROM vault WHERE ${where}`, ...key) === 1
            : sql.run(`DELETE FROM vault WHERE ${where} AND etag = ?`, ...key, ifMatch) === 1
        }),
    },

    roots: {
      list: async (workspace) => list<RootRecord>('roots', workspace),
      insert: (workspace, record) => insert('roots', workspace, record),
      delete: (workspace, id) => remove('roots', workspace, id),
    },

    snapshots: {
      list: async (workspace) =>
        sql.all(
          'snapshots',
          'SELECT id, name, created_at FROM snapshots WHERE workspace = ? ORDER BY rowid',
          ...[workspace],
        ),
      get: async (workspace, id) => one<SnapshotRecord>('snapshots', workspace, { id }),
      insert: (workspace, record) => insert('snapshots', workspace, record),
      delete: (workspace, id) => remove('snapshots', workspace, id),
    },

    counts: async (workspace) => {
      const count = (table: TableName, where = ''): number =>
        sql.one<{ n: number }>(table, `SELECT count(*) AS n FROM ${table} WHERE workspace = ?${where}`, workspace)?.n ??
        0
      return {
        rps: count('rps'),
        messages: count('messages'),
        messages_under_way: count('messages', " AND state IN ('init', 'bind')"),
        credentials: count('credentials'),
        accounts: count('accounts'),
      }
    },

    rows: async (workspace, tables) => readRows(sql, workspace, tables),

    replaceRows: (workspace, rows, how = {}) => replacing.replace(workspace, rows, how),
    rowKey: keys.of,

    clear: (workspace, names) =>
      write(() => {
        for (const table of stateTables) {
          if (names.includes(table)) sql.run(`DELETE FROM ${table} WHERE workspace = ?`, workspace)
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
  return underRowKeys(store, keys.of)
}

const byKey =
  (sql: Sql) =>
  <T>(table: TableName, workspace: string, key: Readonly<Record<string, string>>): T | undefined => {
    const where = Object.keys(key).map((column) => `${column} = ?`)
    const text = `SELECT * FROM ${table} WHERE workspace = ? AND ${where.join(' AND ')}`
    return sql.one<T>(table, text, workspace, ...Object.values(key))
  }
