import { withoutUndefined } from '../../../core/protocol/json.ts'
import { isFinal, isReportedOnce, type MessageState } from '../../../core/protocol/message-state.ts'
import type { Millis } from '../../../core/protocol/time.ts'
import type { WalSync } from '../../../disk/log-sync.ts'
import type { CredentialRecord, MessageRecord, MessageResult, MessageStore, PushRecord, RpRecord } from '../store.ts'
import * as tables from '../tables.ts'
import type { Write } from './group-commit.ts'
import { INSERT_VERDICT, type RememberedRows, SELECT_MESSAGES, type Sql } from './sql.ts'

type MessageParts = {
  readonly sql: Sql
  /** May run an operation twice. */
  readonly write: Write
  readonly rpOf: (workspace: string, id: string) => RpRecord | undefined
  readonly users: Pick<UserCredentials, 'get' | 'made' | 'used'>
  /** Resolves when data that is read now is on the disk. */
  readonly onDisk: WalSync['pending']
}

export const messageStore = ({ sql, write, rpOf, users, onDisk }: MessageParts): MessageStore => {
  // Caches open messages as last written: each is read several times before it ends.
  const open = sql.memoryOf<MessageRecord>('messages')
  const results = sql.memoryOf<MessageResult>('messages')
  const readResult = sql.one<MessageResult>('messages', tables.SELECT_RESULT)
  const read = sql.one<MessageRecord>('messages', `${SELECT_MESSAGES} WHERE workspace = ? AND id = ?`)
  const get = (workspace: string, id: string): MessageRecord | undefined => {
    const known = open.get(workspace, id)
    if (known !== undefined) return known
    const found = read(workspace, id)
    if (found !== undefined && !isFinal(found.state)) open.put(workspace, id, found)
    return found
  }
  const insert = sql.insert('messages')
  const queuePush = createQueuePush(sql)

  const move = createMove(sql, { open, results })
  const bind = move('bind', ['device', 'account', 'svc_user', 'public_key'], 'expires_at > ?')
  const expire = move('timeout', [], 'expires_at <= ?')
  const expireEarly = move('timeout', ['expires_at'], 'expires_at > ?')
  const fail = move('fail', tables.ANSWER_COLUMNS, tables.IS_BOUND_BY)
  const succeed = move('success', tables.ANSWER_COLUMNS, tables.IS_BOUND_BY)

  const hasCredential = sql.one(
    'credentials',
    `SELECT id FROM credentials WHERE ${tables.equalityClause(['workspace', 'rp', 'id'])}`,
  )
  const held = sql.one<{ n: number }>(
    'credentials',
    `SELECT count(*) AS n FROM credentials WHERE ${tables.equalityClause(['workspace', 'rp', 'user_id'])}`,
  )
  const insertCredential = sql.insert('credentials')
  const markUsed = sql.runQuietly(tables.MARK_CREDENTIAL_USED)
  const due = sql.all<MessageRecord>('messages', tables.SELECT_DUE)
  const deliver = sql.runQuietly(tables.MARK_DELIVERED)
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
  const earliestOpen = earliest(` AND ${tables.IS_OPEN}`)
  const earliestOfAll = earliest('')

  return {
    get: async (workspace, id) => get(workspace, id),

    // An RP gets only results that are on disk. A first delivery does not wait here: marking it delivered syncs the
    // result too.
    result: (workspace, id, how) => {
      const known = open.get(workspace, id)
      const row = known === undefined ? (results.get(workspace, id) ?? readResult(workspace, id)) : resultOf(known)
      const isNew = row !== undefined && isReportedOnce(row.state) && row.delivered_at === undefined
      const sync = isNew && how?.toDeliver === true ? undefined : onDisk()
      return sync === undefined ? Promise.resolve(row) : sync.then(() => row)
    },

    list: async (workspace, { rp, user_id, state, limit }) => {
      const wanted = withoutUndefined({ rp, user_id, state })
      const where = tables.equalityClause(['workspace', ...Object.keys(wanted)])
      const text = `${SELECT_MESSAGES} WHERE ${where} ORDER BY rowid DESC LIMIT ?`
      return sql.all<MessageRecord>('messages', text)(workspace, ...Object.values(wanted), limit)
    },

    insert: (workspace, record, pushTo) =>
      write(() => {
        if (rpOf(workspace, record.rp) === undefined) return undefined
        if (!insert(workspace, record)) throw new Error('a message of this id exists')
        open.put(workspace, record.id, record)
        return pushTo.flatMap((device) => queuePush({ workspace, device, msg_id: record.id }))
      }),

    bind: (workspace, id, to) => write(() => bind(to, workspace, id, to.now)),

    fail: (workspace, id, to) => write(() => fail(to, workspace, id, to.device, to.now)),

    register: (workspace, id, { credential, limit, ...to }) =>
      write(() => {
        const { rp, user_id, id: credential_id } = credential
        if (hasCredential(workspace, rp, credential_id) !== undefined) return 'known'
        if ((held(workspace, rp, user_id)?.n ?? 0) >= limit) return 'limit'
        if (!succeed({ ...to, error: '', credential_id }, workspace, id, to.device, to.now)) return 'lost'
        insertCredential(workspace, credential)
        users.made(workspace, credential)
        return 'done'
      }),

    authenticate: (workspace, id, to) =>
      write(() => {
        const { credential_id, rp, counter_was, counter, backup_state, user_verified, device, now } = to
        const credential = users.get(workspace, rp, credential_id)
        if (credential?.counter !== counter_was) return 'changed'
        if (!succeed({ ...to, error: '' }, workspace, id, device, now)) return 'lost'
        const flags = [Number(backup_state), Number(user_verified)]
        markUsed(counter, ...flags, device, now, workspace, rp, credential_id, counter_was)
        users.used(workspace, credential, { counter, backup_state, user_verified, device, updated_at: now })
        return 'done'
      }),

    expire: (workspace, id, now) => write(() => expire({}, workspace, id, now)),

    expireEarly: (workspace, id, now) => write(() => expireEarly({ expires_at: now }, workspace, id, now)),

    deliver: (workspace, id, now) =>
      write(() => {
        results.forget(workspace, id)
        return deliver(now, workspace, id) === 1
      }),

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

const resultOf = ({ id, rp, kind, user_id, state, svc_user, error, expires_at }: MessageRecord): MessageResult => ({
  id,
  rp,
  kind,
  user_id,
  state,
  svc_user,
  error,
  expires_at,
})

type MessageMemory = { readonly open: RememberedRows<MessageRecord>; readonly results: RememberedRows<MessageResult> }

const createMove = (sql: Sql, { open, results }: MessageMemory) => {
  const keepVerdict = sql.run(INSERT_VERDICT)
  const encodeVerdict = tables.encoderOf('messages', 'verdict')
  return <C extends string>(to: MessageState, columns: readonly C[], where: string) => {
    const run = sql.runQuietly(tables.moveMessage(to, columns, where))
    const encoders = columns.map((column) => ({ column, encode: tables.encoderOf('messages', column) }))
    type Set = Partial<Readonly<Record<C, unknown>>> & { readonly verdict?: unknown }
    return (set: Set, workspace: string, id: string, ...values: readonly tables.SqlValue[]): boolean => {
      const written = encoders.map(({ column, encode }) => encode(set[column]))
      if (run(...written, workspace, id, ...values) === 0) return false
      if (set.verdict !== undefined) keepVerdict(encodeVerdict(set.verdict), workspace, id)
      const before = open.get(workspace, id)
      if (before === undefined) return true
      const after: MessageRecord = { ...before, ...pick(set, columns), state: to }
      if (!isFinal(to)) open.put(workspace, id, after)
      else {
        open.forget(workspace, id)
        results.put(workspace, id, resultOf(after))
      }
      return true
    }
  }
}

const pick = <C extends string>(set: Partial<Readonly<Record<C, unknown>>>, columns: readonly C[]): object =>
  Object.fromEntries(columns.map((column) => [column, set[column]]))

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

type CredentialUse = Pick<CredentialRecord, 'counter' | 'backup_state' | 'user_verified' | 'device' | 'updated_at'>

type UserCredentials = ReturnType<typeof createUserCredentials>

/** Caches users' credentials until a new one is made for the user: a sign-in reads them three times. */
export const createUserCredentials = (sql: Sql) => {
  const one = sql.memoryOf<CredentialRecord>('credentials')
  const all = sql.memoryOf<readonly CredentialRecord[]>('credentials')
  const readOne = sql.one<CredentialRecord>(
    'credentials',
    'SELECT * FROM credentials WHERE workspace = ? AND rp = ? AND id = ?',
  )
  const readAll = sql.list<CredentialRecord>('credentials', ['workspace', 'rp', 'user_id'])
  return {
    get: (workspace: string, rp: string, id: string): CredentialRecord | undefined => {
      const known = one.get(workspace, keyOf(rp, id))
      if (known !== undefined) return known
      const found = readOne(workspace, rp, id)
      if (found !== undefined) one.put(workspace, keyOf(rp, id), found)
      return found
    },
    list: (workspace: string, rp: string, user: string): readonly CredentialRecord[] => {
      const known = all.get(workspace, keyOf(rp, user))
      if (known !== undefined) return known
      const found = readAll(workspace, rp, user)
      // An empty list is not cached: clients may ask for any user.
      if (found.length === 0) return found
      all.put(workspace, keyOf(rp, user), found)
      for (const credential of found) one.put(workspace, keyOf(rp, credential.id), credential)
      return found
    },
    made: (workspace: string, { rp, user_id }: CredentialRecord): void => all.forget(workspace, keyOf(rp, user_id)),
    used: (workspace: string, before: CredentialRecord, change: CredentialUse): void => {
      const { rp, id, user_id } = before
      const now = { ...before, ...change }
      one.put(workspace, keyOf(rp, id), now)
      const list = all.get(workspace, keyOf(rp, user_id))
      if (list === undefined) return
      const after = list.map((each) => (each.id === id ? now : each))
      all.put(workspace, keyOf(rp, user_id), after)
    },
  }
}

/** Unique for each pair of RP and id. */
const keyOf = (rp: string, id: string): string => `${rp.length} ${rp}${id}`
