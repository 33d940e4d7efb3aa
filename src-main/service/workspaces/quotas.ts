import type { Quota } from '../../core/contract/control/workspace-about.ts'
import { quotaReached, type Refusal } from '../../core/contract/errors.ts'
import { err, type Result } from '../../core/protocol/result.ts'
import type { Services } from '../services.ts'
import type { Counts, WorkspaceExport } from '../store/store.ts'

type Quotas = Pick<Services, 'settings' | 'store' | 'timers' | 'turns'>

/**
 * Makes what a quota counts: one after the other, so that each counts those before it. Without a quota nothing waits and
 * nothing is counted. Processes that share a store count separately: each may make one too many.
 */
export const withinQuota = async <T>(
  services: Quotas,
  { workspace, counts }: { readonly workspace: string; readonly counts: readonly ('credentials' | 'messages')[] },
  make: () => Promise<Result<T, Refusal>>,
): Promise<Result<T, Refusal>> => {
  const { settings, store, timers, turns } = services
  const quota = settings.about(workspace).quota ?? {}
  if (counts.every((of) => quota[of] === undefined)) return make()
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

/** Why a workspace with this quota cannot take over these rows. */
export const beyondQuota = (quota: Quota, tables: WorkspaceExport['tables']): Refusal | undefined => {
  const there = {
    credentials: tables.credentials?.length ?? 0,
    messages: (tables.messages ?? []).filter(({ state }) => state === 'init' || state === 'bind').length,
  }
  for (const name of ['credentials', 'messages'] as const) {
    const limit = quota[name]
    if (limit !== undefined && there[name] > limit) return quotaReached(name, limit)
  }
  return undefined
}
