import type { Refusal } from '../contract/errors.ts'
import type { Recorder } from '../harness/recorder.ts'
import type { CancelAlarm, Clock } from '../protocol/clock.ts'
import { MAIN_WORKSPACE } from '../protocol/ids.ts'
import type { Log } from '../protocol/log.ts'
import type { Result } from '../protocol/result.ts'
import type { Millis } from '../protocol/time.ts'
import type { Admin } from '../service/admin/admin.ts'

/** Closes workspaces that nobody has used for as long as their lease says. A restart begins each lease anew. */
export type WorkspaceLeases = {
  /** The workspace was opened, or its lease was changed. */
  arm(workspace: string): void
  /** Somebody uses it; the answer says that they have ended. */
  use(workspace: string): () => void
  /** When it is closed unless it is used; null while it is. Undefined: it has no lease. */
  expiresAt(workspace: string): Millis | null | undefined
}

type Lease = { last: Millis; users: number; cancel: CancelAlarm; readonly stopListening: () => void }

export const createWorkspaceLeases = (parts: {
  readonly admin: Admin
  readonly closeWorkspace: (id: string) => Promise<Result<null, Refusal>>
  readonly recorder: Pick<Recorder, 'listen' | 'observe'>
  readonly real: Clock
  readonly closing: AbortSignal
  readonly log: Log
}): WorkspaceLeases => {
  const { admin, closeWorkspace, recorder, real, closing, log } = parts
  const leases = new Map<string, Lease>()
  const ttlOf = (workspace: string): number | undefined => admin.workspaces.about(workspace).lease_ms

  const forget = (workspace: string): void => {
    const lease = leases.get(workspace)
    leases.delete(workspace)
    lease?.cancel()
    lease?.stopListening()
  }

  const look = async (workspace: string, lease: Lease): Promise<void> => {
    const ttl = ttlOf(workspace)
    if (closing.aborted || ttl === undefined || leases.get(workspace) !== lease) return
    const end = lease.users > 0 ? real.now() + ttl : lease.last + ttl
    if (end > real.now()) {
      lease.cancel = real.at(end, () => void look(workspace, lease))
      return
    }
    forget(workspace)
    const { owner } = admin.workspaces.about(workspace)
    const closed = await closeWorkspace(workspace)
    log({ level: 'info', event: 'workspace abandoned', workspace, owner, closed: closed.ok })
    recorder.observe(MAIN_WORKSPACE, {
      actor: { kind: 'clock' },
      kind: 'setting',
      subject: 'workspace',
      change: 'expired',
      id: workspace,
    })
  }

  return {
    arm: (workspace) => {
      const users = leases.get(workspace)?.users ?? 0
      forget(workspace)
      const ttl = ttlOf(workspace)
      if (ttl === undefined || workspace === MAIN_WORKSPACE) return
      // An RP's requests are use, in whichever process they arrive; what a phone does by itself is not.
      const stopListening = recorder.listen(
        workspace,
        ({ actor }) => {
          if (actor.kind === 'rp') lease.last = real.now()
        },
        () => forget(workspace),
      )
      const lease: Lease = { last: real.now(), users, cancel: () => undefined, stopListening }
      leases.set(workspace, lease)
      void look(workspace, lease)
    },
    use: (workspace) => {
      const lease = leases.get(workspace)
      if (lease === undefined) return () => undefined
      lease.users++
      return () => {
        const now = leases.get(workspace) ?? lease
        now.users = Math.max(0, now.users - 1)
        now.last = real.now()
      }
    },
    expiresAt: (workspace) => {
      const lease = leases.get(workspace)
      const ttl = ttlOf(workspace)
      if (lease === undefined || ttl === undefined) return undefined
      return lease.users > 0 ? null : lease.last + ttl
    },
  }
}
