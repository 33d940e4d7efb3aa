import { hash } from 'node:crypto'
import type { ClientBase, Pool, PoolClient, QueryConfig } from 'pg'
import { isBroken } from './store-errors.ts'

/** How statements are sent: with a name where a connection is our own, so that the database parses and plans each one once. */
export type PreparedStatements = {
  /** Before a connection's first use. */
  readonly greet: (client: ClientBase) => Promise<void>
  /** Now and then, before a connection is used again, its statements are planned again. */
  refresh(client: ClientBase, until: Deadline): Promise<void>
  query(client: ClientBase, text: string, values: unknown[]): QueryConfig
  /** True if the statement was refused for its name, and undone: it may be sent again. */
  isRefusal(reason: unknown): boolean
}

/**
 * A plan is kept no longer: it was made for the size that its tables had, and on an empty table each index is as good as
 * the right one.
 */
const PLANS_MS = 5_000

/**
 * One plan for all values. Each statement has an index, so that reading a whole table is never the better choice.
 * Compiling a plan takes longer than any statement of ours.
 */
const OWN = `SELECT set_config('plan_cache_mode', 'force_generic_plan', false), set_config('enable_seqscan', 'off', false),
  set_config('jit', 'off', false)`

/** The statement's name is unknown, or already taken: there is a pooler after all. */
const POOLED = /^(26000|42P05)$/
/** A migration changed a table, and the statement brings other columns than when it was named. */
const OUTDATED = '0A000'

/**
 * A pooler in transaction mode gives each transaction another connection, which does not know the names. It also shows
 * itself: its clients have process numbers that are not the database's. One that hides is found by its refusals. A name
 * is made of its text, so that no name ever means another statement.
 */
export const createPrepared = (keepMs = PLANS_MS): PreparedStatements => {
  /** With the time of each one's last planning. */
  const own = new WeakMap<ClientBase, number>()
  const names = new Map<string, string>()
  let isPooled = false
  let edition = 0

  return {
    greet: async (client) => {
      try {
        const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
        if (!('processID' in client) || client.processID !== rows[0]?.pid) return
        await client.query(OWN)
        own.set(client, performance.now())
      } catch (reason) {
        // One that knows no such settings is used without names.
        if (isBroken(reason)) throw reason
      }
    },
    refresh: async (client, until) => {
      const planned = own.get(client)
      if (planned === undefined || performance.now() - planned < keepMs) return
      own.set(client, performance.now())
      await client.query({ text: 'DISCARD PLANS', ...left(until) })
    },
    query: (client, text, values) => {
      if (isPooled || !own.has(client)) return { text, values }
      const name = names.get(text) ?? `h${edition}_${hash('sha256', text).slice(0, 40)}`
      names.set(text, name)
      return { name, text, values }
    },
    isRefusal: (reason) => {
      if (!(reason instanceof Error) || !('code' in reason)) return false
      if (POOLED.test(String(reason.code))) isPooled = true
      else if (reason.code !== OUTDATED) return false
      edition += 1
      names.clear()
      return true
    },
  }
}

/** A reading of `performance.now()`. */
export type Deadline = number

/** The remaining time for the driver, to which 0 means no limit. */
export const left = (until: Deadline): { readonly query_timeout: number } => ({
  query_timeout: Math.max(1, Math.ceil(until - performance.now())),
})

/** Rejects when no connection is free by then. One that comes later is released unused. */
export const connectBy = async (pool: Pool, until: Deadline): Promise<PoolClient> => {
  const connecting = pool.connect()
  const late = Promise.withResolvers<never>()
  const refuse = (): void => late.reject(new Error('timeout while waiting for a connection'))
  const timer = setTimeout(refuse, Math.max(0, until - performance.now()))
  try {
    return await Promise.race([connecting, late.promise])
  } catch (reason) {
    connecting.then(
      (client) => client.release(),
      () => undefined,
    )
    throw reason
  } finally {
    clearTimeout(timer)
  }
}
