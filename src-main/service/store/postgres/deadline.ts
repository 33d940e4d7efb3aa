import type { Pool, PoolClient } from 'pg'

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
