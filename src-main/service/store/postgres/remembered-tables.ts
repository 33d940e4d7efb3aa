import type { PlainRows } from '../plain-tables.ts'
import type { AccessKeyRecord, AccountRecord, DeviceRecord, KeyWithRp, RpRecord } from '../records.ts'
import type { Store } from '../store.ts'
import { columnsOf, encodeValue, type TableName } from '../tables.ts'
import type { Ask, Database } from './database.ts'
import type { RowMemory } from './row-keys.ts'
import type { Sql } from './sql.ts'

/** Another process that remembers rows of this workspace reads them again. */
export const CHANGED = "UPDATE workspaces SET version = nextval('versions') WHERE row_key = ?"

const SET_KEY_STATE = `WITH changed AS (${CHANGED}) UPDATE access_keys SET state = ? WHERE workspace = ? AND id = ?`
const DELETE_KEY = `WITH changed AS (${CHANGED}) DELETE FROM access_keys WHERE workspace = ? AND id = ? RETURNING *`

type Parts = {
  readonly database: Pick<Database, 'transaction'>
  readonly sql: Sql
  readonly memory: RowMemory
  readonly plain: PlainRows
  readonly devices: Pick<Store['devices'], 'list' | 'get' | 'insert'>
}

type RememberedTables = Pick<Store, 'rps' | 'accessKeys' | 'accounts' | 'devices'> & {
  /** Of what is remembered, here and by others: the change gives its workspace a new version. */
  changeShared<T>(workspace: string, work: () => Promise<T>): Promise<T>
}

/** The tables of which rows are remembered between requests: each change of one tells the other processes. */
export const rememberedTables = ({ database, sql, memory, plain, devices }: Parts): RememberedTables => {
  const { get, list, insert, insertWith, change } = plain
  const changeShared = async <T>(workspace: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } finally {
      memory.forget(workspace)
    }
  }
  const sharedTransaction = (workspace: string, work: (ask: Ask) => Promise<boolean>): Promise<boolean> =>
    changeShared(workspace, () =>
      database.transaction(async (ask) => {
        await ask(CHANGED, [workspace])
        return work(ask)
      }),
    )

  return {
    changeShared,

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
      // First the RP itself: what needs it and is under way is seen by the statements after it.
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
      // The lock waits for a sign-in that is under way: the statement after it sees its device.
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
      ...devices,
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
  }
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
