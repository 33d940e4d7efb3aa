import { setTimeout as pause } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { mapValues } from '../../../core/protocol/json.ts'
import { silentLog } from '../../../core/protocol/log.ts'
import { rememberByText } from '../../../core/protocol/remember.ts'
import { StoreUnavailable } from '../../../core/protocol/store-unavailable.ts'
import type { PoolFigures } from '../store.ts'
import { createDatabaseOutage, type DatabaseOutage } from './outage.ts'
import { connectBy, createPrepared, type Deadline, type PreparedStatements, remainingTimeout } from './prepared.ts'
import { isConnectionBroken, isSurelyRolledBack, toStoreError } from './store-errors.ts'

export type BoundValue = string | number | null | readonly string[]
export type Row = Readonly<Record<string, unknown>>
export type QueryResult = { readonly rows: readonly Row[]; readonly changes: number }
export type RunQuery = (text: string, values?: readonly BoundValue[]) => Promise<QueryResult>

export type Database = ReturnType<typeof createDatabase>

/** Attempts for a transaction that conflicted with another one, or was lost before its commit. */
const TRIES = 5
/** Time to get a connection and run a statement, over all attempts. Looking up its outcome may take a little longer. */
const PATIENCE_MS = 5_000
const LAST_QUESTION_MS = 1_000
/** The part of PATIENCE_MS reserved for running the statement: the wait for a connection ends before it. */
const STATEMENT_MS = 1_000

/** The connection was lost, and nothing was done. */
class Undone extends StoreUnavailable {}
class Lost extends Error {
  readonly mark: Mark
  readonly reason: unknown
  readonly until: Deadline
  constructor(mark: Mark, { reason, until }: { readonly reason: unknown; readonly until: Deadline }) {
    super()
    this.until = until
    this.mark = mark
    this.reason = reason
  }
}

type Watched = { readonly prepared?: PreparedStatements; readonly outage?: DatabaseOutage }

