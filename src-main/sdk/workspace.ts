import { isSameScope } from '../core/contract/conditions.ts'
import type {
  ClockState,
  ConditionsState,
  ControlMessage,
  ProfileState,
  RpState,
} from '../core/contract/control/states.ts'
import { errors } from '../core/contract/errors.ts'
import type { EventKind, EventOf } from '../core/contract/events.ts'
import type { Scope } from '../core/contract/scope.ts'
import type { ServiceFaultName } from '../core/contract/service-faults.ts'
import { type Body, type ControlClient, ControlError, type Data } from './client.ts'
import { sdkError } from './errors.ts'
import { type LeaseOptions, openLease } from './lease.ts'
import { type Phone, phoneOf } from './phone.ts'
import { createRp } from './rp.ts'
import { type EventMatch, lastSeq, type WaitOptions, waitFor } from './wait-for.ts'

/** A workspace of the bench, with separate RPs, users, phones, clock and conditions. */
export type Workspace = Readonly<ReturnType<typeof wholeOf>> & {
  /**
   * The same workspace for a limited time: phones, service faults and scoped conditions made through the lease are
   * removed when it or this process ends. Clock, profile, RPs, snapshots, `close` and conditions without a scope affect
   * the whole workspace.
   */
  lease(options?: LeaseOptions): Promise<Lease>
}

/** Objects made through a lease are removed at its end, with all their data; nothing else is. */
export type Lease = Workspace & { end(): Promise<void> }

type About = {
  readonly id: string
  /** The address for RPs. */
  readonly baseUrl: string
  /** The address for phones. */
  readonly appUrl: string
  readonly token: string
  /** PEM of the certificates that clients must trust, if the bench uses https and published them. */
  readonly ca: string | undefined
}

export const workspaceOf = (client: ControlClient, about: About, close: () => Promise<void>): Workspace => {
  const lease = async (options?: LeaseOptions): Promise<Lease> => {
    const { id, end } = await openLease(client, options)
    return { ...wholeOf(client, about, close, { lease: id }), lease, end }
  }
  return { ...wholeOf(client, about, close), lease }
}

const wholeOf = (
  client: ControlClient,
  about: About,
  close: () => Promise<void>,
  own: { readonly lease?: string } = {},
) => {
  const place = { client, baseUrl: about.baseUrl, ca: about.ca }
  const rp = (id?: string): Promise<WorkspaceRp> => findRp(place, id)
  return {
    ...about,
    controlUrl: client.controlUrl,
    /** The whole control interface, typed. */
    client,
    clock: clockOf(client),
    conditions: conditionsOf(client, own),
    /** Faults of the service towards RPs: docs/service-faults.md. */
    service: createWorkspaceService(client, own),
    profile: {
      /** Changes settings: docs/profile.md. */
      set: async (settings: Body<'profile.patch'>): Promise<ProfileState['profile']> =>
        (await client.call('profile.patch', { body: settings })).profile,
      /** Resets all settings, or the named ones, to their defaults. */
      reset: async (...keys: NonNullable<Body<'profile.reset'>['keys']>): Promise<void> => {
        await client.call('profile.reset', { body: keys.length === 0 ? {} : { keys } })
      },
    },
    /** The RP with this id or RP ID, else the first RP. Creates an access key if none is active. */
    rp,
    createRp: async (rp: Body<'rps.create'>): Promise<WorkspaceRp> =>
      withKey(place, await client.call('rps.create', { body: rp })),
    phone: (options: PhoneOptions = {}): Promise<Phone> => makePhone({ client, rp }, { ...options, ...own }),
    /** Saves the current state, to return to it later. */
    snapshot: (name?: string): Promise<Snapshot> => snapshotOf(client, name),
    /** Expires one message without moving the clock. */
    expire: (message: string | { readonly msg_id: string }): Promise<ControlMessage> => {
      const id = typeof message === 'string' ? message : message.msg_id
      return client.call('messages.expire', { params: { id }, body: {} })
    },
    /** New events, or those after a number. */
    events: client.events,
    /** The number of the latest event, for `after`. */
    lastSeq: (): Promise<number> => lastSeq(client),
    /** The first matching event from now on. Throws WaitError, which lists the events received instead. */
    waitFor: <K extends EventKind>(match: EventMatch<K>, options?: WaitOptions): Promise<EventOf<K>> =>
      waitFor(client, match, options),
    /** Removes the workspace with all its data. */
    close,
  }
}

