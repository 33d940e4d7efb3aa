import { mapValues, withoutUndefined } from '../../../core/protocol/json.ts'
import type { Log } from '../../../core/protocol/log.ts'
import { createRowReplacer, type ReplaceSteps } from '../replace-rows.ts'
import type {
  AccessKeyRecord,
  AccountRecord,
  CredentialRecord,
  DeviceRecord,
  KeyWithRp,
  PushRecord,
  RpRecord,
  Store,
  WorkspaceRecord,
} from '../store.ts'
import {
  columnsOf,
  createCommonTables,
  createDamagedRowLog,
  encodeValue,
  equalityClause,
  SELECT_OPEN_PUSHES,
  stateTables,
  type TableName,
  withRowKeys,
} from '../tables.ts'
import type { PostgresConnection } from './connect.ts'
import { type Database, type RunQuery, toSafeText } from './database.ts'
import { messageStore } from './messages.ts'
import { createRowKeys, createRowMemory, type RowKeys } from './row-keys.ts'
import { sharedStore } from './shared.ts'
import { createSql } from './sql.ts'

const EMPTIED = "UPDATE workspaces SET emptied = nextval('versions'), version = nextval('versions') WHERE row_key = ?"

export const postgresStore = async (
  { database, signals, id: processId }: PostgresConnection,
  log: Log,
  release = (): void => {},
): Promise<Store> => {
  const damaged = createDamagedRowLog(log)
  const sql = createSql(database.ask, (row) => damaged({ ...row, workspace: keys.workspaceOf(row.workspace) }))
  const memory = createRowMemory()
  const keys = createRowKeys(database.ask, memory)
  await keys.readAll()
  const replacing = createRowReplacer(replaceSteps(database, keys))

  const { get, list, insert, insertWith, change } = sql
  const common = createCommonTables(sql)

  /** Changes rows that processes remember: gives the workspace a new version. */
  const changeShared = async <T>(workspace: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } finally {
      memory.forget(workspace)
    }
  }
  const sharedTransaction = (workspace: string, work: (ask: RunQuery) => Promise<boolean>): Promise<boolean> =>
    changeShared(workspace, () =>
      database.transaction(async (ask) => {
        await ask(CHANGED, [workspace])
        return work(ask)
      }),
    )

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
      // The workspace's rows are deleted in the background.
      delete: async (id) => {
        const text = `WITH gone AS (DELETE FROM workspaces WHERE id = ? RETURNING row_key),
          shots AS (DELETE FROM snapshots WHERE workspace = ? AND EXISTS (SELECT 1 FROM gone)),
          phones AS (DELETE FROM phone_devices WHERE workspace = ? AND EXISTS (SELECT 1 FROM gone))
          INSERT INTO unused_rows (row_key) SELECT row_key FROM gone`
        const deleted = await change(text)(id, id, id)
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
        await sql.ask(text, [workspace, workspace, name, JSON.stringify(value)])
      },
      delete: async (workspace, name) => {
        const text = `WITH changed AS (${CHANGED}) DELETE FROM settings WHERE workspace = ? AND name = ?`
        await sql.ask(text, [workspace, workspace, name])
      },
    },

    rps: {
      list: list('rps'),
      get: memory.remember(get<RpRecord>('rps', 'id')),
      insert: insert('rps'),
      update: (workspace, id, part) => {
        const columns = Object.entries(part)
        const set = ['id = id', ...columns.map(([column]) => `${column} = ?`)].join(', ')
        const values = columns.map(([column, value]) => encodeValue('rps', column, value))
        const text = `WITH changed AS (${CHANGED}) UPDATE rps SET ${set} WHERE workspace = ? AND id = ?`
        return changeShared(workspace, () => change(text)(workspace, ...values, workspace, id))
      },
      // Deletes the RP first: that waits for inserts that need the RP, so the next statements see their rows.
      delete: (workspace, id) =>
        sharedTransaction(workspace, async (ask) => {
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
      withRp: memory.remember(async (workspace, id) => {
        const columns = columnsOf('rps').map((column) => `r.${column} AS "rp.${column}"`)
        const text = `SELECT k.*, ${columns.join(', ')} FROM access_keys k
          JOIN rps r ON r.workspace = k.workspace AND r.id = k.rp WHERE k.workspace = ? AND k.id = ?`
        const [row] = (await sql.ask(text, [workspace, id])).rows
        return row && splitKeyWithRp(row, (table, part) => sql.decode(table, part))
      }),
      insert: insertWith<AccessKeyRecord>('access_keys', 'rps', ({ rp }) => rp),
      setState: (workspace, id, state) =>
        changeShared(workspace, () => change(SET_KEY_STATE)(workspace, state, workspace, id)),
      delete: (workspace, id) =>
        changeShared(workspace, () => sql.one<AccessKeyRecord>('access_keys', DELETE_KEY, [workspace, workspace, id])),
    },

    accounts: {
      list: list('accounts'),
      get: memory.remember(get<AccountRecord>('accounts', 'id')),
      byPhone: get('accounts', 'phone'),
      insert: insert('accounts'),
      // The lock waits for a sign-in that is under way, so the next statement sees its device.
      delete: (workspace, id) =>
        sharedTransaction(workspace, async (ask) => {
          await ask('SELECT 1 FROM accounts WHERE workspace = ? AND id = ? FOR UPDATE', [workspace, id])
          const unused = 'NOT EXISTS (SELECT 1 FROM devices WHERE workspace = ? AND account = ?)'
          const text = `DELETE FROM accounts WHERE workspace = ? AND id = ? AND ${unused}`
          if ((await ask(text, [workspace, id, workspace, id])).changes === 0) return false
          await ask('DELETE FROM vault WHERE workspace = ? AND account = ?', [workspace, id])
          return true
        }),
    },

    devices: {
      ...common.devices,
      byToken: memory.remember(get<DeviceRecord>('devices', 'token_hash')),
      delete: (workspace, id) => {
        const text = `WITH changed AS (${CHANGED}),
          gone AS (DELETE FROM devices WHERE workspace = ? AND id = ? RETURNING id),
          unsent AS (DELETE FROM pushes WHERE workspace = ? AND device IN (SELECT id FROM gone))
          SELECT id FROM gone`
        return changeShared(
          workspace,
          async () => (await sql.ask(text, [workspace, workspace, id, workspace])).rows.length === 1,
        )
      },
    },

    messages: messageStore(database, sql),

    credentials: {
      list: (workspace, filter = {}) => {
        const wanted = withoutUndefined(filter)
        return list<CredentialRecord>('credentials', Object.keys(wanted))(workspace, ...Object.values(wanted))
      },
      get: get('credentials', 'rp', 'id'),
      delete: async (workspace, { rp, user_id, ids }) => {
        const owner = user_id === undefined ? [] : [user_id]
        const where = equalityClause(['workspace', 'rp', ...owner.map(() => 'user_id')])
        const text = `DELETE FROM credentials WHERE ${where} AND id = ANY(?) RETURNING *`
        const deleted = await sql.all<CredentialRecord>('credentials', text, [workspace, rp, ...owner, ids])
        return [...new Set(ids)].flatMap((id) => deleted.find((credential) => credential.id === id) ?? [])
      },
      insert: insertWith<CredentialRecord>('credentials', 'rps', ({ rp }) => rp),
    },

    pushes: {
      open: (workspace, { device, after, now }) =>
        sql.all<PushRecord>('pushes', SELECT_OPEN_PUSHES, [workspace, device, after, now]),
      ...common.pushes,
    },

    vault: common.vault,
    roots: common.roots,
    snapshots: common.snapshots,

    counts: async (workspace) => {
      const count = (table: TableName, where = ''): string =>
        `(SELECT count(*) FROM ${table} WHERE workspace = key${where})`
      const text = `SELECT ${count('rps')} AS rps, ${count('messages')} AS messages,
        ${count('messages', " AND state IN ('init', 'bind')")} AS messages_under_way,
        ${count('credentials')} AS credentials, ${count('accounts')} AS accounts FROM (SELECT ?::text AS key) AS asked`
      const [row = {}] = (await sql.ask(text, [workspace])).rows
      return row as Awaited<ReturnType<Store['counts']>>
    },

    // Reads all tables as of one moment.
    rows: (workspace, tables = stateTables) =>
      database.view(async (ask) => {
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
      changeShared(workspace, () =>
        database.transaction(async (ask) => {
          await ask(EMPTIED, [workspace])
          for (const table of stateTables) {
            if (names.includes(table)) await ask(`DELETE FROM ${table} WHERE workspace = ?`, [workspace])
          }
        }),
      ),

    shared: sharedStore(database, { keys, signals, id: processId }),

    close: async () => {
      await replacing.end()
      await signals.close()
      await database.close()
      release()
    },
  }
  void replacing.clearUnused()
  return withRowKeys(store, keys.of)
}

/** Makes other processes read this workspace's rows again. */
const CHANGED = "UPDATE workspaces SET version = nextval('versions') WHERE row_key = ?"

const SET_KEY_STATE = `WITH changed AS (${CHANGED}) UPDATE access_keys SET state = ? WHERE workspace = ? AND id = ?`
const DELETE_KEY = `WITH changed AS (${CHANGED}) DELETE FROM access_keys WHERE workspace = ? AND id = ? RETURNING *`

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

const DELETED_AT_ONCE = 2_000

/** The column after the workspace in the key of a table, where it is not `id`. */
const SECOND_OF_KEY: Partial<Record<TableName, string>> = {
  settings: 'name',
  credentials: 'rp',
  pushes: 'device',
  vault: 'account',
}

const replaceSteps = (database: Database, keys: RowKeys): ReplaceSteps => ({
  keyOf: keys.of,

  reserve: async () => {
    const text = `INSERT INTO unused_rows (row_key) SELECT '#' || nextval('row_keys') RETURNING row_key`
    return String((await database.ask(text)).rows[0]?.row_key)
  },

  writeSlice: async (key, slice) => {
    for (const [table, places] of Map.groupBy(slice, (place) => place.table)) {
      const columns = columnsOf(table).join(', ')
      const rows = places.map(({ row }) => mapValues(row, toSafeText))
      await database.ask(
        `INSERT INTO ${table} (workspace, ${columns}) SELECT ?::text, ${columns} FROM json_populate_recordset(NULL::${table}, ?)`,
        [key, JSON.stringify(rows)],
      )
    }
  },

  give: async (key, workspace, { isWanted, switched }) => {
    if (isWanted?.() === false) return false
    const given = await database.transaction(async (ask) => {
      const before = (await ask('SELECT row_key FROM workspaces WHERE id = ? FOR UPDATE', [workspace])).rows[0]
      if (before === undefined) return false
      const next = "row_key = ?, emptied = nextval('versions'), version = nextval('versions')"
      await ask(`UPDATE workspaces SET ${next} WHERE id = ?`, [key, workspace])
      await ask('INSERT INTO unused_rows (row_key) VALUES (?)', [String(before.row_key)])
      await ask('DELETE FROM unused_rows WHERE row_key = ?', [key])
      return true
    })
    if (!given) return false
    keys.learn(workspace, key)
    switched?.()
    return true
  },

  unused: async () =>
    (await database.ask('SELECT row_key FROM unused_rows ORDER BY rowid')).rows.map((row) => String(row.row_key)),

  clearSome: async (key) => {
    let left = DELETED_AT_ONCE
    for (const table of stateTables) {
      // Without ORDER BY the key, the LIMIT would lead the planner to read the whole table for each slice.
      const some = `SELECT ctid FROM ${table} WHERE workspace = ? ORDER BY ${SECOND_OF_KEY[table] ?? 'id'} LIMIT ?`
      left -= (await database.ask(`DELETE FROM ${table} WHERE ctid = ANY(ARRAY(${some}))`, [key, left])).changes
    }
    if (left <= 0) return true
    await database.ask('DELETE FROM request_counts WHERE workspace = ?', [key])
    await database.ask('DELETE FROM unused_rows WHERE row_key = ?', [key])
    return false
  },
})
