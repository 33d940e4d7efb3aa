import type { LogProblem } from '../../core/contract/log-problems.ts'
import { parseJsonOrNothing } from '../../core/protocol/json.ts'
import type { Log } from '../../core/protocol/log.ts'
import { type MessageState, statesBefore } from '../../core/protocol/message-state.ts'
import type { DeviceRecord, SnapshotRecord, Store } from './store.ts'

/** A table without its column `workspace`. Lists and documents are stored as JSON text. */
type Table = {
  readonly columns: readonly string[]
  readonly json?: readonly string[]
  /** JSON columns with a list; an absent value is read as an empty list. */
  readonly lists?: readonly string[]
  readonly flags?: readonly string[]
  /** Integer columns, including the flags. */
  readonly integers?: readonly string[]
}

export const tables = {
  settings: { columns: ['name', 'value'] },
  rps: {
    columns: ['id', 'name', 'rp_id', 'origins', 'handle_key', 'created_at'],
    json: ['origins'],
    lists: ['origins'],
    integers: ['created_at'],
  },
  access_keys: { columns: ['id', 'rp', 'secret', 'state', 'created_at'], integers: ['created_at'] },
  accounts: { columns: ['id', 'name', 'phone', 'proof_hash', 'created_at'], integers: ['created_at'] },
  devices: {
    columns: ['id', 'account', 'name', 'token_hash', 'push_count', 'created_at'],
    integers: ['push_count', 'created_at'],
  },
  messages: {
    columns: [
      ...['id', 'rp', 'kind', 'method', 'user_id', 'username', 'display_name', 'credential_name', 'challenge'],
      ...['state', 'svc_user', 'error', 'device', 'account', 'public_key', 'answer_hash', 'verdict', 'credential_id'],
      ...['created_at', 'expires_at', 'delivered_at'],
    ],
    json: ['public_key', 'verdict'],
    integers: ['created_at', 'expires_at', 'delivered_at'],
  },
  credentials: {
    columns: [
      ...['id', 'rp', 'user_id', 'name', 'storage', 'account', 'device', 'public_key', 'algorithm', 'counter'],
      ...['aaguid', 'attestation_format', 'transports', 'backup_eligible', 'backup_state', 'user_verified'],
      ...['created_at', 'updated_at'],
    ],
    json: ['transports'],
    lists: ['transports'],
    flags: ['backup_eligible', 'backup_state', 'user_verified'],
    integers: [
      ...['algorithm', 'counter', 'backup_eligible', 'backup_state', 'user_verified'],
      ...['created_at', 'updated_at'],
    ],
  },
  pushes: { columns: ['device', 'n', 'msg_id', 'sent_at'], integers: ['n', 'sent_at'] },
  vault: { columns: ['account', 'credential_id', 'etag', 'sealed', 'updated_at'], integers: ['updated_at'] },
  roots: { columns: ['id', 'name', 'certificate', 'created_at'], integers: ['created_at'] },
  snapshots: { columns: ['id', 'name', 'created_at', 'content'], integers: ['created_at'] },
} as const satisfies Record<string, Table>

export type TableName = keyof typeof tables

export type DamagedRow = {
  readonly table: string
  readonly workspace: string
  readonly id: string
  readonly column: string
}

/** Called on each read of a row with a damaged value; logs one line for each such value. */
export const createDamagedRowLog = (log: Log): ((row: DamagedRow) => void) => {
  const known = new Set<string>()
  return (row) => {
    const name = Object.values(row).join('\n')
    if (known.has(name)) return
    // The list of known damage must not grow without limit.
    if (known.size >= MAX_DAMAGED) known.clear()
    known.add(name)
    log({ level: 'error', event: 'row damaged', ...row, problem })
  }
}

const MAX_DAMAGED = 1_000
const problem: LogProblem = { code: 'row_unreadable' }

export const tableNames = Object.keys(tables) as readonly TableName[]

/** A workspace's state, for snapshots, exports and resets. */
export const stateTables = tableNames.filter((name) => name !== 'snapshots')

export type SqlValue = string | number | null

const tableOf = (name: TableName): Table => tables[name]

export const integerColumns = (name: TableName): readonly string[] => tableOf(name).integers ?? []

type Encode = (value: unknown) => SqlValue

const encodeDocument: Encode = (value) => (value === undefined || value === null ? null : JSON.stringify(value))

const encodePlain: Encode = (value) => {
  if (typeof value === 'boolean') return value ? 1 : 0
  return (value ?? null) as SqlValue
}

/** Finds a column's encoder, so that a statement looks it up once and not for each value. */
export const encoderOf = (name: TableName, column: string): Encode =>
  tableOf(name).json?.includes(column) ? encodeDocument : encodePlain