export type Snapshot = Awaited<ReturnType<typeof snapshotOf>>

const snapshotOf = async (client: ControlClient, name?: string) => {
  const { id } = await client.call('snapshots.create', { body: name === undefined ? {} : { name } })
  return {
    id,
    restore: async (): Promise<void> => void (await client.call('snapshots.restore', { params: { id }, body: {} })),
    remove: async (): Promise<void> => void (await client.call('snapshots.delete', { params: { id } })),
  }
}

type WorkspaceConditions = {
  /** Replaces the conditions of its `scope`, or the general ones; those not named become normal. */
  set(conditions: Body<'conditions.put'>): Promise<ConditionsState>
  /** Removes the conditions of one scope, or all; on a lease, all that were set through it. */
  clear(scope?: Body<'conditions.put'>['scope']): Promise<void>
}

const conditionsOf = (client: ControlClient, { lease }: { readonly lease?: string }): WorkspaceConditions => {
  const replace = (body: Body<'conditions.put'>) => client.call('conditions.put', { body })
  const clear = async (scope: Scope = {}): Promise<void> =>
    void (await client.call('conditions.delete', { query: scope }))
  if (lease === undefined) return { set: replace, clear }

  let scopes: readonly Scope[] = []
  let forEverybody = false
  const without = (scope: Scope): readonly Scope[] => scopes.filter((each) => !isSameScope(each, scope))
  return {
    set: async (body) => {
      const { scope } = body
      // General conditions cannot belong to a lease, so this object removes them itself.
      const state = await replace(scope === undefined ? body : { lease, ...body })
      if (scope === undefined) forEverybody = true
      else scopes = [...without(scope), scope]
      return state
    },
    clear: async (scope) => {
      for (const each of scope === undefined ? scopes : [scope]) {
        await clear(each)
        scopes = without(each)
      }
      if (scope !== undefined || !forEverybody) return
      await replace({})
      forEverybody = false
    },
  }
}

/** An RP of a workspace with one of its access keys: settings for your server, or calls to use instead of a server. */
export type WorkspaceRp = Readonly<Awaited<ReturnType<typeof withKey>>>

type Place = { readonly client: ControlClient; readonly baseUrl: string; readonly ca: string | undefined }

const findRp = async (place: Place, wanted?: string): Promise<WorkspaceRp> => {
  const { rps } = await place.client.call('rps.list')
  const found = wanted === undefined ? rps[0] : rps.find(({ id, rp_id }) => id === wanted || rp_id === wanted)
  if (found !== undefined) return withKey(place, found)
  const there = rps.map(({ id, rp_id }) => `${rp_id} (${id})`).join(', ') || 'none'
  const which = wanted === undefined ? '' : ` ${JSON.stringify(wanted)}`
  throw sdkError('no_such_rp', `The workspace has no RP${which}. There: ${there}.`)
}

const withKey = async (place: Place, { id, name, rp_id, origins }: RpState) => {
  const { client, baseUrl, ca } = place
  const params = { rp: id }
  const { keys } = await client.call('keys.list', { params })
  const active = keys.find(({ state }) => state === 'active')
  const { key, secret } =
    active === undefined
      ? await client.call('keys.create', { params, body: {} })
      : { key: active, ...(await client.call('keys.reveal', { params: { ...params, key: active.id }, body: {} })) }
  const rp = createRp({ baseUrl, ca, accessKeyId: key.id, secretKey: secret })
  return {
    ...rp,
    ...{ id, name, rp_id, origins, baseUrl, accessKeyId: key.id, secretKey: secret },
    /** Removes the RP with its keys, messages and credentials. */
    remove: async (): Promise<void> => {
      rp.close()
      await client.call('rps.delete', { params })
    },
  }
}

