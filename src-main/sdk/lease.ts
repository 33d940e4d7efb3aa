import { type ControlClient, ControlError } from './client.ts'
import { pause } from './real-time.ts'

export type LeaseOptions = {
  /** For display. */
  readonly name?: string
  /** Time for which the lease outlives this process or a broken connection; 10 s by default. */
  readonly ttlMs?: number
}

const BETWEEN_TRIES_MS = 200

/**
 * An open connection holds the lease: the system closes it with this process, but keeps it while a debugger stops the
 * process. The connection does not keep the process from ending, and is closed with the client.
 */
export const openLease = async (client: ControlClient, { name, ttlMs }: LeaseOptions = {}) => {
  const body = { ...(name === undefined ? {} : { name }), ...(ttlMs === undefined ? {} : { ttl_ms: ttlMs }) }
  const { id } = await client.call('leases.create', { body })
  const ended = new AbortController()
  const { closed } = client
  if (closed?.aborted === true) ended.abort()
  else closed?.addEventListener('abort', () => ended.abort(), { signal: ended.signal })
  void keepHolding(client, id, ended.signal)
  const end = async (): Promise<void> => {
    try {
      await client.call('leases.delete', { params: { id } })
    } catch (error) {
      if (!(error instanceof ControlError) || Math.floor(error.code / 100) !== 404) throw error
    } finally {
      ended.abort()
    }
  }
  return { id, end }
}

/** Never throws: the bench refuses the next use of a lease that is gone. */
const keepHolding = async (client: ControlClient, id: string, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    try {
      await client.hold(id, signal)
    } catch (error) {
      if (error instanceof ControlError) return
    }
    await pause(BETWEEN_TRIES_MS, signal, { keepsProcess: false }).catch(() => undefined)
  }
}
