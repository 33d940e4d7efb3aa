import { isSameScope } from '../../../core/contract/conditions.ts'
import { removedCounts } from '../../../core/contract/control/lease-routes.ts'
import { type Refusal, refuse } from '../../../core/contract/errors.ts'
import type { BenchEvent, EventOf } from '../../../core/contract/events.ts'
import type { KeptLease } from '../../../core/contract/kept-lease.ts'
import type { ValueOf } from '../../../core/contract/schema.ts'
import type { Log } from '../../../core/protocol/log.ts'
import { isFinal } from '../../../core/protocol/message-state.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import type { CancelAlarm, Clock } from '../../../core/protocol/time.ts'
import type { PhoneRefusal } from '../../../phones/phone/phone-state.ts'
import type { Phones } from '../../../phones/phone/phones.ts'
import type { Outcome } from '../../../service/admin/admin.ts'
import type { Admin } from '../../../service/admin/create-admin.ts'
import type { BenchRandom } from '../../harness/random.ts'
import type { Recorder } from '../../harness/recorder.ts'

export type Lease = ReturnType<typeof newLease> & {
  cancelExpiry?: CancelAlarm | undefined
  ending?: Outcome<RemovedCounts> | undefined
}

/** `after`: the latest event when the lease began. */
export const newLease = (
  workspace: string,
  after: number,
  kept: Pick<KeptLease, 'id' | 'name' | 'ttl_ms'> & Partial<KeptLease>,
) => ({
  workspace,
  after,
  id: kept.id,
  name: kept.name,
  ttlMs: kept.ttl_ms,
  phones: new Set(kept.phones),
  workspaces: new Set(kept.workspaces),
  faults: new Set(kept.faults),
  scopes: [...(kept.scopes ?? [])],
  traces: leftoversOf(kept),
  holders: new Set<() => void>(),
  making: new Set<Promise<unknown>>(),
})

