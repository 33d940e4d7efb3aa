import { type MessageState, statesBefore } from '../../../protocol/message-state.ts'
import type { Millis } from '../../../protocol/time.ts'
import type { MessageRecord, MessageResult, PushRecord } from '../records.ts'
import type { AuthenticateMove, FailMove, MessageStore, RegisterMove } from '../store.ts'
import type { Write } from './group-commit.ts'
import type { LogSync } from './log-sync.ts'
import type { Sql } from './sql.ts'
import { encodeValue, type Value } from './tables.ts'

const from = (to: MessageState): string =>
  `state IN (${statesBefore(to)
    .map((state) => `'${state}'`)
    .join(', ')})`

const OPEN = from('timeout')
const RESULT = 'id, rp, kind, user_id, state, svc_user, error, expires_at, delivered_at'
const SELECT_RESULT = `SELECT ${RESULT} FROM messages WHERE workspace = ? AND id = ?`

type MessageParts = {
  readonly sql: Sql
  readonly write: Write
  /** Until what is read now is on the disk. */
  readonly onDisk: LogSync['pending']
}

export const messageStore = ({ sql, write, onDisk }: MessageParts): MessageStore => {
  const resultOf = sql.remembered<MessageResult>('messages', SELECT_RESULT)
  return {
    get: async (workspace, id) =>
      sql.one<MessageRecord>('messages', 'SELECT * FROM messages WHERE workspace = ? AND id = ?', workspace, id),

    // An RP is told only what a loss of power cannot take back.
    result: (workspace, id) => {
      const row = resultOf(workspace, id)
      const sync = onDisk()
      return sync === undefined ? Promise.resolve(row) : sync.then(() => row)
    },

    list: async (workspace, { rp, user_id, state, limit }) => {
      const wanted = Object.entries({ rp, user_id, state }).filter(([, value]) => value !== undefined)
      const where = ['workspace = ?', ...wanted.map(([column]) => `${column} = ?`)].join(' AND ')
      const values = [workspace, ...wanted.map(([, value]) => String(value)), limit]
      return sql.all<MessageRecord>(
        'messages',
        `SELECT * FROM messages WHERE ${where} ORDER BY rowid DESC LIMIT ?`,
        ...values,
      )
    },

    insert: (workspace, record, pushTo) =>
      write(() => {
        if (sql.one('rps', 'SELECT id FROM rps WHERE workspace = ? AND id = ?', workspace, record.rp) === undefined) {
          return undefined
        }
        if (!sql.insert('messages', workspace, record)) throw new Error('a message of this id exists')
        return pushTo.flatMap((device) => queuePush(sql, { workspace, device, msg_id: record.id }))
      }),

    bind: (workspace, id, { device, account, svc_user, public_key, now }) =>
      write(() =>
        move(sql, {
          to: 'bind',
          workspace,
          id,
          set: { device, account, svc_user, public_key },
          where: 'expires_at > ?',
          values: [now],
        }),
      ),

    fail: (workspace, id, answer) => write(() => finish(sql, workspace, id, { ...answer, to: 'fail' })),

    register: (workspace, id, answer) =>
      write(() => {
        const { credential, limit } = answer
        const owner = [workspace, credential.rp, credential.user_id]
        if (
          sql.one(
            'credentials',
            'SELECT id FROM credentials WHERE workspace = ? AND rp = ? AND id = ?',
            workspace,
            credential.rp,
            credential.id,
          ) !== undefined
        )
          return 'known'
        const held = sql.all(
          'credentials',
          'SELECT id FROM credentials WHERE workspace = ? AND rp = ? AND user_id = ?',
          ...owner,
        )
        if (held.length >= limit) return 'limit'
        if (!finish(sql, workspace, id, { ...answer, to: 'success', credential_id: credential.id })) return 'lost'
        sql.insert('credentials', workspace, credential)
        return 'done'
      }),

    authenticate: (workspace, id, answer) =>
      write(() => {
        const { credential_id, rp, counter_was, counter, backup_state, user_verified, device, now } = answer
        const key = [workspace, rp, credential_id, counter_was]
        const where = 'workspace = ? AND rp = ? AND id = ? AND counter = ?'
        if (sql.one('credentials', `SELECT id FROM credentials WHERE ${where}`, ...key) === undefined) return 'changed'
        if (!finish(sql, workspace, id, { ...answer, to: 'success' })) return 'lost'
        sql.run(
          `UPDATE credentials SET counter = ?, backup_state = ?, user_verified = ?, device = ?, updated_at = ? WHERE ${where}`,
          ...[counter, Number(backup_state), Number(user_verified), device, now],
          ...key,
        )
        return 'done'
      }),

    expire: (workspace, id, now) =>
      write(() => move(sql, { to: 'timeout', workspace, id, set: {}, where: 'expires_at <= ?', values: [now] })),

    deliver: (workspace, id, now) =>
      write(
        () =>
          sql.run(
            "UPDATE messages SET delivered_at = ? WHERE workspace = ? AND id = ? AND delivered_at IS NULL AND state IN ('success', 'fail')",
            ...[now, workspace, id],
          ) === 1,
      ),

    due: async (workspace, now) =>
      sql.all<MessageRecord>(
        'messages',
        `SELECT * FROM messages WHERE workspace = ? AND ${OPEN} AND expires_at <= ? ORDER BY expires_at, rowid`,
        ...[workspace, now],
      ),

    prune: (workspace, expiredBy) =>
      write(() => {
        const gone = 'SELECT id FROM messages WHERE workspace = ? AND expires_at <= ?'
        sql.run(`DELETE FROM pushes WHERE workspace = ? AND msg_id IN (${gone})`, workspace, workspace, expiredBy)
        return sql.run('DELETE FROM messages WHERE workspace = ? AND expires_at <= ?', workspace, expiredBy)
      }),

    horizon: async (workspace) => {
      const earliest = (where: string): Millis | undefined =>
        sql.one<{ at?: Millis }>('messages', `SELECT MIN(expires_at) AS at FROM messages WHERE ${where}`, workspace)?.at
      const open = earliest(`workspace = ? AND ${OPEN}`)
      const any = earliest('workspace = ?')
      return { ...(open === undefined ? {} : { open }), ...(any === undefined ? {} : { any }) }
    },
  }
}

