import type { Quota, WorkspaceAbout } from '../../core/contract/control/workspace-about.ts'
import { quotaReached, type Refusal, refuse } from '../../core/contract/errors.ts'
import { err, type Result } from '../../core/protocol/result.ts'
import type { Clock } from '../../core/protocol/time.ts'
import type { KeyedQueue } from '../../core/protocol/turns.ts'
import type { Counts, SharedStore, Store, WorkspaceExport } from '../store/store.ts'

const MINUTE = 60_000

export type RateLimit = ReturnType<typeof createRateLimit>

/** Counts in whole minutes of real time, in memory or over all processes: for testing clients, not for protection. */
export const createRateLimit = (wall: Clock, shared?: Pick<SharedStore, 'countRequest'>) => {
  let minute = 0
  const counts = new Map<string, number>()
  return {
    check: (
      workspace: string,
      accessKeyId: string,
      perMinute: number,
    ): Refusal | undefined | Promise<Refusal | undefined> => {
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

type Limited = {
  readonly settings: { about(workspace: string): WorkspaceAbout }
  readonly store: Pick<Store, 'counts'>
  readonly timers: { expireDue(workspace: string): Promise<void> }
  readonly turns: KeyedQueue
}

/**
 * Makes an object that a quota counts, one at a time, so that each count includes the objects before it. Without a
 * quota nothing waits or is counted. Processes that share a store count separately: each may make one too many.
 */
export const withinQuota = async <T>(
  services: Limited,
  { workspace, counts }: { readonly workspace: string; readonly counts: readonly ('credentials' | 'messages')[] },
  make: () => Promise<Result<T, Refusal>>,
): Promise<Result<T, Refusal>> => {
  const { settings, store, timers, turns } = services
  const { quota } = settings.about(workspace)
  if (quota === undefined || counts.every((of) => quota[of] === undefined)) return make()
  return turns.inTurn(workspace, async () => {
    await timers.expireDue(workspace)
    const there = await store.counts(workspace)
    const full = counts.find((of) => there[COUNTED[of]] >= (quota[of] ?? Number.POSITIVE_INFINITY))
    return full === undefined ? make() : err(quotaReached(full, quota[full] ?? 0))
  })
}

const COUNTED = { credentials: 'credentials', messages: 'messages_under_way' } as const satisfies Record<
  string,
  keyof Counts
>

export const quotaRefusal = (quota: Quota, tables: WorkspaceExport['tables']): Refusal | undefined => {
  const there = {
    credentials: tables.credentials?.length ?? 0,
    messages: (tables.messages ?? []).filter(({ state }) => state === 'init' || state === 'bind').length,
  }
  const full = (['credentials', 'messages'] as const).find((of) => there[of] > (quota[of] ?? Number.POSITIVE_INFINITY))
  return full && quotaReached(full, quota[full] ?? 0)
}
