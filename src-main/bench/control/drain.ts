import type { Clock } from '../../core/protocol/clock.ts'
import type { HttpServer } from '../../http/server.ts'

export type Drain = {
  /** Rejects once the process is about to end. */
  check(): Promise<void>
  /** How the server ends: `/readyz` says no, and for so long requests are answered as before. */
  end(server: HttpServer, drainMs: number): Promise<{ readonly close: () => Promise<void> }>
}

/** Requests under way have this long to finish after a drain. A drain should fail no request. */
const GRACE_MS = 10_000

export const createDrain = (real: Clock, ready: () => Promise<void> = async () => undefined): Drain => {
  let ending = false
  return {
    check: async () => {
      if (ending) throw new Error('this process is about to end')
      await ready()
    },
    end: async (server, drainMs) => {
      ending = true
      if (drainMs === 0) return { close: () => server.close() }
      server.drain()
      await new Promise<void>((resolve) => void real.at(real.now() + drainMs, resolve))
      return { close: () => server.close(GRACE_MS) }
    },
  }
}
