import { type Refusal, refuse } from '../../contract/errors.ts'
import type { Clock } from '../../protocol/clock.ts'

const MINUTE = 60_000

export type RateLimit = {
  /** Counts a request of this key; a refusal when it is one too many. A limit of 0 is none. */
  check(workspace: string, accessKeyId: string, perMinute: number): Refusal | undefined
}

/** Whole minutes of real time, in memory: it is a courtesy to test clients against, no protection. */
export const createRateLimit = (wall: Clock): RateLimit => {
  let minute = 0
  const counts = new Map<string, number>()
  return {
    check: (workspace, accessKeyId, perMinute) => {
      if (perMinute === 0) return undefined
      const now = wall.now()
      if (Math.floor(now / MINUTE) !== minute) {
        minute = Math.floor(now / MINUTE)
        counts.clear()
      }
      const key = `${workspace} ${accessKeyId}`
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      if (count <= perMinute) return undefined
      const wait = Math.ceil(((minute + 1) * MINUTE - now) / 1000)
      const headers = { 'Retry-After': String(wait) }
      return refuse('too_many_requests', { code: 'requests_per_minute', params: { count: perMinute } }, { headers })
    },
  }
}
