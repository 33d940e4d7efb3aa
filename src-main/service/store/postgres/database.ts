import type { Pool, PoolClient } from 'pg'
import { StoreUnavailable } from '../../../protocol/store-unavailable.ts'
import type { PoolFigures } from '../shared-store.ts'
import { createFates, type Mark, writeMark } from './fates.ts'
import { withKeptAnswer } from './kept-answer.ts'
import { createPrepared } from './prepared.ts'
import { fromSafeText, toSafeText } from './safe-text.ts'
import { isBroken, isCertainlyUndone, toStoreError } from './store-errors.ts'

export type Bound = string | number | null | readonly string[]
export type Row = Readonly<Record<string, unknown>>
export type Answer = { readonly rows: readonly Row[]; readonly changes: number }
export type Ask = (text: string, values?: readonly Bound[]) => Promise<Answer>

export type Database = {
  /** One statement, which is its own transaction. */
  readonly ask: Ask
  /** Several statements, all or none of them. Begun again when it stood in another one's way. */
  transaction<T>(work: (ask: Ask) => Promise<T>): Promise<T>
  /** Its connections. */
  pool(): PoolFigures
  /** Several statements that read, all at one moment. */
  view<T>(work: (ask: Ask) => Promise<T>): Promise<T>
  /** A transaction before there is a table to look up its fate in. */
  migrate<T>(work: (ask: Ask) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** A transaction that the database ended because of another one, or that was lost undone, is tried so often. */
const TRIES = 5
/** Nothing is tried again later than this. What became of a write is asked a little longer. */
const PATIENCE_MS = 5_000
const LAST_QUESTION_MS = 1_000

/** The connection went, and nothing was done. */
class Undone extends StoreUnavailable {}
/** The connection went. */
class Lost extends Error {
  readonly mark: Mark
  readonly reason: unknown
  readonly begun: number
  constructor(mark: Mark, { reason, begun }: { readonly reason: unknown; readonly begun: number }) {
    super()
    this.begun = begun
    this.mark = mark
    this.reason = reason
  }
}

export const createDatabase = (pool: Pool, toText: (text: string) => string, prepared = createPrepared()): Database => {
  const fates = createFates(pool, toText)

  const connect = async (): Promise<PoolClient> => {
    try {
      return await pool.connect()
    } catch (reason) {
      throw toStoreError(reason, { sent: false })
    }
  }

  const askOn =
    (client: PoolClient): Ask =>
    async (text, values = []) => {
      const { rows, rowCount } = await client.query<Row>(prepared.query(client, toText(text), values.map(toSafeText)))
      return { rows: rows.map(readRow), changes: rowCount ?? 0 }
    }

  const withClient = async <T>(work: (client: PoolClient) => Promise<T>): Promise<T> => {
    const client = await connect()
    let broken = false
    try {
      await prepared.refresh(client).catch((reason) => {
        throw undone(reason)
      })
      return await work(client)
    } catch (reason) {
      broken = reason instanceof Lost || isBroken(reason)
      throw reason
    } finally {
      client.release(broken)
    }
  }

  const again = async <T>(work: () => Promise<T>): Promise<T> => {
    const until = performance.now() + PATIENCE_MS
    for (let left = TRIES - 1; ; left--) {
      try {
        return await work()
      } catch (reason) {
        const mayGoWell = reason instanceof Undone || stoodInTheWay(reason) || prepared.isRefusal(reason)
        if (left === 0 || performance.now() > until || !mayGoWell) throw reason
      }
    }
  }

  /** Of what a lost connection had on its way: what it brought, or a refusal that says whether it was done. */
  const lookUp = async <T>({ mark, reason, begun }: Lost, read: (answer: string | null) => T): Promise<T> => {
    const { message } = toStoreError(reason, { sent: true })
    const fate = await fates.of(mark, Math.max(begun + PATIENCE_MS, performance.now() + LAST_QUESTION_MS))
    if (fate === 'undone') throw new Undone(message, false)
    if (fate === 'unknown') throw new StoreUnavailable(message, true)
    return read(fate.answer)
  }

  /** A statement that only reads, or a part of what is not committed yet: when its connection goes, nothing is done. */
  const undone = (reason: unknown): Error =>
    isBroken(reason) && !isCertainlyUndone(reason) && !(reason instanceof StoreUnavailable)
      ? new Undone(toStoreError(reason, { sent: false }).message, false)
      : toStoreError(reason, { sent: false })

  const read: Ask = (text, values) =>
    withClient((client) =>
      askOn(client)(text, values).catch((reason) => {
        throw undone(reason)
      }),
    )

  const write = async (text: string, values: readonly Bound[] = []): Promise<Answer> => {
    const kept = withKeptAnswer(text)
    if (kept === null) return read(text, values)
    const answerOf = (rows: readonly Row[]): Answer =>
      kept.answers === 'rows' ? { rows, changes: rows.length } : { rows: [], changes: Number(rows[0]?.changes) }
    try {
      return await withClient(async (client) => {
        const mark = await fates.next(client).catch((reason) => {
          throw undone(reason)
        })
        const begun = performance.now()
        try {
          return answerOf((await askOn(client)(kept.text, [...values, mark.token, mark.connection])).rows)
        } catch (reason) {
          throw isBroken(reason) && !isCertainlyUndone(reason)
            ? new Lost(mark, { reason, begun })
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

  const inTransaction = async <T>(begin: Begin, work: (ask: Ask) => Promise<T>): Promise<T> => {
    let value: T | undefined
    try {
      return await withClient(async (client) => {
        let committing: Mark | undefined
        const begun = performance.now()
        try {
          const mark = begin.marked ? await fates.next(client) : undefined
          await client.query(toText(mark === undefined ? begin.text : `${begin.text}; ${writeMark(mark)}`))
          const done = await work(askOn(client))
          value = done
          committing = mark
          await client.query('COMMIT')
          return done
        } catch (reason) {
          if (!isBroken(reason)) await client.query('ROLLBACK').catch(() => undefined)
          if (committing !== undefined && isBroken(reason)) throw new Lost(committing, { reason, begun })
          throw undone(reason)
        }
      })
    } catch (reason) {
      if (!(reason instanceof Lost)) throw reason
      return lookUp(reason, () => value as T)
    }
  }

  return {
    ask: (text, values) => again(() => write(text, values)),
    transaction: (work) => again(() => inTransaction({ text: 'BEGIN', marked: true }, work)),
    view: (work) => again(() => inTransaction(VIEW, work)),
    migrate: (work) => again(() => inTransaction({ text: 'BEGIN', marked: false }, work)),
    pool: () => ({
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

type Begin = { readonly text: string; readonly marked: boolean }
const VIEW: Begin = { text: 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY', marked: false }
const SENT = { sent: true }

const readRow = (row: Row): Row => {
  for (const value of Object.values(row)) {
    if (fromSafeText(value) !== value)
      return Object.fromEntries(Object.entries(row).map(([column, text]) => [column, fromSafeText(text)]))
  }
  return row
}

/** Serialization failure and deadlock: the database undid it. */
const stoodInTheWay = (reason: unknown): boolean =>
  reason instanceof Error && 'code' in reason && ['40001', '40P01'].includes(String(reason.code))
