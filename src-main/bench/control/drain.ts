import { timingSafeEqual } from 'node:crypto'
import { refuse } from '../../core/contract/errors.ts'
import type { Clock } from '../../core/protocol/time.ts'
import { refusalResponse } from '../../http/envelope-response.ts'
import type { Mount, RawResponse } from '../../http/message.ts'
import type { HttpServer } from '../../http/server.ts'
import { readBearer, sha256 } from './tokens.ts'

/** Time for requests under way to finish after a drain, so that none fails. */
const GRACE_MS = 10_000

export const createDrain = (real: Clock, ready: () => Promise<void> = async () => undefined) => {
  let ending = false
  return {
    /** Rejects once the process is about to end. */
    check: async (): Promise<void> => {
      if (ending) throw new Error('this process is about to end')
      await ready()
    },
    /** Drains the server: for `drainMs`, `/readyz` fails while requests are still answered. */
    end: async (server: HttpServer, drainMs: number): Promise<{ readonly close: () => Promise<void> }> => {
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

/** Mount of the whole process, for requests without a body. */
const mountOf = (prefix: string, answer: Mount['answer']): Mount => ({
  prefix,
  answer,
  ofProcess: true,
  bodyLimit: () => 0,
})

const plain = (status: number, body: string): RawResponse => ({ status, headers: PLAIN, body })

/** For container managers: answers any client as long as requests are answered, and reveals nothing else. */
export const createHealthMount = (): Mount => mountOf('/healthz', async () => plain(200, 'ok\n'))

/** For load balancers. `check` rejects while the store does not answer, and when this process is about to end. */
export const createReadinessMount = (check: () => Promise<void> = async () => undefined): Mount =>
  mountOf('/readyz', () =>
    check().then(
      () => plain(200, 'ready\n'),
      () => plain(503, 'not ready\n'),
    ),
  )

/** For Prometheus, with the metrics token or the bench's. Without any token all access is refused. */
export const createMetricsMount = (
  tokens: readonly (string | undefined)[],
  text: () => string | Promise<string>,
): Mount => {
  const known = tokens.filter((token) => token !== undefined).map(sha256)
  return mountOf('/metrics', async ({ headers }) => {
    const given = sha256(readBearer({ headers }) ?? '')
    // Every token is compared, so that the time reveals nothing.
    const ours = known.filter((token) => timingSafeEqual(token, given)).length > 0
    return ours ? { status: 200, headers: METRICS, body: await text() } : refusalResponse(refuse('control_token'))
  })
}

const METRICS = [
  ['Content-Type', 'text/plain; version=0.0.4; charset=utf-8'],
  ['Cache-Control', 'no-store'],
] as const
