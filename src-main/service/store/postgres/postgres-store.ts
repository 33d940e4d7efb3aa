import type { Log } from '../../../protocol/log.ts'
import { createDamagedRows } from '../damaged-rows.ts'
import type {
  AccessKeyRecord,
  CredentialRecord,
  DeviceRecord,
  KeyWithRp,
  PushRecord,
  SnapshotRecord,
  WorkspaceRecord,
} from '../records.ts'
import { createReplaceRows } from '../replace-rows.ts'
import { allOf, MARK_SENT, OPEN_PUSHES, REPLACE_VAULT } from '../statements.ts'
import type { Store } from '../store.ts'
import { columnsOf, encodeValue, stateTables, type TableName } from '../tables.ts'
import { underRowKeys } from '../under-row-keys.ts'
import type { OpenPostgres } from './connect.ts'
import type { Bound } from './database.ts'
import { messageStore } from './messages.ts'
import { replaceSteps } from './replace-steps.ts'
import { createRowKeys } from './row-keys.ts'
import { sharedStore } from './shared.ts'
import { sqlOf } from './sql.ts'

/** Another process that remembers something of this workspace reads it anew. */
const CHANGED = "UPDATE workspaces SET version = nextval('versions') WHERE row_key = ?"
const EMPTIED = "UPDATE workspaces SET emptied = nextval('versions'), version = nextval('versions') WHERE row_key = ?"

