import type { Pool, PoolClient } from 'pg'
import { StoreUnavailable } from '../../../protocol/store-unavailable.ts'
import { fromSafeText, toSafeText } from './safe-text.ts'
import { isBroken, toStoreError } from './store-errors.ts'

export type Bound = string | number | null | readonly string[]
export type Row = Readonly<Record<string, unknown>>
export type Answer = { readonly rows: readonly Row[]; readonly changes: number }
export type Ask = (text: string, values?: readonly Bound[]) => Promise<Answer>

export type Database = {
  /** One statement, which is its own transaction. */
  readonly ask: Ask
  /** Several statements, all or none of them. Begun again when it stood in another one's way. */
  transaction<T>(work: (ask: Ask) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** A transaction that the database ended because of another one is tried so often. */
const TRIES = 5

/** Statements have no names: behind a pooler the next one may come to another connection. */
export const createDatabase = (pool: Pool, toText: (text: string) => string): Database => {
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
      const { rows, rowCount } = await client.query<Row>(toText(text), values.map(toSafeText))
      return { rows: rows.map(readRow), changes: rowCount ?? 0 }
    }

  const withClient = async <T>(work: (client: PoolClient) => Promise<T>): Promise<T> => {
    const client = await connect()
    let broken = false
    try {
      return await work(client)
    } catch (reason) {
      broken = isBroken(reason)
      throw toStoreError(reason, { sent: true })
    } finally {
      client.release(broken)
    }
  }

  const again = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let left = TRIES - 1; ; left--) {
      try {
        return await work()
      } catch (reason) {
        if (left === 0 || !stoodInTheWay(reason)) throw reason
      }
    }
  }

  return {
    ask: (text, values) => again(() => withClient((client) => askOn(client)(text, values))),
    transaction: (work) =>
      again(() =>
        withClient(async (client) => {
          let committing = false
          try {
            await client.query('BEGIN')
            const value = await work(askOn(client))
            committing = true
            await client.query('COMMIT')
            return value
          } catch (reason) {
            if (!isBroken(reason)) await client.query('ROLLBACK').catch(() => undefined)
            // What was not committed before the connection went is undone.
            else if (!committing) throw new StoreUnavailable(toStoreError(reason, { sent: false }).message, false)
            throw reason
          }
        }),
      ),
    close: () => pool.end(),
  }
}

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