export type Passkey = {
  readonly user_id: string
  /** The user_id by default. */
  readonly username?: string
  /** An RP's id or RP ID; the workspace's first when absent. */
  readonly rp?: string
  readonly storage?: 'chip' | 'cloud'
}

export type PhoneOptions = Partial<Body<'phones.create'>> & {
  /** Passkeys that are registered before the test begins. */
  readonly passkeys?: readonly Passkey[]
}

/** A new, signed-in phone with passkeys, which are registered as by a user. */
const makePhone = async (
  place: Pick<Workspace, 'client' | 'rp'>,
  { passkeys = [], name = 'Phone', ...options }: PhoneOptions,
): Promise<Phone> => {
  const phone = phoneOf(place.client, await place.client.call('phones.create', { body: { name, ...options } }))
  try {
    for (const passkey of passkeys) await register(place, phone, passkey)
  } catch (error) {
    await phone.remove()
    throw error
  }
  return phone
}

const register = async (place: Pick<Workspace, 'client' | 'rp'>, phone: Phone, passkey: Passkey): Promise<void> => {
  const { user_id, username = user_id, storage } = passkey
  const rp = await place.rp(passkey.rp)
  try {
    const message = await rp.register({ user_id, username })
    await phone.scan(message.url)
    await phone.approve(storage === undefined ? {} : { storage })
    await message.verified()
  } finally {
    rp.close()
  }
}

/** A workspace's clock: it governs expiry, stored times and delayed actions of phones. */
export type WorkspaceClock = ReturnType<typeof clockOf>

const clockOf = (client: ControlClient) => {
  const put = (body: Body<'clock.put'>): Promise<ClockState> => client.call('clock.put', { body })
  return {
    state: (): Promise<ClockState> => client.call('clock.get'),
    /** Stops the clock, at this time or the current one. */
    freeze: (at?: Date): Promise<ClockState> =>
      put({ frozen: true, ...(at === undefined ? {} : { now: at.getTime() }) }),
    set: (now: Date): Promise<ClockState> => put({ now: now.getTime() }),
    /** Moves the clock forward; everything that is due on the way happens in order. */
    advance: (ms: number): Promise<ClockState> => client.call('clock.advance', { body: { ms } }),
    /** Moves the clock just past the next expiry of a message. */
    toNextExpiry: (): Promise<ClockState> => client.call('clock.advance', { body: { to: 'next-expiry' } }),
    /** Starts the clock. `speed`: workspace seconds for each real second. */
    run: (speed = 1): Promise<ClockState> => put({ frozen: false, speed }),
    /** Returns the clock to real time. */
    reset: (): Promise<ClockState> => put({ real: true }),
  }
}

export type ArmedFault = Data<'service.arm'> & { disarm(): Promise<void> }

/** Arms and disarms faults of a workspace's service. */
export type WorkspaceService = ReturnType<typeof createWorkspaceService>

const createWorkspaceService = (client: ControlClient, own: { readonly lease?: string }) => {
  const armedHere = new Set<string>()
  return {
    /** Applies once, to any user, unless set otherwise: `arm('user-of-another', {scope: {user_id: 'u-1'}})`. */
    arm: async (fault: ServiceFaultName, how: Omit<Body<'service.arm'>, 'fault'> = {}): Promise<ArmedFault> => {
      const armed = await client.call('service.arm', { body: { ...own, ...how, fault } })
      armedHere.add(armed.id)
      return { ...armed, disarm: () => disarm(client, armed.id) }
    },
    /** Disarms all faults; on a lease, all that were armed through it. */
    disarm: async (): Promise<void> => {
      if (own.lease === undefined) return void (await client.call('service.disarm-all'))
      for (const id of armedHere) {
        await disarm(client, id)
        armedHere.delete(id)
      }
    },
    /** All armed faults, including those of other clients. */
    armed: async (): Promise<Data<'service.faults'>['faults']> => (await client.call('service.faults')).faults,
  }
}

/** Ignores the refusal for a fault that is used up: it is already disarmed. */
const disarm = async (client: ControlClient, id: string): Promise<void> => {
  try {
    await client.call('service.disarm', { params: { id } })
  } catch (error) {
    if (!(error instanceof ControlError) || error.code !== errors.not_found.code) throw error
  }
}
