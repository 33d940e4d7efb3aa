import { isSameScope } from '../core/contract/conditions.ts'
import type { ConditionsState, ControlMessage, ProfileState, RpState } from '../core/contract/control/states.ts'
import type { BenchEvent, EventKind } from '../core/contract/events.ts'
import type { Scope } from '../core/contract/scope.ts'
import type { Body, ControlClient, EventsOptions } from './client.ts'
import { sdkError } from './errors.ts'
import { type LeaseOptions, openLease } from './lease.ts'
import { type Phone, phoneOf } from './phone.ts'
import { createRp, type Rp } from './rp-requests.ts'
import { type EventMatch, type EventOf, lastSeq, type WaitOptions, waitFor } from './wait-for.ts'
import { clockOf, type WorkspaceClock } from './workspace-clock.ts'
import { serviceOf, type WorkspaceService } from './workspace-service.ts'

/** A workspace of the bench, with separate RPs, users, phones, clock and conditions. */
export type Workspace = {
  readonly id: string
  /** The address for RPs. */
  readonly baseUrl: string
  /** The address for phones. */
  readonly appUrl: string
  readonly controlUrl: string
  readonly token: string
  /** PEM of the certificates that clients must trust, if the bench uses https and published them. */
  readonly ca: string | undefined
  /** The whole control interface, typed. */
  readonly client: ControlClient
  readonly clock: WorkspaceClock
  readonly conditions: WorkspaceConditions
  /** Faults of the service towards RPs: docs/service-faults.md. */
  readonly service: WorkspaceService
  readonly profile: {
    /** Changes settings: docs/profile.md. */
    set(settings: Body<'profile.patch'>): Promise<ProfileState['profile']>
    /** To the defaults: all settings, or those that are named. */
    reset(...keys: NonNullable<Body<'profile.reset'>['keys']>): Promise<void>
  }
  /** The RP with this id or RP ID, or else the first one; with an active access key, made if it has none. */
  rp(id?: string): Promise<WorkspaceRp>
  createRp(rp: Body<'rps.create'>): Promise<WorkspaceRp>
  phone(options?: PhoneOptions): Promise<Phone>
  /**
   * The same workspace, for a limited time: phones, service faults and scoped conditions made there are removed when
   * it ends or this process does. Clock, profile, RPs, snapshots, `close` and conditions without a scope are those of
   * the whole workspace.
   */
  lease(options?: LeaseOptions): Promise<Lease>
  /** The state now, to return to. */
  snapshot(name?: string): Promise<Snapshot>
  /** Ends one message as if it had expired; the clock stays. */
  expire(message: string | { readonly msg_id: string }): Promise<ControlMessage>
  /** New events, or those after a number. */
  events(options?: EventsOptions): AsyncGenerator<BenchEvent>
  /** The number of the latest event, for `after`. */
  lastSeq(): Promise<number>
  /** The first event that matches, from now on. Throws WaitError, which lists the events received instead. */
  waitFor<K extends EventKind>(match: EventMatch<K>, options?: WaitOptions): Promise<EventOf<K>>
  /** Removes the workspace and all that is in it. */
  close(): Promise<void>
}

/** Things made here are removed at its end, with all their data; nothing else is. */
export type Lease = Workspace & { end(): Promise<void> }

export type Snapshot = { readonly id: string; restore(): Promise<void>; remove(): Promise<void> }

export const workspaceOf = (
  client: ControlClient,
  about: Pick<Workspace, 'id' | 'baseUrl' | 'appUrl' | 'token' | 'ca'>,
  close: () => Promise<void>,
  own: { readonly lease?: string } = {},
): Workspace => {
  const place = { client, baseUrl: about.baseUrl, ca: about.ca }
  const rp = (id?: string): Promise<WorkspaceRp> => findRp(place, id)
  return {
    ...about,
    controlUrl: client.controlUrl,
    client,
    clock: clockOf(client),
    conditions: conditionsOf(client, own),
    service: serviceOf(client, own),
    profile: {
      set: async (body) => (await client.call('profile.patch', { body })).profile,
      reset: async (...keys) => {
        await client.call('profile.reset', { body: keys.length === 0 ? {} : { keys } })
      },
    },
    rp,
    createRp: async (body) => withKey(place, await client.call('rps.create', { body })),
    phone: (options = {}) => makePhone({ client, rp }, { ...options, ...own }),
    lease: async (options) => {
      const { id, end } = await openLease(client, options)
      return { ...workspaceOf(client, about, close, { lease: id }), end }
    },
    snapshot: async (name) => snapshotOf(client, name),
    expire: (message) => {
      const id = typeof message === 'string' ? message : message.msg_id
      return client.call('messages.expire', { params: { id }, body: {} })
    },
    events: client.events,
    lastSeq: () => lastSeq(client),
    waitFor: (match, options) => waitFor(client, match, options),
    close,
  }
}

