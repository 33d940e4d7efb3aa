import type { BenchEvent } from '../../../core/contract/events.ts'
import type { KeptLease } from '../../../core/contract/kept-lease.ts'
import { isFinal } from '../../../core/protocol/message-state.ts'

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

export const userKey = ({ rp, user_id }: User): string => JSON.stringify([rp, user_id])

export type Leftovers = ReturnType<typeof leftoversOf>

export const leftoversOf = ({ devices, accounts, users }: Partial<KeptLease>) => ({
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

  const recordMessage = (event: Extract<BenchEvent, { kind: 'message' }>): void => {
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