export const encodeValue = (name: TableName, column: string, value: unknown): SqlValue => encoderOf(name, column)(value)

export const rowEncoder = (
  name: TableName,
  columns = columnsOf(name),
): ((workspace: string, record: object) => readonly SqlValue[]) => {
  const encoders = columns.map((column) => ({ column, encode: encoderOf(name, column) }))
  return (workspace, record) => {
    const fields = record as Readonly<Record<string, unknown>>
    const values: SqlValue[] = [workspace]
    for (const { column, encode } of encoders) values.push(encode(fields[column]))
    return values
  }
}

export const encodeRow = (name: TableName, workspace: string, record: object): readonly SqlValue[] =>
  rowEncoder(name)(workspace, record)

/** NULL or an unreadable document becomes an absent field, or an empty list in a list column. */
export const decodeRow = <T>(name: TableName, row: unknown, damaged: (row: DamagedRow) => void): T => {
  const { json = [], lists = [], flags = [] } = tableOf(name)
  const record: Record<string, unknown> = {}
  const values = row as Readonly<Record<string, SqlValue>>
  for (const column in values) {
    const value = values[column] ?? null
    if (value === null || column === 'workspace' || column === 'rowid') continue
    if (!json.includes(column)) record[column] = flags.includes(column) ? value === 1 : value
    else {
      const document = parseDocument(String(value), lists.includes(column))
      if (document !== undefined) record[column] = document
      else damaged({ table: name, workspace: String(values.workspace), id: String(values.id), column })
      if (document === undefined && lists.includes(column)) record[column] = []
    }
  }
  return record as T
}

const parseDocument = (text: string, isList: boolean): unknown => {
  const document = parseJsonOrNothing(text)
  return isList && !Array.isArray(document) ? undefined : document
}

export const columnsOf = (name: TableName): readonly string[] => tableOf(name).columns

type KeyOf = (workspace: string) => string
type Call = (workspace: string, ...rest: readonly unknown[]) => unknown

const KEYED = [
  ...(['settings', 'rps', 'accessKeys', 'accounts', 'devices', 'messages', 'credentials'] as const),
  ...(['pushes', 'vault', 'roots'] as const),
] as const

/** Translates workspace ids to row keys, for all rows but the workspaces and their snapshots. */
export const withRowKeys = (store: Store, keyOf: KeyOf): Store => {
  const keyed = <Part extends object>(part: Part): Part =>
    Object.fromEntries(
      Object.entries(part as Readonly<Record<string, Call>>).map(([name, call]): [string, Call] => [
        name,
        (workspace, ...rest) => call(keyOf(workspace), ...rest),
      ]),
    ) as Part
  const parts = Object.fromEntries(KEYED.map((name) => [name, keyed(store[name])]))
  return {
    ...store,
    ...(parts as Pick<Store, (typeof KEYED)[number]>),
    counts: (workspace) => store.counts(keyOf(workspace)),
    rows: (workspace, tables) => store.rows(keyOf(workspace), tables),
    clear: (workspace, tables) => store.clear(keyOf(workspace), tables),
  }
}

/** SQL that both adapters use, with `?` for each value. */
export const equalityClause = (columns: readonly string[]): string =>
  columns.map((column) => `${column} = ?`).join(' AND ')

/** `needs`: inserts only if that table has the row whose workspace and id are bound after the columns. */
export const insertSql = (name: TableName, needs?: TableName, own = columnsOf(name)): string => {
  const columns = ['workspace', ...own]
  const places = columns.map(() => '?').join(', ')
  const needed = `SELECT ${places} WHERE EXISTS (SELECT 1 FROM ${needs} WHERE workspace = ? AND id = ?)`
  return `INSERT INTO ${name} (${columns.join(', ')}) ${needs === undefined ? `VALUES (${places})` : needed}`
}

/** Placeholders with types, which PostgreSQL cannot infer outside VALUES. */
export const typedPlaceholders = (name: TableName): string => {
  const integers = integerColumns(name)
  return ['workspace', ...columnsOf(name)]
    .map((column) => (integers.includes(column) ? '?::bigint' : '?::text'))
    .join(', ')
}

const from = (to: MessageState): string =>
  `state IN (${statesBefore(to)
    .map((state) => `'${state}'`)
    .join(', ')})`

export const IS_OPEN = from('timeout')

const RESULT = 'id, rp, kind, user_id, state, svc_user, error, expires_at, delivered_at'
export const SELECT_RESULT = `SELECT ${RESULT} FROM messages WHERE workspace = ? AND id = ?`

/** The only statement that writes a state. If it changes no row, another request was first. */
export const moveMessage = (to: MessageState, columns: readonly string[], where: string): string => {
  const assignments = [`state = '${to}'`, ...columns.map((column) => `${column} = ?`)].join(', ')
  return `UPDATE messages SET ${assignments} WHERE workspace = ? AND id = ? AND ${from(to)} AND ${where}`
}

