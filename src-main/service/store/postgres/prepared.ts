import { hash } from 'node:crypto'
import type { ClientBase, Pool, PoolClient, QueryConfig } from 'pg'
import { isConnectionBroken } from './store-errors.ts'

/**
 * Longest use of a plan. A plan depends on the size of its tables when it was made: on an empty table, a wrong index
 * seems as good as the right one.
 */
const PLANS_MS = 5_000

/**
 * One plan for all values. Each statement has an index, so that reading a whole table is never the better choice.
 * Compiling a plan takes longer than any statement of ours.
 */
const OWN = `SELECT set_config('plan_cache_mode', 'force_generic_plan', false), set_config('enable_seqscan', 'off', false),
  set_config('jit', 'off', false)`

/** The statement's name is unknown or already taken, so there is a pooler. */
const POOLED = /^(26000|42P05)$/
/** A migration changed a table, so the statement returns other columns than when it was prepared. */
const OUTDATED = '0A000'

export type PreparedStatements = ReturnType<typeof createPrepared>

/**
 * Names statements on connections without a pooler, so that the database parses and plans each one once.
 *
 * A pooler in transaction mode gives each transaction another connection, which does not know the names. Most poolers
 * are detected because they report process ids that are not the database's; others by their refusals. A name is derived
 * from the statement's text, so that no name ever means another statement.
 */
export const createPrepared = (keepMs = PLANS_MS) => {
  /** Connections without a pooler, with the time of their last planning. */
  const own = new WeakMap<ClientBase, number>()
  const names = new Map<string, string>()
  let isPooled = false
  let edition = 0

  return {
    /** Called before a connection's first use. */
    greet: async (client: ClientBase): Promise<void> => {
      try {
        const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
        if (!('processID' in client) || client.processID !== rows[0]?.pid) return
        await client.query(OWN)
        own.set(client, performance.now())
      } catch (reason) {
        // A connection without these settings is used without names.
        if (isConnectionBroken(reason)) throw reason
      }
    },
    /** Called before a connection is used again; sometimes discards its plans, so that statements are planned again. */
    refresh: async (client: ClientBase, until: Deadline): Promise<void> => {
      const planned = own.get(client)
      if (planned === undefined || performance.now() - planned < keepMs) return
      own.set(client, performance.now())
      await client.query({ text: 'DISCARD PLANS', ...remainingTimeout(until) })
    },
    query: (client: ClientBase, text: string, values: unknown[]): QueryConfig => {
      if (isPooled || !own.has(client)) return { text, values }
      const name = names.get(text) ?? `h${edition}_${hash('sha256', text).slice(0, 40)}`
      names.set(text, name)
      return { name, text, values }
    },
    /** True if the statement was refused for its name, and undone: it may be sent again. */
    isRefusal: (reason: unknown): boolean => {
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

/** The remaining time as the driver's timeout; at least 1, since 0 would mean no limit. */
export const remainingTimeout = (until: Deadline): { readonly query_timeout: number } => ({
  query_timeout: Math.max(1, Math.ceil(until - performance.now())),
})

/** Rejects if no connection is free by the deadline. A connection that comes later is released unused. */
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
