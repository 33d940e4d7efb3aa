import { timingSafeEqual } from 'node:crypto'
import { refuse } from '../../core/contract/errors.ts'
import type { Clock } from '../../core/protocol/time.ts'
import { refusalResponse } from '../../http/envelope-response.ts'
import type { Mount } from '../../http/message.ts'
import type { HttpServer } from '../../http/server.ts'
import { bearerOf, sha256 } from './tokens.ts'

export type Drain = {
  /** Rejects once the process is about to end. */
  check(): Promise<void>
  /** Drains the server: for `drainMs`, `/readyz` fails while requests are still answered. */
  end(server: HttpServer, drainMs: number): Promise<{ readonly close: () => Promise<void> }>
}

/** Time for requests under way to finish after a drain, so that none fails. */
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

const PLAIN = [
  ['Content-Type', 'text/plain; charset=utf-8'],
  ['Cache-Control', 'no-store'],
] as const

/** For container managers: answers any client as long as requests are answered, and reveals nothing else. */
export const createHealth = (): Mount => ({
  prefix: '/healthz',
  ofProcess: true,
  bodyLimit: () => 0,
  answer: async () => ({ status: 200, headers: PLAIN, body: 'ok\n' }),
})

/** For load balancers. `check` rejects while the store does not answer, and when this process is about to end. */
export const createReadiness = (check: () => Promise<void> = async () => undefined): Mount => ({
  prefix: '/readyz',
  ofProcess: true,
  bodyLimit: () => 0,
  answer: () =>
    check().then(
      () => ({ status: 200, headers: PLAIN, body: 'ready\n' }),
      () => ({ status: 503, headers: PLAIN, body: 'not ready\n' }),
    ),
})

/** For Prometheus, with the metrics token or the bench's. Without any token all access is refused. */
export const createMetricsMount = (
  tokens: readonly (string | undefined)[],
  text: () => string | Promise<string>,
): Mount => {
  const known = tokens.filter((token) => token !== undefined).map(sha256)
  return {
    prefix: '/metrics',
    ofProcess: true,
    bodyLimit: () => 0,
    answer: async ({ headers }) => {
      const given = sha256(bearerOf({ headers }) ?? '')
      // Every token is compared, so that the time reveals nothing.
      const ours = known.filter((token) => timingSafeEqual(token, given)).length > 0
      if (!ours) return refusalResponse(refuse('control_token'))
      return {
        status: 200,
        headers: [
          ['Content-Type', 'text/plain; version=0.0.4; charset=utf-8'],
          ['Cache-Control', 'no-store'],
        ],
        body: await text(),
      }
    },
  }
}