export const ANSWER_COLUMNS = ['error', 'answer_hash', 'credential_id'] as const
export const IS_BOUND_BY = 'device = ? AND expires_at > ?'

/** A credential with the counter that an answer was judged against. */
export const JUDGED_CREDENTIAL = ['workspace', 'rp', 'id', 'counter']
export const MARK_CREDENTIAL_USED = `UPDATE credentials SET counter = ?, backup_state = ?, user_verified = ?, device = ?, updated_at = ? WHERE ${equalityClause(JUDGED_CREDENTIAL)}`

export const SELECT_DUE = `SELECT * FROM messages WHERE workspace = ? AND ${IS_OPEN} AND expires_at <= ? ORDER BY expires_at, rowid`

export const MARK_DELIVERED =
  "UPDATE messages SET delivered_at = ? WHERE workspace = ? AND id = ? AND delivered_at IS NULL AND state IN ('success', 'fail')"

export const SELECT_OPEN_PUSHES = `SELECT p.device, p.n, p.msg_id, p.sent_at FROM pushes p
  JOIN messages m ON m.workspace = p.workspace AND m.id = p.msg_id
  WHERE p.workspace = ? AND p.device = ? AND p.n > ? AND m.state IN ('init', 'bind') AND m.expires_at > ?
  ORDER BY p.n`

const MARK_SENT = 'UPDATE pushes SET sent_at = ? WHERE workspace = ? AND device = ? AND n = ? AND sent_at IS NULL'

const REPLACE_VAULT = `UPDATE vault SET etag = ?, sealed = ?, updated_at = ? WHERE ${equalityClause(['workspace', 'account', 'credential_id', 'etag'])}`

export type PlainRows = {
  get<T>(
    table: TableName,
    ...columns: readonly string[]
  ): (workspace: string, ...values: readonly SqlValue[]) => Promise<T | undefined>
  /** In order of creation. */
  list<T>(
    table: TableName,
    columns?: readonly string[],
    selected?: string,
  ): (workspace: string, ...values: readonly SqlValue[]) => Promise<readonly T[]>
  insert(table: TableName): (workspace: string, record: object) => Promise<boolean>
  /** False if the row of the other table does not exist. */
  insertWith<R extends object>(
    table: TableName,
    needs: TableName,
    idOf: (record: R) => string,
  ): (workspace: string, record: R) => Promise<boolean>
  /** True if it changed one row. */
  change(text: string): (...values: readonly SqlValue[]) => Promise<boolean>
}

export const createCommonTables = ({ get, list, insert, insertWith, change }: PlainRows) => {
  const remove = (table: TableName) => change(`DELETE FROM ${table} WHERE workspace = ? AND id = ?`)
  const devices = list<DeviceRecord>('devices')
  const devicesOf = list<DeviceRecord>('devices', ['account'])
  const markSent = change(MARK_SENT)
  const insertVault = insert('vault')
  const replaceVault = change(REPLACE_VAULT)
  const ofVault = ['workspace', 'account', 'credential_id']
  const removeVault = change(`DELETE FROM vault WHERE ${equalityClause(ofVault)}`)
  const removeMatching = change(`DELETE FROM vault WHERE ${equalityClause([...ofVault, 'etag'])}`)

  return {
    devices: {
      list: (workspace, { account } = {}) =>
        account === undefined ? devices(workspace) : devicesOf(workspace, account),
      get: get('devices', 'id'),
      insert: insertWith<DeviceRecord>('devices', 'accounts', ({ account }) => account),
    },

    pushes: { markSent: (workspace, { device, n, now }) => markSent(now, workspace, device, n) },

    vault: {
      list: list('vault', ['account']),
      get: get('vault', 'account', 'credential_id'),
      put: (workspace, record, ifMatch) => {
        if (ifMatch === undefined) return insertVault(workspace, record)
        const { account, credential_id, etag, sealed, updated_at } = record
        return replaceVault(etag, sealed, updated_at, workspace, account, credential_id, ifMatch)
      },
      delete: (workspace, { account, credential_id, ifMatch }) =>
        ifMatch === undefined
          ? removeVault(workspace, account, credential_id)
          : removeMatching(workspace, account, credential_id, ifMatch),
    },

    roots: { list: list('roots'), insert: insert('roots'), delete: remove('roots') },

    snapshots: {
      list: list<Omit<SnapshotRecord, 'content'>>('snapshots', [], 'id, name, created_at'),
      get: get('snapshots', 'id'),
      insert: insert('snapshots'),
      delete: remove('snapshots'),
    },
  } satisfies { readonly [K in keyof Store]?: Partial<Store[K]> }
}
