import { isSameScope } from '../../../core/contract/conditions.ts'
import { LEASE_TTL_MS } from '../../../core/contract/control/lease-routes.ts'
import type { Body } from '../../../core/contract/control/routes.ts'
import type { ControlMessage, LeaseState } from '../../../core/contract/control/states.ts'
import { notFound, type Refusal } from '../../../core/contract/errors.ts'
import { keptLeases } from '../../../core/contract/kept-lease.ts'
import type { Scope } from '../../../core/contract/scope.ts'
import { fitsSchema } from '../../../core/contract/validate.ts'
import { makeId } from '../../../core/protocol/ids.ts'
import { errorMessage } from '../../../core/protocol/message-of.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import { createKeyedQueue } from '../../../core/protocol/turns.ts'
import type { Outcome } from '../../../service/admin/admin.ts'
import type { Admin } from '../../../service/admin/create-admin.ts'
import {
  createLeftoverTracker,
  type Lease,
  type LeasesParts,
  type LeftoverTracker,
  newLease,
  type RemovedCounts,
  removeLeased,
  toKeptLease,
  type User,
} from './lease.ts'

export type LeaseRef = { readonly workspace: string; readonly lease: string }

/** Without a lease, an object is made that no lease ends. */
type MaybeLeased = { readonly workspace: string; readonly lease: string | undefined }

export type Leases = ReturnType<typeof createLeases>

type Book = { readonly leases: Map<string, Lease>; readonly reader: LeftoverTracker; readonly stopReading: () => void }

