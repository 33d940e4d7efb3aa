import { timingSafeEqual } from 'node:crypto'
import { refuse } from '../../core/contract/errors.ts'
import { refusalResponse } from '../../http/envelope-response.ts'
import type { Mount } from '../../http/message.ts'
import { bearerOf, sha256 } from './tokens.ts'

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
      // Each is compared, so that the time reveals nothing.
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
