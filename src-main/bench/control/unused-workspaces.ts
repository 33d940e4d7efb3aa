import { MAIN_WORKSPACE } from '../../core/protocol/ids.ts'
import { errorMessage } from '../../core/protocol/message-of.ts'
import type { CancelAlarm, Millis } from '../../core/protocol/time.ts'
import type { LeasesParts } from './leases/lease.ts'

export type WorkspaceLeases = ReturnType<typeof createWorkspaceLeases>

type WorkspaceLease = {
  last: Millis
  users: number
  cancel: CancelAlarm
  /** The workspace is due, but could not be closed yet. */
  failing: boolean
  readonly stopListening: () => void
}

/** The store may be unavailable. */
const RETRY_MS = 2_000

/** Closes workspaces that were unused for the time of their lease. A restart begins each lease again. */
export const createWorkspaceLeases = (parts: Omit<LeasesParts, 'phones' | 'random'>) => {
  const { admin, closeWorkspace, recorder, real, closing, log } = parts
  const leases = new Map<string, WorkspaceLease>()
  const ttlOf = (workspace: string): number | undefined => admin.workspaces.about(workspace).lease_ms

  const forget = (workspace: string): void => {
    const lease = leases.get(workspace)
    leases.delete(workspace)
    lease?.cancel()
    lease?.stopListening()
  }

  const look = async (workspace: string, lease: WorkspaceLease): Promise<void> => {
    const ttl = ttlOf(workspace)
    if (closing.aborted || ttl === undefined || leases.get(workspace) !== lease) return
    const end = lease.users > 0 ? real.now() + ttl : lease.last + ttl
    if (end > real.now()) {
      lease.cancel = real.at(end, () => void look(workspace, lease))
      return
    }
    const { owner } = admin.workspaces.about(workspace)
    const problem = await closeWorkspace(workspace).then(
      (closed) => (closed.ok || closed.error.name === 'not_found' ? undefined : closed.error.name),
      errorMessage,
    )
    if (problem !== undefined) return retryLater(workspace, lease, problem)
    if (leases.get(workspace) === lease) forget(workspace)
    log({ level: 'info', event: 'workspace abandoned', workspace, owner })
    const setting = { kind: 'setting', subject: 'workspace', change: 'expired', id: workspace } as const
    recorder.observe(MAIN_WORKSPACE, { actor: { kind: 'clock' }, ...setting })
  }

  /** Logs only the first of repeated failures. */
  const retryLater = (workspace: string, lease: WorkspaceLease, error: string): void => {
    if (!lease.failing)
      log({ level: 'error', event: 'abandoned workspace not closed', workspace, error, retry_ms: RETRY_MS })
    lease.failing = true
    lease.cancel = real.at(real.now() + RETRY_MS, () => void look(workspace, lease))
  }

  return {
    arm: (workspace: string): void => {
      const users = leases.get(workspace)?.users ?? 0
      forget(workspace)
      const ttl = ttlOf(workspace)
      if (ttl === undefined || workspace === MAIN_WORKSPACE) return
      // An RP's requests count as use, in whichever process they arrive; a phone's own calls do not.
      const stopListening = recorder.listen(
        workspace,
        ({ actor }) => {
          if (actor.kind === 'rp') lease.last = real.now()
        },
        () => forget(workspace),
      )
      const lease: WorkspaceLease = { last: real.now(), users, cancel: () => undefined, failing: false, stopListening }
      leases.set(workspace, lease)
      void look(workspace, lease)
    },
    /** Marks the workspace as used; the returned function ends that. */
    use: (workspace: string): (() => void) => {
      const lease = leases.get(workspace)
      if (lease === undefined) return () => undefined
      lease.users++
      return () => {
        const now = leases.get(workspace) ?? lease
        now.users = Math.max(0, now.users - 1)
        now.last = real.now()
      }
    },
    /** The time at which an unused workspace is closed; null while it is used; undefined without a lease. */
    expiresAt: (workspace: string): Millis | null | undefined => {
      const lease = leases.get(workspace)
      const ttl = ttlOf(workspace)
      if (lease === undefined || ttl === undefined) return undefined
      return lease.users > 0 ? null : lease.last + ttl
    },
  }
}
