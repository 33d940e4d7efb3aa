import { timingSafeEqual } from 'node:crypto'
import { refuse } from '../../core/contract/errors.ts'
import type { Clock } from '../../core/protocol/time.ts'
import { refusalResponse } from '../../http/envelope-response.ts'
import type { Mount, RawResponse } from '../../http/message.ts'
import type { HttpServer } from '../../http/server.ts'
import { readBearer, sha256 } from './tokens.ts'

/** Time for requests under way to finish after a drain, so that none fails. */
const GRACE_MS = 10_000

type Process = {
  readonly real: Clock
  /** Rejects while the store does not answer. */
  readonly ready: (() => Promise<void>) | undefined
  /** Tokens with which Prometheus may read the metrics; without any token all access is refused. */
  readonly tokens: readonly (string | undefined)[]
  readonly metrics: () => Promise<string>
}

/** Health checks and metrics of this process, and its orderly end. */
export const createDrain = ({ real, ready, tokens, metrics }: Process) => {
  let ending = false
  const known = tokens.filter((token) => token !== undefined).map(sha256)
  return {
    mounts: [
      // For container managers: answers any client as long as requests are answered, and reveals nothing else.
      processMount('/healthz', async () => plain(200, 'ok\n')),
      // For load balancers.
      processMount('/readyz', async () => {
        const isReady = !ending && (await Promise.allSettled([ready?.()]))[0].status === 'fulfilled'
        return isReady ? plain(200, 'ready\n') : plain(503, 'not ready\n')
      }),
      processMount('/metrics', async ({ headers }) => {
        const given = sha256(readBearer({ headers }) ?? '')
        // Every token is compared, so that the time reveals nothing.
        const ours = known.filter((token) => timingSafeEqual(token, given)).length > 0
        if (!ours) return refusalResponse(refuse('control_token'))
        return plain(200, await metrics(), 'text/plain; version=0.0.4; charset=utf-8')
      }),
    ],
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

/** A mount that belongs to the whole process, for requests without a body. */
export const processMount = (prefix: string, answer: Mount['answer']): Mount => ({
  prefix,
  answer,
  ofProcess: true,
  bodyLimit: () => 0,
})

const plain = (status: number, body: string, type = 'text/plain; charset=utf-8'): RawResponse => ({
  status,
  headers: [
    ['Content-Type', type],
    ['Cache-Control', 'no-store'],
  ],
  body,
})