/** Objects that end with the lease they were made with: decision 0029. A call is answered once its change is stored. */
export const createLeases = (parts: LeasesParts) => {
  const { recorder, random, real, closing, log } = parts
  const books = new Map<string, Book>()

  /** Events are read as long as there is a lease. */
  const bookOf = (workspace: string): Book => {
    const known = books.get(workspace)
    if (known !== undefined) return known
    const reader = createLeftoverTracker(() => saveLater(workspace))
    const stopReading = recorder.listen(workspace, reader.take, () => forget(workspace))
    const book: Book = { leases: new Map(), reader, stopReading }
    books.set(workspace, book)
    return book
  }

  const forget = (workspace: string): void => {
    const book = books.get(workspace)
    books.delete(workspace)
    for (const lease of book?.leases.values() ?? []) release(lease)
    saveLater(workspace)
  }

  const save = createLeaseSaver((workspace) => {
    const kept = [...(books.get(workspace)?.leases.values() ?? [])].map(toKeptLease)
    const { documents } = parts.admin
    return kept.length === 0 ? documents.delete(documentOf(workspace)) : documents.set(documentOf(workspace), kept)
  })

  /** For changes that no caller waits for. */
  const saveLater = (workspace: string): void => {
    save(workspace).catch((reason) =>
      log({ level: 'error', event: 'leases not saved', workspace, error: String(reason) }),
    )
  }

  const release = (lease: Lease): void => {
    lease.cancelExpiry?.()
    for (const ended of lease.holders) ended()
    lease.holders.clear()
  }

  const stateOf = ({ id, name, ttlMs, workspace, holders, phones, workspaces }: Lease): LeaseState => ({
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
    // The store may be unavailable: no other code would see this error.
    const why = await end(lease, 'expired').then((ended) => (ended.ok ? undefined : ended.error.name), errorMessage)
    if (why === undefined) return
    log({ level: 'error', event: 'lease not removed', workspace: lease.workspace, error: why })
    armExpiry(lease, Math.max(lease.ttlMs, LEASE_TTL_MS))
  }

  /** Can be called again for the rest after a partial failure. */
  const end = (lease: Lease, change: 'ended' | 'expired'): Outcome<RemovedCounts> => {
    lease.ending ??= remove(lease, change).finally(() => {
      lease.ending = undefined
    })
    return lease.ending
  }

  const remove = async (lease: Lease, change: 'ended' | 'expired'): Outcome<RemovedCounts> => {
    const { workspace, id } = lease
    lease.cancelExpiry?.()
    await Promise.allSettled(lease.making)
    const book = bookOf(workspace)
    const removed = await removeLeased(parts, lease, book.reader)
    if (!removed.ok) return removed
    for (const phone of lease.phones) book.reader.unfollow(phone)
    book.leases.delete(id)
    release(lease)
    if (book.leases.size === 0) {
      book.stopReading()
      books.delete(workspace)
    }
    saveLater(workspace)
    const detail = removed.value
    recorder.observe(workspace, { actor: { kind: 'control' }, kind: 'setting', subject: 'lease', change, id, detail })
    return removed
  }

  /** Called when another caller set the conditions of this scope: they no longer belong to a lease. */
  const disown = (workspace: string, scope: Scope): void => {
    for (const { scopes } of books.get(workspace)?.leases.values() ?? []) {
      const known = scopes.findIndex((own) => isSameScope(own, scope))
      if (known >= 0) scopes.splice(known, 1)
    }
  }

  const make = async <T>(
    { workspace, lease: id }: MaybeLeased,
    run: () => Outcome<T>,
    own: (lease: Lease, made: T) => void,
  ): Outcome<T> => {
    if (id === undefined) return run()
    const found = find({ workspace, lease: id })
    if (!found.ok || found.value.ending !== undefined) return err(notFound('lease', id))
    const lease = found.value
    const made = run().then(async (result) => {
      if (!result.ok) return result
      own(lease, result.value)
      await save(lease.workspace)
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
    /** Restores leases of the previous process, once the phones exist; they expire unless they are held again. */
    restore: async (workspace: string): Promise<void> => {
      const kept = await parts.admin.documents.get(documentOf(workspace))
      if (kept === undefined || !fitsSchema(kept, keptLeases)) return
      const there = new Set((await parts.admin.workspaces.list()).map(({ id }) => id))
      const { leases, reader } = bookOf(workspace)
      for (const each of kept) {
        const workspaces = each.workspaces.filter((id) => there.has(id))
        const lease = newLease(workspace, BEFORE_ALL_EVENTS, { ...each, workspaces })
        leases.set(lease.id, lease)
        for (const phone of lease.phones) {
          reader.follow(phone, lease.traces, parts.phones.get({ workspace, phone })?.device_id)
        }
      }
      await expectUnderWay(parts.admin, { workspace, users: kept.flatMap(({ users }) => users) }, reader)
      // After a restart no stream holds these leases, so they begin to expire.
      for (const lease of leases.values()) armExpiry(lease, lease.ttlMs)
    },
    create: async (
      workspace: string,
      { name = '', ttl_ms = LEASE_TTL_MS }: Body<'leases.create'>,
    ): Promise<LeaseState> => {
      const id = makeId('lease', random.stream(workspace, 'leases', 'id'))
      const lease = newLease(workspace, recorder.lastSeq(workspace), { id, name, ttl_ms })
      bookOf(workspace).leases.set(id, lease)
      // At least LEASE_TTL_MS, because the caller has yet to open its stream.
      armExpiry(lease, Math.max(ttl_ms, LEASE_TTL_MS))
      await save(workspace)
      return stateOf(lease)
    },
    list: (workspace: string): readonly LeaseState[] => [...(books.get(workspace)?.leases.values() ?? [])].map(stateOf),
    get: (ref: LeaseRef): Result<LeaseState, Refusal> => {
      const lease = find(ref)
      return lease.ok ? ok(stateOf(lease.value)) : lease
    },
    /** Holds a lease until the returned function is called; `ended` is called when another caller ends the lease. */
    hold: (ref: LeaseRef, ended: () => void): (() => void) | undefined => {
      const found = find(ref)
      if (!found.ok) return undefined
      const lease = found.value
      lease.holders.add(ended)
      lease.cancelExpiry?.()
      return () => {
        if (lease.holders.delete(ended) && lease.holders.size === 0) armExpiry(lease, lease.ttlMs)
      }
    },
    makePhone: <T extends { readonly id: string; readonly device_id?: string }>(
      ref: MaybeLeased,
      run: () => Outcome<T>,
    ): Outcome<T> =>
      make(ref, run, (lease, { id, device_id }) => {
        lease.phones.add(id)
        books.get(lease.workspace)?.reader.follow(id, lease.traces, device_id)
      }),
    makeWorkspace: (ref: MaybeLeased, run: () => Outcome<string>): Outcome<string> =>
      make(ref, run, (lease, id) => lease.workspaces.add(id)),
    armFault: <T extends { readonly id: string }>(ref: MaybeLeased, run: () => Outcome<T>): Outcome<T> =>
      make(ref, run, (lease, { id }) => lease.faults.add(id)),
    setConditions: <T>({ scope, ...ref }: LeaseRef & { readonly scope: Scope }, run: () => Outcome<T>): Outcome<T> =>
      make(ref, run, (lease) => {
        disown(lease.workspace, scope)
        lease.scopes.push(scope)
      }),
    disown,
    end: async (ref: LeaseRef): Outcome<RemovedCounts> => {
      const lease = find(ref)
      return lease.ok ? end(lease.value, 'ended') : lease
    },
    /** Takes a closed workspace out of leases: its name may be reused. */
    forgetWorkspace: (closed: string): void => {
      for (const [workspace, { leases }] of books) {
        const had = [...leases.values()].filter(({ workspaces }) => workspaces.delete(closed))
        if (had.length > 0) saveLater(workspace)
      }
    },
  }
}

const documentOf = (workspace: string): string => `leases of ${workspace}`

const MAX_MESSAGES = 1000

/** A number before all events: the events of this start are numbered from 1. */
const BEFORE_ALL_EVENTS = -1

/**
 * Reports messages that were under way before the start: bound ones, and sign-ins of these users. A registration that
 * no phone has bound may belong to another test, and expires anyway.
 */
const expectUnderWay = async (
  { messages }: Pick<Admin, 'messages'>,
  { workspace, users }: { readonly workspace: string; readonly users: readonly User[] },
  reader: Pick<LeftoverTracker, 'expect'>,
): Promise<void> => {
  const expect = (found: Result<readonly UnderWay[], Refusal>): void => {
    for (const { id, rp, user_id, kind, device } of found.ok ? found.value : []) {
      const began = kind === 'authentication' ? BEFORE_ALL_EVENTS + 1 : BEFORE_ALL_EVENTS
      reader.expect({ id, rp, user_id, began, ...(device === undefined ? {} : { boundBy: device }) })
    }
  }
  expect(await messages.list(workspace, { state: 'bind', limit: MAX_MESSAGES }))
  for (const user of users) expect(await messages.list(workspace, { ...user, state: 'init', limit: MAX_MESSAGES }))
}

type UnderWay = Pick<ControlMessage, 'id' | 'rp' | 'user_id' | 'kind' | 'device'>

/** Changes during a write share the next write; the promise resolves with the write that includes the change. */
const createLeaseSaver = (write: (workspace: string) => Promise<void>) => {
  const { inTurn } = createKeyedQueue()
  const waiting = new Map<string, Promise<void>>()
  return (workspace: string): Promise<void> => {
    const begin = (): Promise<void> => {
      waiting.delete(workspace)
      return write(workspace)
    }
    const next = waiting.get(workspace) ?? inTurn(workspace, begin)
    waiting.set(workspace, next)
    return next
  }
}