export const toKeptLease = ({ id, name, ttlMs, phones, workspaces, faults, scopes, traces }: Lease): KeptLease => ({
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

export type RemovedCounts = ValueOf<typeof removedCounts>

export type LeasesParts = {
  readonly admin: Admin
  readonly phones: Phones
  readonly real: Clock
  readonly closeWorkspace: (id: string) => Outcome<null>
  readonly recorder: Pick<Recorder, 'listen' | 'lastSeq' | 'observe'>
  readonly random: Pick<BenchRandom, 'stream'>
  readonly closing: AbortSignal
  readonly log: Log
}

/** Removes only objects made with a lease. A missing object is no error; if one cannot be removed, the others are. */
export const removeLeased = async (
  { admin, phones, closeWorkspace }: LeasesParts,
  leased: Lease,
  reader: Pick<LeftoverTracker, 'asked'>,
): Outcome<RemovedCounts> => {
  const { workspace, traces, after } = leased
  const nothing = Object.keys(removedCounts.properties).map((what) => [what, 0])
  const removed: Record<keyof RemovedCounts, number> = Object.fromEntries(nothing)
  let failure: Refusal | undefined
  const remove = async (what: keyof RemovedCounts, done: Outcome<unknown>): Promise<void> => {
    const result = await done
    if (result.ok) removed[what]++
    else if (!isGone(result.error)) failure ??= result.error
  }
  const endAsked = async (users: readonly User[]): Promise<void> => {
    const asked = reader.asked({ devices: traces.devices, users, after })
    for (const id of asked) await remove('messages', admin.messages.expire(workspace, id))
  }

  for (const id of leased.faults) await remove('faults', admin.faults.disarm(workspace, id))
  const conditions = await admin.conditions.get(workspace)
  const scoped = (conditions.ok && conditions.value.scoped) || []
  for (const { scope } of scoped) {
    if (!leased.scopes.some((own) => isSameScope(own, scope))) continue
    await remove('conditions', admin.conditions.reset(workspace, scope))
  }
  // Messages end before the phones are removed, so that an answer on its way is refused.
  await endAsked([])
  for (const phone of leased.phones) await remove('phones', answered(phones.remove({ workspace, phone })))
  // A phone without a network, or during an outage, cannot sign out itself.
  for (const device of traces.devices) await remove('devices', admin.devices.signOut(workspace, device))
  const unregistered = []
  for (const user of traces.users.values()) {
    const held = await admin.credentials.list(workspace, user)
    if (!held.ok) continue
    const own = held.value.filter(({ device }) => traces.devices.has(device))
    for (const { rp, id } of own) await remove('credentials', admin.credentials.delete(workspace, id, rp))
    if (own.length === held.value.length) unregistered.push(user)
  }
  await endAsked(unregistered)
  for (const account of traces.accounts) await remove('accounts', admin.accounts.delete(workspace, account))
  for (const id of leased.workspaces) await remove('workspaces', closeWorkspace(id))
  return failure === undefined ? ok(removed) : err(failure)
}

/** True if the object was removed, answered or taken over by others in the meantime. */
const isGone = ({ name }: Refusal): boolean => name === 'not_found' || name === 'wrong_state'

/** Returns a phone's result, with its refusal in the form of the control interface. */
export const answered = async <T>(result: Promise<Result<T, PhoneRefusal>>): Outcome<T> => {
  const done = await result
  return done.ok ? done : err(toRefusal(done.error))
}

export const toRefusal = ({ word, reason, code }: PhoneRefusal): Refusal => ({
  ...refuse(word.startsWith('no_such_') ? 'not_found' : 'phone_refused', reason),
  word,
  ...(code === undefined ? {} : { data: { service_code: code } }),
})

export type User = { readonly rp: string; readonly user_id: string }

type Message = User & {
  readonly id: string
  /** The number of the event with which the message began. */
  readonly began: number
  readonly pushedTo: Set<string>
  boundBy?: string
}

type Asked = { readonly devices: ReadonlySet<string>; readonly users: readonly User[]; readonly after: number }

export type LeftoverTracker = ReturnType<typeof createLeftoverTracker>

const userKey = ({ rp, user_id }: User): string => JSON.stringify([rp, user_id])

type Leftovers = ReturnType<typeof leftoversOf>

const leftoversOf = ({ devices, accounts, users }: Partial<KeptLease>) => ({
  devices: new Set(devices),
  accounts: new Set(accounts),
  users: new Map<string, User>(users?.map((user) => [userKey(user), user])),
})

/** Reads a workspace's events as they come: the recorder may have dropped them when a test ends. */
export const createLeftoverTracker = (changed: () => void) => {
  const followed = new Map<string, Leftovers>()
  const byDevice = new Map<string, Leftovers>()
  const newAccounts = new Map<string, string>()
  const underWay = new Map<string, Message>()

  const own = (traces: Leftovers, device: string): void => {
    if (traces.devices.has(device)) return
    traces.devices.add(device)
    byDevice.set(device, traces)
    const account = newAccounts.get(device)
    if (account !== undefined) traces.accounts.add(account)
    newAccounts.delete(device)
    changed()
  }

  const recordMessage = (event: EventOf<'message'>): void => {
    const { msg_id: id, to, rp_id: rp, user_id, device_id, ceremony, seq } = event
    if (isFinal(to)) {
      underWay.delete(id)
      const traces = to === 'success' && ceremony === 'registration' ? byDevice.get(device_id ?? '') : undefined
      if (traces !== undefined) {
        traces.users.set(userKey({ rp, user_id }), { rp, user_id })
        changed()
      }
      return
    }
    const began = event.from === undefined ? seq : 0
    const message: Message = underWay.get(id) ?? { id, rp, user_id, began, pushedTo: new Set() }
    if (device_id !== undefined) message.boundBy = device_id
    underWay.set(id, message)
  }

  return {
    take: (event: BenchEvent): void => {
      if (event.kind === 'message') recordMessage(event)
      else if (event.kind === 'push') underWay.get(event.msg_id)?.pushedTo.add(event.device_id)
      else if (event.kind === 'device') {
        if (event.new_account === true) newAccounts.set(event.device_id, event.account)
        else if (event.change === 'signed_out') newAccounts.delete(event.device_id)
      } else if (event.kind === 'workspace') {
        // Messages under way are gone or replaced, without separate events.
        underWay.clear()
        newAccounts.clear()
      } else if (event.kind === 'phone') {
        const traces = followed.get(event.phone_id)
        const device = event.phone?.device_id
        if (traces !== undefined && device !== undefined) own(traces, device)
      }
    },
    follow: (phone: string, traces: Leftovers, device: string | undefined): void => {
      followed.set(phone, traces)
      // The phone's earlier devices belong to the same lease.
      for (const each of traces.devices) if (!byDevice.has(each)) byDevice.set(each, traces)
      if (device !== undefined) own(traces, device)
    },
    /** Adds a message that began before this reader listened. */
    expect: (message: Omit<Message, 'pushedTo'>) => void underWay.set(message.id, { ...message, pushedTo: new Set() }),
    unfollow: (phone: string): void => {
      for (const device of followed.get(phone)?.devices ?? []) byDevice.delete(device)
      followed.delete(phone)
    },
    /** Messages under way that only these devices can answer, or that began for these users after `after`. */
    asked: ({ devices, users, after }: Asked): string[] =>
      [...underWay.values()]
        .filter(({ boundBy, pushedTo, rp, user_id, began }) => {
          if (boundBy !== undefined) return devices.has(boundBy)
          if (pushedTo.size > 0 && [...pushedTo].every((device) => devices.has(device))) return true
          return began > after && users.some((user) => user.rp === rp && user.user_id === user_id)
        })
        .map(({ id }) => id),
  }
}