const snapshotOf = async (client: ControlClient, name?: string): Promise<Snapshot> => {
  const { id } = await client.call('snapshots.create', { body: name === undefined ? {} : { name } })
  return {
    id,
    restore: async () => void (await client.call('snapshots.restore', { params: { id }, body: {} })),
    remove: async () => void (await client.call('snapshots.delete', { params: { id } })),
  }
}

type WorkspaceConditions = {
  /** Replaces those of its `scope`, or the general ones; unnamed ones are normal. */
  set(conditions: Body<'conditions.put'>): Promise<ConditionsState>
  /** Removes those of one scope, or all; on a lease all that were set through it. */
  clear(scope?: Body<'conditions.put'>['scope']): Promise<void>
}

const conditionsOf = (client: ControlClient, { lease }: { readonly lease?: string }): WorkspaceConditions => {
  const replace = (body: Body<'conditions.put'>) => client.call('conditions.put', { body })
  const clear = async (scope: Scope = {}): Promise<void> =>
    void (await client.call('conditions.delete', { query: scope }))
  if (lease === undefined) return { set: replace, clear }

  let scopes: readonly Scope[] = []
  let forEverybody = false
  const forget = (scope: Scope): void => {
    scopes = scopes.filter((each) => !isSameScope(each, scope))
  }
  return {
    set: async (body) => {
      const { scope } = body
      // The bench has no lease for general conditions.
      const state = await replace(scope === undefined ? body : { lease, ...body })
      if (scope === undefined) {
        forEverybody = true
        return state
      }
      forget(scope)
      scopes = [...scopes, scope]
      return state
    },
    clear: async (scope) => {
      for (const each of scope === undefined ? scopes : [scope]) {
        await clear(each)
        forget(each)
      }
      if (scope !== undefined || !forEverybody) return
      await replace({})
      forEverybody = false
    },
  }
}

/** An RP of a workspace with one of its access keys: settings for your server, and calls that replace it. */
export type WorkspaceRp = Rp &
  Pick<RpState, 'id' | 'name' | 'rp_id' | 'origins'> & {
    readonly baseUrl: string
    readonly accessKeyId: string
    readonly secretKey: string
    /** Removes it with its keys, messages and credentials. */
    remove(): Promise<void>
  }

type Place = { readonly client: ControlClient; readonly baseUrl: string; readonly ca: string | undefined }

/** By its id or its RP ID; the first one when neither is given. */
const findRp = async (place: Place, wanted?: string): Promise<WorkspaceRp> => {
  const { rps } = await place.client.call('rps.list')
  const found = wanted === undefined ? rps[0] : rps.find(({ id, rp_id }) => id === wanted || rp_id === wanted)
  if (found !== undefined) return withKey(place, found)
  const there = rps.map(({ id, rp_id }) => `${rp_id} (${id})`).join(', ') || 'none'
  const which = wanted === undefined ? '' : ` ${JSON.stringify(wanted)}`
  throw sdkError('no_such_rp', `The workspace has no RP${which}. There: ${there}.`)
}

/** With its first active key, or a new one where it has none. */
const withKey = async (place: Place, { id, name, rp_id, origins }: RpState): Promise<WorkspaceRp> => {
  const { client, baseUrl, ca } = place
  const params = { rp: id }
  const { keys } = await client.call('keys.list', { params })
  const active = keys.find(({ state }) => state === 'active')
  const { key, secret } =
    active === undefined
      ? await client.call('keys.create', { params, body: {} })
      : { key: active, ...(await client.call('keys.reveal', { params: { ...params, key: active.id }, body: {} })) }
  const rp = createRp({ baseUrl, ca, accessKeyId: key.id, secretKey: secret })
  const remove = async (): Promise<void> => {
    rp.close()
    await client.call('rps.delete', { params })
  }
  return { ...rp, id, name, rp_id, origins, baseUrl, accessKeyId: key.id, secretKey: secret, remove }
}

export type Passkey = {
  readonly user_id: string
  /** The user_id when absent. */
  readonly username?: string
  /** An RP's id or RP ID; the workspace's first when absent. */
  readonly rp?: string
  readonly storage?: 'chip' | 'cloud'
}

export type PhoneOptions = Partial<Body<'phones.create'>> & {
  /** Registered already when the test begins. */
  readonly passkeys?: readonly Passkey[]
}

/** A new phone, signed in, with its passkeys registered the way a user does it. */
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