/** The store over one schema of a PostgreSQL database, which other processes use as well. */
export const postgresStore = async (
  { database, signals }: OpenPostgres,
  log: Log,
  release = (): void => {},
): Promise<Store> => {
  const damaged = createDamagedRows(log)
  const sql = sqlOf(database.ask, (row) => damaged({ ...row, workspace: keys.workspaceOf(row.workspace) }))
  const keys = createRowKeys(database.ask)
  await keys.readAll()
  const replacing = createReplaceRows(replaceSteps(database, keys))

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

  const devices = list<DeviceRecord>('devices')
  const devicesOf = list<DeviceRecord>('devices', 'account')

  const store: Store = {
    workspaces: {
      list: () => sql.all<WorkspaceRecord>('settings', 'SELECT id, created_at FROM workspaces ORDER BY rowid', []),
      insert: async ({ id, created_at }) => {
        const text = `INSERT INTO workspaces (id, created_at, row_key) SELECT ?::text, ?::bigint, '#' || nextval('row_keys')
          ON CONFLICT DO NOTHING RETURNING row_key`
        const [row] = (await sql.ask(text, [id, created_at])).rows
        if (row === undefined) await keys.heads([id])
        else keys.learn(id, String(row.row_key))
        return row !== undefined
      },
      // Its rows are in nobody's way: they are deleted afterwards.
      delete: async (id) => {
        const text = `WITH gone AS (DELETE FROM workspaces WHERE id = ? RETURNING row_key),
          shots AS (DELETE FROM snapshots WHERE workspace = ? AND EXISTS (SELECT 1 FROM gone))
          INSERT INTO unused_rows (row_key) SELECT row_key FROM gone`
        const deleted = await change(text, id, id)
        keys.learn(id, undefined)
        if (deleted) void replacing.clearUnused()
        return deleted
      },
    },

    settings: {
      get: async (workspace, name) => {
        const text = 'SELECT value FROM settings WHERE workspace = ? AND name = ?'
        const [row] = (await sql.ask(text, [workspace, name])).rows
        return row === undefined ? undefined : JSON.parse(String(row.value))
      },
      set: async (workspace, name, value) => {
        const text = `WITH changed AS (${CHANGED}) INSERT INTO settings (workspace, name, value) VALUES (?, ?, ?)
          ON CONFLICT (workspace, name) DO UPDATE SET value = excluded.value`
        await sql.run(text, [workspace, workspace, name, JSON.stringify(value)])
      },
      delete: async (workspace, name) => {
        const text = `WITH changed AS (${CHANGED}) DELETE FROM settings WHERE workspace = ? AND name = ?`
        await sql.run(text, [workspace, workspace, name])
      },
    },

    rps: {
      list: list('rps'),
      get: get('rps', 'id'),
      insert: insert('rps'),
      update: (workspace, id, part) => {
        const columns = Object.entries(part)
        const set = ['id = id', ...columns.map(([column]) => `${column} = ?`)].join(', ')
        const values = columns.map(([column, value]) => encodeValue('rps', column, value))
        return change(`UPDATE rps SET ${set} WHERE workspace = ? AND id = ?`, ...values, workspace, id)
      },
      // First the RP itself: what needs it and is under way is seen by the statements after it.
      delete: (workspace, id) =>
        database.transaction(async (ask) => {
          const { changes } = await ask('DELETE FROM rps WHERE workspace = ? AND id = ?', [workspace, id])
          if (changes === 0) return false
          const messages = 'SELECT id FROM messages WHERE workspace = ? AND rp = ?'
          for (const table of ['credentials', 'access_keys']) {
            await ask(`DELETE FROM ${table} WHERE workspace = ? AND rp = ?`, [workspace, id])
          }
          await ask(`DELETE FROM pushes WHERE workspace = ? AND msg_id IN (${messages})`, [workspace, workspace, id])
          await ask('DELETE FROM messages WHERE workspace = ? AND rp = ?', [workspace, id])
          return true
        }),
    },

    accessKeys: {
      list: list('access_keys'),
      get: get('access_keys', 'id'),
      withRp: async (workspace, id) => {
        const columns = columnsOf('rps').map((column) => `r.${column} AS "rp.${column}"`)
        const text = `SELECT k.*, ${columns.join(', ')} FROM access_keys k
          JOIN rps r ON r.workspace = k.workspace AND r.id = k.rp WHERE k.workspace = ? AND k.id = ?`
        const [row] = (await sql.ask(text, [workspace, id])).rows
        return row && splitKeyWithRp(row, (table, part) => sql.decode(table, part))
      },
      insert: insertWith<AccessKeyRecord>('access_keys', 'rps', ({ rp }) => rp),
      setState: (workspace, id, state) =>
        change('UPDATE access_keys SET state = ? WHERE workspace = ? AND id = ?', state, workspace, id),
      delete: (workspace, id) =>
        sql.one<AccessKeyRecord>('access_keys', 'DELETE FROM access_keys WHERE workspace = ? AND id = ? RETURNING *', [
          workspace,
          id,
        ]),
    },

    accounts: {
      list: list('accounts'),
      get: get('accounts', 'id'),
      byPhone: get('accounts', 'phone'),
      insert: insert('accounts'),
      // The lock waits for a sign-in that is under way: the statement after it sees its device.
      delete: (workspace, id) =>
        database.transaction(async (ask) => {
          await ask('SELECT 1 FROM accounts WHERE workspace = ? AND id = ? FOR UPDATE', [workspace, id])
          const unused = 'NOT EXISTS (SELECT 1 FROM devices WHERE workspace = ? AND account = ?)'
          const text = `DELETE FROM accounts WHERE workspace = ? AND id = ? AND ${unused}`
          if ((await ask(text, [workspace, id, workspace, id])).changes === 0) return false
          await ask('DELETE FROM vault WHERE workspace = ? AND account = ?', [workspace, id])
          return true
        }),
    },

    devices: {
      list: (workspace, { account } = {}) =>
        account === undefined ? devices(workspace) : devicesOf(workspace, account),
      get: get('devices', 'id'),
      byToken: get('devices', 'token_hash'),
      insert: insertWith<DeviceRecord>('devices', 'accounts', ({ account }) => account),
      delete: async (workspace, id) => {
        const text = `WITH gone AS (DELETE FROM devices WHERE workspace = ? AND id = ? RETURNING id),
          unsent AS (DELETE FROM pushes WHERE workspace = ? AND device IN (SELECT id FROM gone))
          SELECT id FROM gone`
        return (await sql.ask(text, [workspace, id, workspace])).rows.length === 1
      },
    },

    messages: messageStore(database, sql),

    credentials: {
      list: (workspace, filter = {}) => {
        const wanted = Object.entries(filter).filter(([, value]) => value !== undefined)
        return list<CredentialRecord>('credentials', ...wanted.map(([column]) => column))(
          workspace,
          ...wanted.map(([, value]) => value),
        )
      },
      get: get('credentials', 'rp', 'id'),
      delete: async (workspace, { rp, user_id, ids }) => {
        const owner = user_id === undefined ? [] : [user_id]
        const where = allOf(['workspace', 'rp', ...owner.map(() => 'user_id')])
        const text = `DELETE FROM credentials WHERE ${where} AND id = ANY(?) RETURNING *`
        const deleted = await sql.all<CredentialRecord>('credentials', text, [workspace, rp, ...owner, ids])
        return [...new Set(ids)].flatMap((id) => deleted.find((credential) => credential.id === id) ?? [])
      },
      insert: insertWith<CredentialRecord>('credentials', 'rps', ({ rp }) => rp),
    },

    pushes: {
      open: (workspace, { device, after, now }) =>
        sql.all<PushRecord>('pushes', OPEN_PUSHES, [workspace, device, after, now]),
      markSent: (workspace, { device, n, now }) => change(MARK_SENT, now, workspace, device, n),
    },

    vault: {
      list: list('vault', 'account'),
      get: get('vault', 'account', 'credential_id'),
      put: (workspace, record, ifMatch) => {
        if (ifMatch === undefined) return sql.insert('vault', workspace, record)
        const { account, credential_id, etag, sealed, updated_at } = record
        return change(REPLACE_VAULT, etag, sealed, updated_at, workspace, account, credential_id, ifMatch)
      },
      delete: (workspace, { account, credential_id, ifMatch }) => {
        const match = ifMatch === undefined ? [] : [ifMatch]
        const key = allOf(['workspace', 'account', 'credential_id', ...match.map(() => 'etag')])
        return change(`DELETE FROM vault WHERE ${key}`, workspace, account, credential_id, ...match)
      },
    },

    roots: { list: list('roots'), insert: insert('roots'), delete: remove('roots') },

    snapshots: {
      list: (workspace) =>
        sql.all<Omit<SnapshotRecord, 'content'>>(
          'snapshots',
          'SELECT id, name, created_at FROM snapshots WHERE workspace = ? ORDER BY rowid',
          [workspace],
        ),
      get: get('snapshots', 'id'),
      insert: insert('snapshots'),
      delete: remove('snapshots'),
    },

    counts: async (workspace) => {
      const count = (table: TableName, where = ''): string =>
        `(SELECT count(*) FROM ${table} WHERE workspace = key${where})`
      const text = `SELECT ${count('rps')} AS rps, ${count('messages')} AS messages,
        ${count('messages', " AND state IN ('init', 'bind')")} AS messages_under_way,
        ${count('credentials')} AS credentials, ${count('accounts')} AS accounts FROM (SELECT ?::text AS key) AS asked`
      const [row = {}] = (await sql.ask(text, [workspace])).rows
      return row as Awaited<ReturnType<Store['counts']>>
    },

    // One moment for all tables.
    rows: (workspace, tables = stateTables) =>
      database.transaction(async (ask) => {
        await ask('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
        const rows: Record<string, Awaited<ReturnType<Store['rows']>>[string]> = {}
        for (const table of stateTables.filter((name) => tables.includes(name))) {
          const text = `SELECT ${columnsOf(table).join(', ')} FROM ${table} WHERE workspace = ? ORDER BY rowid`
          rows[table] = (await ask(text, [workspace])).rows as (typeof rows)[string]
        }
        return rows
      }),

    replaceRows: (workspace, rows, how = {}) => replacing.replace(workspace, rows, how),
    rowKey: keys.of,

    clear: (workspace, names) =>
      database.transaction(async (ask) => {
        await ask(EMPTIED, [workspace])
        for (const table of stateTables) {
          if (names.includes(table)) await ask(`DELETE FROM ${table} WHERE workspace = ?`, [workspace])
        }
      }),

    shared: sharedStore(sql.ask, keys, signals),

    close: async () => {
      await replacing.end()
      await signals.close()
      await database.close()
      release()
    },
  }
  void replacing.clearUnused()
  return underRowKeys(store, keys.of)
}

const PREFIX = 'rp.'

const splitKeyWithRp = (
  row: Readonly<Record<string, unknown>>,
  decode: <T>(table: TableName, part: object) => T,
): KeyWithRp => {
  const key: Record<string, unknown> = {}
  const rp: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(row)) {
    if (column.startsWith(PREFIX)) rp[column.slice(PREFIX.length)] = value
    else key[column] = value
  }
  return { key: decode('access_keys', key), rp: decode('rps', rp) }
}
