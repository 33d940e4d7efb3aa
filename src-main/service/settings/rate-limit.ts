import { type Refusal, refuse } from '../../core/contract/errors.ts'
import type { Clock } from '../../core/protocol/time.ts'
import type { SharedStore } from '../store/store.ts'

const MINUTE = 60_000

export type RateLimit = {
  /** Counts a request of this key; a refusal when it is one too many. A limit of 0 means no limit. */
  check(workspace: string, accessKeyId: string, perMinute: number): Refusal | undefined | Promise<Refusal | undefined>
}

/** Whole minutes of real time: it is a courtesy to test clients against, no protection. In memory, or of all processes together. */
export const createRateLimit = (wall: Clock, shared?: Pick<SharedStore, 'countRequest'>): RateLimit => {
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
      const judge = (count: number): Refusal | undefined => {
        if (count <= perMinute) return undefined
        const wait = Math.ceil(((minute + 1) * MINUTE - now) / 1000)
        const headers = { 'Retry-After': String(wait) }
        return refuse('too_many_requests', { code: 'requests_per_minute', params: { count: perMinute } }, { headers })
      }
      if (shared !== undefined) return shared.countRequest(workspace, { accessKey: accessKeyId, minute }).then(judge)
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return judge(count)
    },
  }
}
