import { setTimeout as pause } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { connectBy, type Deadline, left } from './deadline.ts'
import { isBroken } from './store-errors.ts'

/** One transaction: the connection's row holds the token of its last one that was committed. */
export type Mark = { readonly connection: number; readonly token: number }

/** `unknown`: the database could not be asked in time. */
export type Fate = 'undone' | 'unknown' | { readonly answer: string | null }

export type Fates = {
  /** For the next transaction of this connection. */
  next(client: PoolClient, until: Deadline): Promise<Mark>
  of(mark: Mark, until: Deadline): Promise<Fate>
  /** Its own rows, and those that processes left behind that were killed. */
  clear(): Promise<void>
}

/** So often a lost connection's fate is asked for. */
const AGAIN_MS = 50
/** A pool's connection is replaced after a day. */
const PRUNE = "DELETE FROM connections WHERE opened_at < now() - interval '2 days'"

/**
 * What became of a transaction whose connection was lost on the way. Each transaction writes its token into its
 * connection's row; asking sets a bar in that row, so that one which is not committed yet can never be.
 */
export const createFates = (pool: Pool, toText: (text: string) => string): Fates => {
  const rows = new WeakMap<PoolClient, { connection: number; token: number }>()
  const opened = new Set<number>()

  const query = async (text: string, values: readonly (number | readonly number[])[] = []) =>
    (await pool.query(toText(text), [...values])).rows

  /** One connection for both questions; one that falls silent is no later than the others. */
  const askOnce = async ({ connection, token }: Mark, until: Deadline): Promise<Fate> => {
    const client = await connectBy(pool, until)
    let broken = false
    const ask = async (text: string, values: number[]) =>
      (await client.query({ text: toText(text), values, ...left(until) })).rows
    try {
      // It waits for a transaction that is still under way.
      const bar = 'UPDATE connections SET bar = ? WHERE id = ? AND token <> ? RETURNING id'
      if ((await ask(bar, [token, connection, token])).length === 1) return 'undone'
      const [row] = await ask('SELECT answer FROM connections WHERE id = ? AND token = ?', [connection, token])
      return row === undefined ? 'unknown' : { answer: row.answer }
    } catch (reason) {
      broken = isBroken(reason)
      throw reason
    } finally {
      client.release(broken)
    }
  }

  return {
    next: async (client, until) => {
      const known = rows.get(client)
      if (known !== undefined) return { connection: known.connection, token: ++known.token }
      const text = toText('INSERT INTO connections DEFAULT VALUES RETURNING id')
      const made = await client.query({ text, ...left(until) })
      const connection = Number(made.rows[0]?.id)
      opened.add(connection)
      rows.set(client, { connection, token: 1 })
      return { connection, token: 1 }
    },

    of: async (mark, until) => {
      for (; performance.now() < until; await pause(AGAIN_MS)) {
        try {
          return await askOnce(mark, until)
        } catch {
          // The database is away: perhaps not for long.
        }
      }
      return 'unknown'
    },

    clear: async () => {
      if (opened.size === 0) return
      await query(PRUNE)
      await query('DELETE FROM connections WHERE id = ANY(?)', [[...opened]])
    },
  }
}

/** The first statement of a transaction. */
export const writeMark = ({ connection, token }: Mark): string =>
  `UPDATE connections SET token = ${token}, answer = NULL WHERE id = ${connection}`
