import type { Log } from '../../../core/protocol/log.ts'
import { type PlainRows, plainTables } from '../plain-tables.ts'
import type { CredentialRecord, PushRecord, WorkspaceRecord } from '../records.ts'
import { createReplaceRows } from '../replace-rows.ts'
import { allOf, OPEN_PUSHES } from '../statements.ts'
import type { Store } from '../store.ts'
import { columnsOf, createDamagedRows, stateTables, type TableName } from '../tables.ts'

import { underRowKeys } from '../under-row-keys.ts'
import type { OpenPostgres } from './connect.ts'
import { messageStore } from './messages.ts'
import { CHANGED, rememberedTables } from './remembered-tables.ts'
import { replaceSteps } from './replace-steps.ts'
import { createRowKeys, createRowMemory } from './row-keys.ts'

import { sharedStore } from './shared.ts'
import { type Sql, sqlOf } from './sql.ts'

const EMPTIED = "UPDATE workspaces SET emptied = nextval('versions'), version = nextval('versions') WHERE row_key = ?"

/** The store over one schema of a PostgreSQL database, which other processes use as well. */
export const postgresStore = async (
  { database, signals, id: processId }: OpenPostgres,
  log: Log,
  release = (): void => {},
): Promise<Store> => {
  const damaged = createDamagedRows(log)
  const sql = sqlOf(database.ask, (row) => damaged({ ...row, workspace: keys.workspaceOf(row.workspace) }))
  const memory = createRowMemory()
  const keys = createRowKeys(database.ask, memory)
  await keys.readAll()
  const replacing = createReplaceRows(replaceSteps(database, keys))

  const plain = plainRows(sql)
  const { get, list, insertWith, change } = plain
  const alone = plainTables(plain)
  const { changeShared, ...remembered } = rememberedTables({ database, sql, memory, plain, devices: alone.devices })

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
      // Its rows block nothing: they are deleted afterwards.
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
        await sql.run(text, [workspace, workspace, name, JSON.stringify(value)])
      },
      delete: async (workspace, name) => {
        const text = `WITH changed AS (${CHANGED}) DELETE FROM settings WHERE workspace = ? AND name = ?`
        await sql.run(text, [workspace, workspace, name])
      },
    },

    ...remembered,

    messages: messageStore(database, sql),

    credentials: {
      list: (workspace, filter = {}) => {
        const wanted = Object.entries(filter).filter(([, value]) => value !== undefined)
        return list<CredentialRecord>(
          'credentials',
          wanted.map(([column]) => column),
        )(workspace, ...wanted.map(([, value]) => value))
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
      ...alone.pushes,
    },

    vault: alone.vault,
    roots: alone.roots,
    snapshots: alone.snapshots,

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
  return underRowKeys(store, keys.of)
}

const plainRows = (sql: Sql): PlainRows => ({
  get:
    (table, ...columns) =>
    (workspace, ...values) =>
      sql.one(table, `SELECT * FROM ${table} WHERE ${allOf(['workspace', ...columns])}`, [workspace, ...values]),
  list:
    (table, columns = [], selected = '*') =>
    (workspace, ...values) => {
      const text = `SELECT ${selected} FROM ${table} WHERE ${allOf(['workspace', ...columns])} ORDER BY rowid`
      return sql.all(table, text, [workspace, ...values])
    },
  insert: (table) => (workspace, record) => sql.insert(table, workspace, record),
  insertWith: (table, needs, idOf) => (workspace, record) =>
    sql.insert(table, workspace, record, { table: needs, id: idOf(record) }),
  change:
    (text) =>
    async (...values) =>
      (await sql.run(text, values)) === 1,
})
