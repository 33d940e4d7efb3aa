import type { LeaseState } from '../../../core/contract/control/states.ts'
import type { Refusal } from '../../../core/contract/errors.ts'
import type { KeptLease } from '../../../core/contract/kept-lease.ts'
import type { Result } from '../../../core/protocol/result.ts'
import type { CancelAlarm } from '../../../core/protocol/time.ts'
import { noTraces, userKey } from './lease-traces.ts'
import type { Leased, Removed } from './remove-leased.ts'

export type Lease = Leased & {
  readonly id: string
  readonly name: string
  readonly ttlMs: number
  readonly holders: Set<() => void>
  /** Creations in progress. */
  readonly making: Set<Promise<unknown>>
  cancelExpiry?: CancelAlarm | undefined
  ending?: Promise<Result<Removed, Refusal>> | undefined
}

export type NewLease = Pick<Lease, 'id' | 'name' | 'ttlMs' | 'workspace' | 'after'>

export const newLease = (about: NewLease): Lease => ({
  ...about,
  phones: new Set(),
  workspaces: new Set(),
  faults: new Set(),
  scopes: [],
  traces: noTraces(),
  holders: new Set(),
  making: new Set(),
})

export const leaseState = (
  { id, name, ttlMs, holders, phones, workspaces }: Lease,
  isThere: (phone: string) => boolean,
): LeaseState => ({
  id,
  name,
  ttl_ms: ttlMs,
  held: holders.size > 0,
  phones: [...phones].filter(isThere),
  workspaces: [...workspaces],
})

export const keptOf = ({ id, name, ttlMs, phones, workspaces, faults, scopes, traces }: Lease): KeptLease => ({
  id,
  name,
  ttl_ms: ttlMs,
  phones: [...phones],
  workspaces: [...workspaces],
  faults: [...faults],
  scopes: [...scopes],
  devices: [...traces.devices],
  accounts: [...traces.accounts],
  users: [...traces.users.values()],
})

/** Before all events: those of this start have numbers from 1. */
export const BEFORE_ALL = -1

export const leaseOf = (workspace: string, kept: KeptLease): Lease => ({
  ...newLease({ id: kept.id, name: kept.name, ttlMs: kept.ttl_ms, workspace, after: BEFORE_ALL }),
  phones: new Set(kept.phones),
  workspaces: new Set(kept.workspaces),
  faults: new Set(kept.faults),
  scopes: [...kept.scopes],
  traces: {
    devices: new Set(kept.devices),
    accounts: new Set(kept.accounts),
    users: new Map(kept.users.map((user) => [userKey(user), user])),
  },
})
