import type { MessageState } from '../../../protocol/message-state.ts'
import type { Millis } from '../../../protocol/time.ts'
import type { MessageRecord, MessageResult, PushRecord } from '../records.ts'
import {
  ANSWER,
  allOf,
  BOUND_BY,
  DELIVER,
  DUE,
  MARK_USED,
  moveMessage,
  OPEN,
  SEEN_CREDENTIAL,
  SELECT_RESULT,
} from '../statements.ts'
import type { MessageStore } from '../store.ts'
import { encodeValue, type Value } from '../tables.ts'
import type { Write } from './group-commit.ts'
import type { LogSync } from './log-sync.ts'
import type { Sql } from './sql.ts'

type MessageParts = {
  readonly sql: Sql
  readonly write: Write
  /** Until what is read now is on the disk. */
  readonly onDisk: LogSync['pending']
}

export const messageStore = ({ sql, write, onDisk }: MessageParts): MessageStore => {
  const resultOf = sql.remembered<MessageResult>('messages', SELECT_RESULT)
  const get = sql.one<MessageRecord>('messages', 'SELECT * FROM messages WHERE workspace = ? AND id = ?')
  const insert = sql.insert('messages', 'rps')
  const hasRp = sql.one('rps', 'SELECT id FROM rps WHERE workspace = ? AND id = ?')
  const queuePush = createQueuePush(sql)

  const move = createMove(sql)
  const bind = move('bind', ['device', 'account', 'svc_user', 'public_key'], 'expires_at > ?')
  const expire = move('timeout', [], 'expires_at <= ?')
  const expireEarly = move('timeout', ['expires_at'], 'expires_at > ?')
  const fail = move('fail', ANSWER, BOUND_BY)
  const register = move('success', ANSWER, BOUND_BY)
  const unchanged = `SELECT 1 FROM credentials WHERE ${allOf(SEEN_CREDENTIAL)}`
  const authenticate = move('success', ANSWER, `${BOUND_BY} AND EXISTS (${unchanged})`)
  const isUnchanged = sql.one('credentials', unchanged)

  const hasCredential = sql.one('credentials', `SELECT id FROM credentials WHERE ${allOf(['workspace', 'rp', 'id'])}`)
  const held = sql.one<{ n: number }>(
    'credentials',
    `SELECT count(*) AS n FROM credentials WHERE ${allOf(['workspace', 'rp', 'user_id'])}`,
  )
  const insertCredential = sql.insert('credentials')
  const markUsed = sql.run(MARK_USED)
  const due = sql.all<MessageRecord>('messages', DUE)
  const deliver = sql.run(DELIVER)
  const gone = 'workspace = ? AND expires_at <= ?'
  const prunePushes = sql.run(
    `DELETE FROM pushes WHERE workspace = ? AND msg_id IN (SELECT id FROM messages WHERE ${gone})`,
  )
  const prune = sql.run(`DELETE FROM messages WHERE ${gone}`)
  const earliest = (where: string) => {
    const text = `SELECT MIN(expires_at) AS at FROM messages WHERE workspace = ?${where}`
    const first = sql.one<{ at?: Millis }>('messages', text)
    return (workspace: string) => first(workspace)?.at
  }
  const earliestOpen = earliest(` AND ${OPEN}`)
  const earliestOfAll = earliest('')

  return {
    get: async (workspace, id) => get(workspace, id),

    // An RP is told only what a loss of power cannot take back.
    result: (workspace, id) => {
      const row = resultOf(workspace, id)
      const sync = onDisk()
      return sync === undefined ? Promise.resolve(row) : sync.then(() => row)
    },

    list: async (workspace, { rp, user_id, state, limit }) => {
      const wanted = Object.entries({ rp, user_id, state }).flatMap(([column, value]) =>
        value === undefined ? [] : [{ column, value }],
      )
      const where = allOf(['workspace', ...wanted.map(({ column }) => column)])
      const text = `SELECT * FROM messages WHERE ${where} ORDER BY rowid DESC LIMIT ?`
      return sql.all<MessageRecord>('messages', text)(workspace, ...wanted.map(({ value }) => value), limit)
    },

    insert: (workspace, record, pushTo) =>
      write(() => {
        if (insert(workspace, record, record.rp)) {
          return pushTo.flatMap((device) => queuePush({ workspace, device, msg_id: record.id }))
        }
        if (hasRp(workspace, record.rp) === undefined) return undefined
        throw new Error('a message of this id exists')
      }),

    bind: (workspace, id, to) => write(() => bind(to, workspace, id, to.now)),

    fail: (workspace, id, to) => write(() => fail(to, workspace, id, to.device, to.now)),

    register: (workspace, id, { credential, limit, ...to }) =>
      write(() => {
        const { rp, user_id, id: credential_id } = credential
        if (hasCredential(workspace, rp, credential_id) !== undefined) return 'known'
        if ((held(workspace, rp, user_id)?.n ?? 0) >= limit) return 'limit'
        if (!register({ ...to, error: '', credential_id }, workspace, id, to.device, to.now)) return 'lost'
        insertCredential(workspace, credential)
        return 'done'
      }),

    authenticate: (workspace, id, to) =>
      write(() => {
        const { credential_id, rp, counter_was, counter, backup_state, user_verified, device, now } = to
        const key = [workspace, rp, credential_id, counter_was]
        if (!authenticate({ ...to, error: '' }, workspace, id, device, now, ...key)) {
          return isUnchanged(...key) === undefined ? 'changed' : 'lost'
        }
        markUsed(counter, Number(backup_state), Number(user_verified), device, now, ...key)
        return 'done'
      }),

    expire: (workspace, id, now) => write(() => expire({}, workspace, id, now)),

    expireEarly: (workspace, id, now) => write(() => expireEarly({ expires_at: now }, workspace, id, now)),

    deliver: (workspace, id, now) => write(() => deliver(now, workspace, id) === 1),

    due: async (workspace, now) => due(workspace, now),

    prune: (workspace, expiredBy) =>
      write(() => {
        prunePushes(workspace, workspace, expiredBy)
        return prune(workspace, expiredBy)
      }),

    horizon: async (workspace) => {
      const open = earliestOpen(workspace)
      const any = earliestOfAll(workspace)
      return { ...(open === undefined ? {} : { open }), ...(any === undefined ? {} : { any }) }
    },
  }
}

const createMove =
  (sql: Sql) =>
  <C extends string>(to: MessageState, columns: readonly C[], where: string) => {
    const run = sql.run(moveMessage(to, columns, where))
    return (set: Partial<Readonly<Record<C, unknown>>>, workspace: string, id: string, ...values: readonly Value[]) =>
      run(...columns.map((column) => encodeValue('messages', column, set[column])), workspace, id, ...values) === 1
  }

const createQueuePush = (sql: Sql) => {
  const count = sql.one<{ n: number }>(
    'devices',
    'UPDATE devices SET push_count = push_count + 1 WHERE workspace = ? AND id = ? RETURNING push_count AS n',
  )
  const insert = sql.insert('pushes')
  return (push: { workspace: string; device: string; msg_id: string }): readonly PushRecord[] => {
    const { workspace, device, msg_id } = push
    const row = count(workspace, device)
    if (row === undefined) return []
    const record: PushRecord = { device, n: row.n, msg_id }
    insert(workspace, record)
    return [record]
  }
}