type Move = {
  readonly to: MessageState
  readonly workspace: string
  readonly id: string
  readonly set: Readonly<Record<string, unknown>>
  readonly where: string
  readonly values: readonly Value[]
}

/** The one place where a state is written. Zero rows: somebody else was first. */
const move = (sql: Sql, { to, workspace, id, set, where, values }: Move): boolean => {
  const columns = Object.entries(set).filter(([, value]) => value !== undefined)
  const assignments = [`state = '${to}'`, ...columns.map(([column]) => `${column} = ?`)].join(', ')
  const given = columns.map(([column, value]) => encodeValue('messages', column, value))
  const statement = `UPDATE messages SET ${assignments} WHERE workspace = ? AND id = ? AND ${from(to)} AND ${where}`
  return sql.run(statement, ...given, workspace, id, ...values) === 1
}

type Finish =
  | (FailMove & { readonly to: 'fail' })
  | (RegisterMove & { readonly to: 'success'; readonly credential_id: string })
  | (AuthenticateMove & { readonly to: 'success' })

const finish = (sql: Sql, workspace: string, id: string, answer: Finish): boolean =>
  move(sql, {
    to: answer.to,
    workspace,
    id,
    set: {
      error: answer.to === 'fail' ? answer.error : '',
      answer_hash: answer.answer_hash,
      verdict: answer.verdict,
      credential_id: answer.to === 'success' ? answer.credential_id : undefined,
    },
    where: 'device = ? AND expires_at > ?',
    values: [answer.device, answer.now],
  })

const queuePush = (sql: Sql, push: { workspace: string; device: string; msg_id: string }): readonly PushRecord[] => {
  const { workspace, device, msg_id } = push
  const row = sql.one<{ n: number }>(
    'devices',
    'UPDATE devices SET push_count = push_count + 1 WHERE workspace = ? AND id = ? RETURNING push_count AS n',
    ...[workspace, device],
  )
  if (row === undefined) return []
  const record: PushRecord = { device, n: row.n, msg_id }
  sql.insert('pushes', workspace, record)
  return [record]
}
