import { LEASE_TTL_MS } from '../../contract/control/lease-routes.ts'
import type { Body } from '../../contract/control/routes.ts'
import type { LeaseState } from '../../contract/control/states.ts'
import { notFound, type Refusal } from '../../contract/errors.ts'
import type { BenchRandom } from '../../harness/random.ts'
import type { Recorder } from '../../harness/recorder.ts'
import type { CancelAlarm, Clock } from '../../protocol/clock.ts'
import { makeId } from '../../protocol/ids.ts'
import type { Log } from '../../protocol/log.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { createTraceReader, noTraces, type TraceReader } from './lease-traces.ts'
import { type Leased, type Removed, type RemovingParts, removeLeased } from './remove-leased.ts'

export type LeaseRef = { readonly workspace: string; readonly lease: string }

type Outcome<T> = Promise<Result<T, Refusal>>

/** Who made what, so that it goes with them: decision 0029. In memory, as those are who make it. */
export type Leases = {
  create(workspace: string, wanted: Body<'leases.create'>): LeaseState
  list(workspace: string): readonly LeaseState[]
  get(ref: LeaseRef): Result<LeaseState, Refusal>
  /** It does not expire until the answer is called; `ended` is called when somebody ends it. */
  hold(ref: LeaseRef, ended: () => void): (() => void) | undefined
  /** Makes a phone that goes with the lease. */
  makePhone<T extends { readonly id: string; readonly device_id?: string }>(
    ref: LeaseRef,
    make: () => Outcome<T>,
  ): Outcome<T>
  makeWorkspace(ref: LeaseRef, make: () => Outcome<string>): Outcome<string>
  end(ref: LeaseRef): Outcome<Removed>
}

export type LeasesParts = RemovingParts & {
  readonly recorder: Pick<Recorder, 'listen' | 'lastSeq' | 'observe'>
  readonly random: Pick<BenchRandom, 'stream'>
  readonly real: Clock
  readonly closing: AbortSignal
  readonly log: Log
}

type Lease = Leased & {
  readonly id: string
  readonly name: string
  readonly ttlMs: number
  readonly phones: Set<string>
  readonly workspaces: Set<string>
  readonly holders: Set<() => void>
  /** Phones and workspaces that are being made. */
  readonly making: Set<Promise<unknown>>
  cancelExpiry?: CancelAlarm | undefined
  ending?: Outcome<Removed> | undefined
}

/** Of one workspace. */
type Book = { readonly leases: Map<string, Lease>; readonly reader: TraceReader; readonly stopReading: () => void }

