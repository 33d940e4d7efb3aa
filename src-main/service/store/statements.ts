import { type MessageState, statesBefore } from '../../core/protocol/message-state.ts'
import { columnsOf, integerColumns, type TableName } from './tables.ts'

/** SQL that both adapters use, with `?` for each value. */
export const allOf = (columns: readonly string[]): string => columns.map((column) => `${column} = ?`).join(' AND ')

/** `needs`: only with a row of that table, whose workspace and id are bound after the columns. */
export const insertSql = (name: TableName, needs?: TableName, own = columnsOf(name)): string => {
  const columns = ['workspace', ...own]
  const places = columns.map(() => '?').join(', ')
  const needed = `SELECT ${places} WHERE EXISTS (SELECT 1 FROM ${needs} WHERE workspace = ? AND id = ?)`
  return `INSERT INTO ${name} (${columns.join(', ')}) ${needs === undefined ? `VALUES (${places})` : needed}`
}

/** The values of a row, each with its type: PostgreSQL does not see it outside VALUES. */
export const typedPlaces = (name: TableName): string => {
  const integers = integerColumns(name)
  return ['workspace', ...columnsOf(name)]
    .map((column) => (integers.includes(column) ? '?::bigint' : '?::text'))
    .join(', ')
}

const from = (to: MessageState): string =>
  `state IN (${statesBefore(to)
    .map((state) => `'${state}'`)
    .join(', ')})`

export const OPEN = from('timeout')

const RESULT = 'id, rp, kind, user_id, state, svc_user, error, expires_at, delivered_at'
export const SELECT_RESULT = `SELECT ${RESULT} FROM messages WHERE workspace = ? AND id = ?`

/** The one place where a state is written. Zero rows: another request was first. */
export const moveMessage = (to: MessageState, columns: readonly string[], where: string): string => {
  const assignments = [`state = '${to}'`, ...columns.map((column) => `${column} = ?`)].join(', ')
  return `UPDATE messages SET ${assignments} WHERE workspace = ? AND id = ? AND ${from(to)} AND ${where}`
}

export const ANSWER = ['error', 'answer_hash', 'credential_id'] as const
export const BOUND_BY = 'device = ? AND expires_at > ?'

/** A credential with the counter that an answer was judged against. */
export const SEEN_CREDENTIAL = ['workspace', 'rp', 'id', 'counter']
export const MARK_USED = `UPDATE credentials SET counter = ?, backup_state = ?, user_verified = ?, device = ?, updated_at = ? WHERE ${allOf(SEEN_CREDENTIAL)}`

export const DUE = `SELECT * FROM messages WHERE workspace = ? AND ${OPEN} AND expires_at <= ? ORDER BY expires_at, rowid`

export const DELIVER =
  "UPDATE messages SET delivered_at = ? WHERE workspace = ? AND id = ? AND delivered_at IS NULL AND state IN ('success', 'fail')"

export const OPEN_PUSHES = `SELECT p.device, p.n, p.msg_id, p.sent_at FROM pushes p
  JOIN messages m ON m.workspace = p.workspace AND m.id = p.msg_id
  WHERE p.workspace = ? AND p.device = ? AND p.n > ? AND m.state IN ('init', 'bind') AND m.expires_at > ?
  ORDER BY p.n`

export const MARK_SENT =
  'UPDATE pushes SET sent_at = ? WHERE workspace = ? AND device = ? AND n = ? AND sent_at IS NULL'

export const REPLACE_VAULT = `UPDATE vault SET etag = ?, sealed = ?, updated_at = ? WHERE ${allOf(['workspace', 'account', 'credential_id', 'etag'])}`
