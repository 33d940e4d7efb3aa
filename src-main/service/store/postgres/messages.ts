import { withoutUndefined } from '../../../core/protocol/json.ts'
import type { Millis } from '../../../core/protocol/time.ts'
import type { MessageRecord, MessageResult, MessageStore, PushRecord } from '../store.ts'
import * as tables from '../tables.ts'
import type { BoundValue, Database } from './database.ts'
import { insertWith, type Sql } from './sql.ts'
import { isDuplicate } from './store-errors.ts'

const BIND = tables.moveMessage('bind', ['device', 'account', 'svc_user', 'public_key'], 'expires_at > ?')
const JUDGED = [...tables.ANSWER_COLUMNS, 'verdict']
const FAIL = tables.moveMessage('fail', JUDGED, tables.IS_BOUND_BY)
const EXPIRE = tables.moveMessage('timeout', [], 'expires_at <= ?')
const EXPIRE_EARLY = tables.moveMessage('timeout', ['expires_at'], 'expires_at > ?')

/** Each device's row counts its pushes: a second writer waits for the first. */
const INSERT_AND_PUSH = `WITH made AS (${insertWith('messages', 'rps')} RETURNING id),
  counted AS (
    UPDATE devices SET push_count = push_count + 1
    WHERE workspace = ? AND id = ANY(?) AND EXISTS (SELECT 1 FROM made) RETURNING id, push_count
  ),
  queued AS (
    INSERT INTO pushes (workspace, device, n, msg_id) SELECT ?::text, id, push_count, ?::text FROM counted
    RETURNING device, n, msg_id
  )
  SELECT made.id, queued.* FROM made LEFT JOIN queued ON true`

/** The credential is locked before it is compared: it cannot change between its comparison and its update. */
const AUTHENTICATE = `WITH held AS MATERIALIZED (SELECT 1 FROM credentials WHERE ${tables.equalityClause(tables.JUDGED_CREDENTIAL)} FOR UPDATE),
  moved AS (${tables.moveMessage('success', JUDGED, tables.IS_BOUND_BY)} AND EXISTS (SELECT 1 FROM held) RETURNING id),
  used AS (${tables.MARK_CREDENTIAL_USED} AND EXISTS (SELECT 1 FROM moved) RETURNING id)
  SELECT (SELECT count(*) FROM held) AS held, (SELECT count(*) FROM moved) AS moved`

const REGISTER = `WITH known AS MATERIALIZED (SELECT 1 FROM credentials WHERE ${tables.equalityClause(['workspace', 'rp', 'id'])}),
  held AS MATERIALIZED (SELECT count(*) AS n FROM credentials WHERE ${tables.equalityClause(['workspace', 'rp', 'user_id'])}),
  moved AS (
    ${tables.moveMessage('success', JUDGED, tables.IS_BOUND_BY)}
    AND NOT EXISTS (SELECT 1 FROM known) AND (SELECT n FROM held) < ? RETURNING id
  ),
  made AS (
    ${tables.insertSql('credentials').replace(/VALUES .*/, `SELECT ${tables.typedPlaceholders('credentials')} FROM moved`)} RETURNING id
  )
  SELECT (SELECT count(*) FROM known) AS known, (SELECT n FROM held) AS held, (SELECT count(*) FROM moved) AS moved`