export const createLeases = (parts: LeasesParts): Leases => {
  const { recorder, random, real, closing, log } = parts
  const books = new Map<string, Book>()

  /** Events are read as long as there is a lease. */
  const bookOf = (workspace: string): Book => {
    const known = books.get(workspace)
    if (known !== undefined) return known
    const reader = createTraceReader()
    const stopReading = recorder.listen(workspace, reader.hear, () => forget(workspace))
    const book: Book = { leases: new Map(), reader, stopReading }
    books.set(workspace, book)
    return book
  }

  const forget = (workspace: string): void => {
    const { leases } = books.get(workspace) ?? { leases: new Map<string, Lease>() }
    books.delete(workspace)
    for (const lease of leases.values()) release(lease)
  }

  const release = (lease: Lease): void => {
    lease.cancelExpiry?.()
    for (const ended of lease.holders) ended()
    lease.holders.clear()
  }

  const stateOf = ({ workspace, id, name, ttlMs, holders, phones, workspaces }: Lease): LeaseState => ({
    id,
    name,
    ttl_ms: ttlMs,
    held: holders.size > 0,
    phones: [...phones].filter((phone) => parts.phones.get({ workspace, phone }) !== undefined),
    workspaces: [...workspaces],
  })

  const find = ({ workspace, lease: id }: LeaseRef): Result<Lease, Refusal> => {
    const lease = books.get(workspace)?.leases.get(id)
    return lease === undefined ? err(notFound('lease', id)) : ok(lease)
  }

  const armExpiry = (lease: Lease, ms: number): void => {
    lease.cancelExpiry?.()
    lease.cancelExpiry = real.at(real.now() + ms, () => void expire(lease))
  }

  const expire = async (lease: Lease): Promise<void> => {
    if (closing.aborted) return
    const ended = await end(lease, 'expired')
    if (ended.ok) return
    log({ level: 'error', event: 'lease not removed', workspace: lease.workspace, code: ended.error.name })
    armExpiry(lease, Math.max(lease.ttlMs, LEASE_TTL_MS))
  }

  const end = (lease: Lease, change: 'ended' | 'expired'): Outcome<Removed> => {
    lease.ending ??= remove(lease, change)
    return lease.ending
  }

  const remove = async (lease: Lease, change: 'ended' | 'expired'): Outcome<Removed> => {
    const { workspace, id } = lease
    lease.cancelExpiry?.()
    await Promise.allSettled(lease.making)
    const book = bookOf(workspace)
    const removed = await removeLeased(parts, lease, book.reader)
    if (!removed.ok) {
      lease.ending = undefined
      return removed
    }
    for (const phone of lease.phones) book.reader.unfollow(phone)
    book.leases.delete(id)
    release(lease)
    if (book.leases.size === 0) {
      book.stopReading()
      books.delete(workspace)
    }
    const detail = removed.value
    recorder.observe(workspace, { actor: { kind: 'control' }, kind: 'setting', subject: 'lease', change, id, detail })
    return removed
  }

  const make = async <T>({ ref, run, own }: Making<T>): Outcome<T> => {
    const found = find(ref)
    if (!found.ok || found.value.ending !== undefined) return err(notFound('lease', ref.lease))
    const lease = found.value
    const made = run().then((result) => {
      if (result.ok) own(lease, result.value)
      return result
    })
    lease.making.add(made)
    try {
      return await made
    } finally {
      lease.making.delete(made)
    }
  }

  return {
    create: (workspace, { name = '', ttl_ms: ttlMs = LEASE_TTL_MS }) => {
      const id = makeId('lease', random.stream(workspace, 'leases', 'id'))
      const after = recorder.lastSeq(workspace)
      const sets = { phones: new Set<string>(), workspaces: new Set<string>(), traces: noTraces() }
      const lease: Lease = { id, name, ttlMs, workspace, after, ...sets, holders: new Set(), making: new Set() }
      bookOf(workspace).leases.set(id, lease)
      // Whoever made it opens its stream a moment later.
      armExpiry(lease, Math.max(ttlMs, LEASE_TTL_MS))
      return stateOf(lease)
    },
    list: (workspace) => [...(books.get(workspace)?.leases.values() ?? [])].map(stateOf),
    get: (ref) => {
      const lease = find(ref)
      return lease.ok ? ok(stateOf(lease.value)) : lease
    },
    hold: (ref, ended) => {
      const found = find(ref)
      if (!found.ok) return undefined
      const lease = found.value
      lease.holders.add(ended)
      lease.cancelExpiry?.()
      return () => {
        if (lease.holders.delete(ended) && lease.holders.size === 0) armExpiry(lease, lease.ttlMs)
      }
    },
    makePhone: (ref, run) =>
      make({
        ref,
        run,
        own: (lease, { id, device_id }) => {
          lease.phones.add(id)
          books.get(lease.workspace)?.reader.follow(id, lease.traces, device_id)
        },
      }),
    makeWorkspace: (ref, run) => make({ ref, run, own: (lease, id) => lease.workspaces.add(id) }),
    end: async (ref) => {
      const lease = find(ref)
      return lease.ok ? end(lease.value, 'ended') : lease
    },
  }
}

type Making<T> = {
  readonly ref: LeaseRef
  readonly run: () => Outcome<T>
  readonly own: (lease: Lease, made: T) => void
}