export const createDatabase = (
  pool: Pool,
  toText: (text: string) => string,
  { prepared = createPrepared(), outage = createDatabaseOutage(silentLog, '') }: Watched = {},
) => {
  const fates = createFates(pool, toText)

  const askOn =
    (client: PoolClient, until?: Deadline): RunQuery =>
    async (text, values = []) => {
      const query = prepared.query(client, toText(text), values.map(toSafeText))
      const { rows, rowCount } = await client.query<Row>(
        until === undefined ? query : { ...query, ...remainingTimeout(until) },
      )
      return { rows: rows.map(readRow), changes: rowCount ?? 0 }
    }

  const withClient = async <T>(until: Deadline, work: (client: PoolClient) => Promise<T>): Promise<T> => {
    const client = await connectBy(pool, until - STATEMENT_MS).catch((reason: unknown) => {
      throw toStoreError(reason, { sent: false })
    })
    let broken = false
    try {
      await prepared.refresh(client, until).catch(throwUndone)
      return await work(client)
    } catch (reason) {
      broken = reason instanceof Lost || isConnectionBroken(reason)
      throw reason
    } finally {
      client.release(broken)
    }
  }

  const again = async <T>(work: (until: Deadline) => Promise<T>): Promise<T> => {
    const begun = outage.begin()
    const until = performance.now() + PATIENCE_MS
    for (let tries = TRIES - 1; ; tries--) {
      try {
        const done = await work(until)
        outage.answered()
        return done
      } catch (reason) {
        const mayGoWell = reason instanceof Undone || isConflict(reason) || prepared.isRefusal(reason)
        if (tries > 0 && performance.now() < until - STATEMENT_MS && mayGoWell) continue
        if (reason instanceof StoreUnavailable) outage.failed(begun, reason)
        throw reason
      }
    }
  }

  /** Reads the stored answer to a lost connection's statement. Throws if the statement was undone, or may be. */
  const lookUp = async <T>({ mark, reason, until }: Lost, read: (answer: string | null) => T): Promise<T> => {
    const { message } = toStoreError(reason, { sent: true })
    const fate = await fates.of(mark, Math.max(until, performance.now() + LAST_QUESTION_MS))
    if (fate === 'undone') throw new Undone(message, false)
    if (fate === 'unknown') throw new StoreUnavailable(message, true)
    return read(fate.answer)
  }

  /** For statements that only read or are not committed yet: they change nothing if the connection is lost. */
  const undone = (reason: unknown): Error =>
    isConnectionBroken(reason) && !isSurelyRolledBack(reason) && !(reason instanceof StoreUnavailable)
      ? new Undone(toStoreError(reason, { sent: false }).message, false)
      : toStoreError(reason, { sent: false })

  const throwUndone = (reason: unknown): never => {
    throw undone(reason)
  }

  const read = (until: Deadline, text: string, values: readonly BoundValue[]): Promise<QueryResult> =>
    withClient(until, (client) => askOn(client, until)(text, values).catch(throwUndone))

  const write = async (until: Deadline, text: string, values: readonly BoundValue[] = []): Promise<QueryResult> => {
    const kept = withKeptAnswer(text)
    if (kept === null) return read(until, text, values)
    const answerOf = (rows: readonly Row[]): QueryResult =>
      kept.answers === 'rows' ? { rows, changes: rows.length } : { rows: [], changes: Number(rows[0]?.changes) }
    try {
      return await withClient(until, async (client) => {
        const mark = await fates.next(client, until).catch(throwUndone)
        try {
          return answerOf((await askOn(client, until)(kept.text, [...values, mark.token, mark.connection])).rows)
        } catch (reason) {
          throw isConnectionBroken(reason) && !isSurelyRolledBack(reason)
            ? new Lost(mark, { reason, until })
            : toStoreError(reason, SENT)
        }
      })
    } catch (reason) {
      if (!(reason instanceof Lost)) throw reason
      return lookUp(reason, (answer) =>
        answerOf(
          kept.answers === 'rows'
            ? (JSON.parse(answer ?? '[]') as readonly Row[]).map(readRow)
            : [{ changes: Number(answer) }],
        ),
      )
    }
  }

  /** After the first statement, only the driver's limit per statement applies: a transaction may have many. */
  const inTransaction = async <T>(until: Deadline, begin: Begin, work: Work<T>): Promise<T> => {
    let value: T | undefined
    try {
      return await withClient(until, async (client) => {
        let committing: Mark | undefined
        try {
          const mark = begin.marked ? await fates.next(client, until) : undefined
          const text = toText(mark === undefined ? begin.text : `${begin.text}; ${writeMark(mark)}`)
          await client.query({ text, ...remainingTimeout(until) })
          const done = await work(askOn(client))
          value = done
          committing = mark
          await client.query('COMMIT')
          return done
        } catch (reason) {
          if (!isConnectionBroken(reason)) await client.query('ROLLBACK').catch(() => undefined)
          if (committing !== undefined && isConnectionBroken(reason)) throw new Lost(committing, { reason, until })
          throw undone(reason)
        }
      })
    } catch (reason) {
      if (!(reason instanceof Lost)) throw reason
      return lookUp(reason, () => value as T)
    }
  }

  /** One statement, which is its own transaction. */
  const ask: RunQuery = (text, values) => again((until) => write(until, text, values))

  return {
    ask,
    /** Several statements, all or none of them. Retried after a conflict with another one. */
    transaction: <T>(work: Work<T>) => again((until) => inTransaction(until, { text: 'BEGIN', marked: true }, work)),
    /** Several reading statements, which see the data of one moment. */
    view: <T>(work: Work<T>) => again((until) => inTransaction(until, VIEW, work)),
    /** A transaction before the table for looking up its outcome exists. */
    migrate: <T>(work: Work<T>) => again((until) => inTransaction(until, { text: 'BEGIN', marked: false }, work)),
    pool: (): PoolFigures => ({
      most: pool.options.max,
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    close: async () => {
      await fates.clear().catch(() => undefined)
      await pool.end()
    },
  }
}

type Work<T> = (ask: RunQuery) => Promise<T>
type Begin = { readonly text: string; readonly marked: boolean }
const VIEW: Begin = { text: 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY', marked: false }
const SENT = { sent: true }

const readRow = (row: Row): Row =>
  Object.values(row).some((value) => fromSafeText(value) !== value) ? mapValues(row, fromSafeText) : row

/** Serialization failure or deadlock: the database rolled it back. */
const isConflict = (reason: unknown): boolean =>
  reason instanceof Error && 'code' in reason && ['40001', '40P01'].includes(String(reason.code))

/** More statement texts than the store has. */
export const MAX_TEXTS = 1_000
const WRITES = /\b(INSERT INTO|DELETE FROM|UPDATE \w+ SET)\b/
const MAIN = /^(SELECT|INSERT|UPDATE|DELETE)\b/

type KeptStatement = {
  /** Takes two more values: the token of its transaction, and the connection. */
  readonly text: string
  readonly answers: 'rows' | 'changes'
}

/** One transaction. Its connection's row has the token of the last one committed. */
type Mark = { readonly connection: number; readonly token: number }

/** `unknown`: the database could not be asked in time. */
type Fate = 'undone' | 'unknown' | { readonly answer: string | null }

/** Interval of asking what became of a lost connection's transaction. */
const AGAIN_MS = 50
/** Pool connections live for a day at most. */
const PRUNE = "DELETE FROM connections WHERE opened_at < now() - interval '2 days'"

/**
 * Finds the outcome of a transaction whose connection was lost. Each transaction writes its token into its connection's
 * row. A look-up sets `bar` in that row, so that an uncommitted transaction can no longer commit.
 */
const createFates = (pool: Pool, toText: (text: string) => string) => {
  const rows = new WeakMap<PoolClient, { connection: number; token: number }>()
  const opened = new Set<number>()

  /** Uses one connection for both queries; both must end by `until`. */
  const askOnce = async ({ connection, token }: Mark, until: Deadline): Promise<Fate> => {
    const client = await connectBy(pool, until)
    let broken = false
    const ask = async (text: string, values: number[]) =>
      (await client.query({ text: toText(text), values, ...remainingTimeout(until) })).rows
    try {
      // The update waits for a transaction that is still under way.
      const bar = 'UPDATE connections SET bar = ? WHERE id = ? AND token <> ? RETURNING id'
      if ((await ask(bar, [token, connection, token])).length === 1) return 'undone'
      const [row] = await ask('SELECT answer FROM connections WHERE id = ? AND token = ?', [connection, token])
      return row === undefined ? 'unknown' : { answer: row.answer }
    } catch (reason) {
      broken = isConnectionBroken(reason)
      throw reason
    } finally {
      client.release(broken)
    }
  }

  return {
    next: async (client: PoolClient, until: Deadline): Promise<Mark> => {
      const known = rows.get(client)
      if (known !== undefined) return { connection: known.connection, token: ++known.token }
      const text = toText('INSERT INTO connections DEFAULT VALUES RETURNING id')
      const made = await client.query({ text, ...remainingTimeout(until) })
      const connection = Number(made.rows[0]?.id)
      opened.add(connection)
      rows.set(client, { connection, token: 1 })
      return { connection, token: 1 }
    },

    of: async (mark: Mark, until: Deadline): Promise<Fate> => {
      for (; performance.now() < until; await pause(AGAIN_MS)) {
        try {
          return await askOnce(mark, until)
        } catch {
          // The database is unreachable: try again until the deadline.
        }
      }
      return 'unknown'
    },

    /** Deletes its own rows, and those of killed processes. */
    clear: async () => {
      if (opened.size === 0) return
      await pool.query(toText(PRUNE))
      await pool.query(toText('DELETE FROM connections WHERE id = ANY(?)'), [[...opened]])
    },
  }
}

const writeMark = ({ connection, token }: Mark): string =>
  `UPDATE connections SET token = ${token}, answer = NULL WHERE id = ${connection}`

/**
 * Extends a writing statement so that it also stores its token and answer: a caller that loses the connection can read
 * the answer later. Null for a statement that does not write.
 */
const withKeptAnswer = rememberByText((text: string): KeptStatement | null => {
  if (!WRITES.test(text)) return null
  const at = startOfMain(text)
  const [before, main] = [text.slice(0, at).trim(), text.slice(at)]
  const answers = /^SELECT\b/.test(main) || /\bRETURNING\b/.test(main) ? 'rows' : 'changes'
  const parts = before === '' ? 'WITH' : `${before},`
  const [kept, brings] =
    answers === 'rows'
      ? ['SELECT json_agg(told) FROM told', 'SELECT * FROM told']
      : ['SELECT count(*) FROM told', 'SELECT count(*) AS changes FROM told']
  return {
    text: `${parts} told AS (${main}${answers === 'rows' ? '' : ' RETURNING 1'}),
      kept AS (UPDATE connections SET token = ?, answer = (${kept})::text WHERE id = ?) ${brings}`,
    answers,
  }
}, MAX_TEXTS)

/** Index after the bracketed parts of a WITH. */
const startOfMain = (text: string): number => {
  if (!text.startsWith('WITH')) return 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth += 1
    else if (text[at] === ')') depth -= 1
    else if (depth === 0 && MAIN.test(text.slice(at, at + 7))) return at
  }
  throw new Error(`a WITH without a statement behind it: ${text}`)
}

/** PostgreSQL's text cannot have U+0000: it is written as ESCAPE and 0, and ESCAPE itself as ESCAPE and 1. */
const ESCAPE = '\u001a'
// biome-ignore lint/suspicious/noControlCharactersInRegex: the regex searches for these characters.
const UNSAFE = /[\u0000\u001a]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const ESCAPED = /\u001a([01])/g

export const toSafeText = <T>(value: T): T | string =>
  typeof value === 'string' && (value.includes('\0') || value.includes(ESCAPE))
    ? value.replace(UNSAFE, (char) => ESCAPE + (char === '\0' ? '0' : '1'))
    : value

export const fromSafeText = <T>(value: T): T | string =>
  typeof value === 'string' && value.includes(ESCAPE)
    ? value.replace(ESCAPED, (_, digit) => (digit === '0' ? '\0' : ESCAPE))
    : value