export const messageStore = (database: Database, sql: Sql): MessageStore => {
  const encode = (columns: readonly string[], to: object): readonly BoundValue[] =>
    columns.map((column) => tables.encodeValue('messages', column, (to as Readonly<Record<string, unknown>>)[column]))

  return {
    get: (workspace, id) =>
      sql.one<MessageRecord>('messages', 'SELECT * FROM messages WHERE workspace = ? AND id = ?', [workspace, id]),

    result: (workspace, id) => sql.one<MessageResult>('messages', tables.SELECT_RESULT, [workspace, id]),

    list: (workspace, { rp, user_id, state, limit }) => {
      const wanted = withoutUndefined({ rp, user_id, state })
      const where = tables.equalityClause(['workspace', ...Object.keys(wanted)])
      const text = `SELECT * FROM messages WHERE ${where} ORDER BY rowid DESC LIMIT ?`
      return sql.all<MessageRecord>('messages', text, [workspace, ...Object.values(wanted), limit])
    },

    insert: async (workspace, record, pushTo) => {
      const row = tables.encodeRow('messages', workspace, record)
      try {
        if (pushTo.length === 0) {
          const made = await sql.changed(insertWith('messages', 'rps'), [...row, workspace, record.rp])
          return made ? [] : undefined
        }
        const values = [...row, workspace, record.rp, workspace, pushTo, workspace, record.id]
        const rows = await sql.all<PushRecord & { id: string }>('pushes', INSERT_AND_PUSH, values)
        if (rows.length === 0) return undefined
        return pushTo.flatMap((device) =>
          rows.flatMap((push) => (push.device === device ? [{ device, n: push.n, msg_id: record.id }] : [])),
        )
      } catch (reason) {
        if (!isDuplicate(reason)) throw reason
        throw new Error('a message of this id exists')
      }
    },

    bind: (workspace, id, to) =>
      sql.changed(BIND, [...encode(['device', 'account', 'svc_user', 'public_key'], to), workspace, id, to.now]),

    fail: (workspace, id, to) => sql.changed(FAIL, [...encode(JUDGED, to), workspace, id, to.device, to.now]),

    register: async (workspace, id, { credential, limit, ...to }) => {
      const { rp, user_id, id: credential_id } = credential
      const values = [
        ...[workspace, rp, credential_id, workspace, rp, user_id],
        ...[...encode(JUDGED, { ...to, error: '', credential_id }), workspace, id, to.device, to.now, limit],
        ...tables.encodeRow('credentials', workspace, credential),
      ]
      try {
        return await database.transaction(async (ask) => {
          // Only one registration at a time counts a user's credentials.
          await ask('SELECT pg_advisory_xact_lock(hashtext(?), hashtext(?))', [workspace, `${rp} ${user_id}`])
          const [row] = (await ask(REGISTER, values)).rows
          if (row?.known !== 0) return 'known'
          if (Number(row.held) >= limit) return 'limit'
          return row.moved === 1 ? 'done' : 'lost'
        })
      } catch (reason) {
        if (isDuplicate(reason)) return 'known'
        throw reason
      }
    },

    authenticate: async (workspace, id, to) => {
      const { credential_id, rp, counter_was, counter, backup_state, user_verified, device, now } = to
      const key = [workspace, rp, credential_id, counter_was]
      const { rows } = await sql.ask(AUTHENTICATE, [
        ...key,
        ...[...encode(JUDGED, { ...to, error: '' }), workspace, id, device, now],
        ...[counter, Number(backup_state), Number(user_verified), device, now, ...key],
      ])
      if (rows[0]?.held !== 1) return 'changed'
      return rows[0].moved === 1 ? 'done' : 'lost'
    },

    expire: (workspace, id, now) => sql.changed(EXPIRE, [workspace, id, now]),

    expireEarly: (workspace, id, now) => sql.changed(EXPIRE_EARLY, [now, workspace, id, now]),

    deliver: (workspace, id, now) => sql.changed(tables.MARK_DELIVERED, [now, workspace, id]),

    due: (workspace, now) => sql.all<MessageRecord>('messages', tables.SELECT_DUE, [workspace, now]),

    prune: async (workspace, expiredBy) => {
      const text = `WITH gone AS (DELETE FROM messages WHERE workspace = ? AND expires_at <= ? RETURNING id),
        unsent AS (DELETE FROM pushes WHERE workspace = ? AND msg_id IN (SELECT id FROM gone))
        SELECT count(*) AS n FROM gone`
      return Number((await sql.ask(text, [workspace, expiredBy, workspace])).rows[0]?.n)
    },

    horizon: async (workspace) => {
      const text = `SELECT (SELECT min(expires_at) FROM messages WHERE workspace = ? AND ${tables.IS_OPEN}) AS open,
        (SELECT min(expires_at) FROM messages WHERE workspace = ?) AS "any"`
      const [row = {}] = (await sql.ask(text, [workspace, workspace])).rows
      const { open, any } = row as { readonly open: Millis | null; readonly any: Millis | null }
      return { ...(open === null ? {} : { open }), ...(any === null ? {} : { any }) }
    },
  }
}
