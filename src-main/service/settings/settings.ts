import { isDeepStrictEqual } from 'node:util'
import { type Conditions, normalConditions } from '../../core/contract/conditions.ts'
import type { ArmedServiceFault } from '../../core/contract/control/service-fault-routes.ts'
import type { WorkspaceAbout } from '../../core/contract/control/workspace-about.ts'
import { type Refusal, refuse } from '../../core/contract/errors.ts'
import { defaultProfile, type Profile } from '../../core/contract/profile.ts'
import { isObject, type JsonObject } from '../../core/protocol/json.ts'
import type { Clock } from '../../core/protocol/time.ts'
import { createTurns } from '../../core/protocol/turns.ts'
import type { SharedStore, Store } from '../store/store.ts'
import {
  ABOUT,
  type ArmedFaults,
  readAbout,
  readConditions,
  readFaults,
  readProfile,
  type SettingName,
} from './read-settings.ts'

/** `known` keeps stored members that only another version knows; `all` replaces everything, as a reset does. */
export type Reach = 'known' | 'all'

/** Profile, conditions and armed faults of every open workspace, in memory: each request reads them. */
export type Settings = {
  profile(workspace: string): Profile
  conditions(workspace: string): Conditions
  faults(workspace: string): readonly ArmedServiceFault[]
  about(workspace: string): WorkspaceAbout
  /** Changes run in turn, each on the result of the one before; in effect once stored, and not before. */
  changeProfile(workspace: string, change: (before: Profile) => Profile, reach?: Reach): Promise<Profile>
  changeConditions(workspace: string, change: (before: Conditions) => Conditions, reach?: Reach): Promise<Conditions>
  changeAbout(workspace: string, change: (before: WorkspaceAbout) => WorkspaceAbout): Promise<WorkspaceAbout>
  /** In effect immediately, since the next request counts on. False: `change` returned nothing. */
  changeFaults(
    workspace: string,
    change: (before: readonly ArmedServiceFault[]) => readonly ArmedServiceFault[] | undefined,
    reach?: Reach,
  ): Promise<boolean>
  /** In effect immediately as well. False: nothing was left to count down. */
  countDown(workspace: string, lower: (before: Conditions) => Conditions | undefined): Promise<boolean>
  /** Reads them again: at start, after a restore. */
  load(workspace: string): Promise<void>
  forget(workspace: string): void
}

export const createSettings = (store: Store): Settings => {
  const { inTurn } = createTurns()

  const kept = <T>(name: SettingName, normal: T, read: (stored: unknown) => T) => {
    /** `number`: when its reading or its change began. */
    type Known = { readonly stored: unknown; readonly value: T; readonly number: number }
    const values = new Map<string, Known>()
    const NONE: Known = { stored: {}, value: normal, number: 0 }
    let begun = 0
    const known = (workspace: string): Known => values.get(workspace) ?? NONE
    const get = (workspace: string): T => known(workspace).value
    /** False: what began later is known already, and this may be older. */
    const know = (workspace: string, next: Known): boolean => {
      if (known(workspace).number > next.number) return false
      values.set(workspace, next)
      return true
    }
    const load = async (workspace: string): Promise<void> => {
      const number = ++begun
      const stored = (await store.settings.get(workspace, name)) ?? {}
      know(workspace, { stored, value: read(stored), number })
    }
    const storedAfter = (stored: unknown, { before, after, reach }: { before: T; after: T; reach: Reach }): unknown =>
      reach === 'all' ? after : keepUnknown(stored, { before, after })
    const changeAlone = (workspace: string, change: (before: T) => T, reach: Reach): Promise<T> =>
      inTurn(workspace, async () => {
        for (;;) {
          const was = known(workspace)
          const value = change(was.value)
          const stored = storedAfter(was.stored, { before: was.value, after: value, reach })
          await store.settings.set(workspace, name, stored)
          // A change by another caller in between is not lost: this one is applied on top of it.
          if (known(workspace) !== was) continue
          know(workspace, { stored, value, number: ++begun })
          return value
        }
      })
    const changeAtOnce = async (
      workspace: string,
      change: (before: T) => T | undefined,
      reach: Reach,
    ): Promise<boolean> => {
      const was = known(workspace)
      const value = change(was.value)
      if (value === undefined) return false
      const stored = storedAfter(was.stored, { before: was.value, after: value, reach })
      know(workspace, { stored, value, number: ++begun })
      await store.settings.set(workspace, name, stored)
      return true
    }
    /** Based on the stored one: other processes change it, too. */
    const changeStored = async (
      { changeSetting }: SharedStore,
      workspace: string,
      change: (before: T) => T | undefined,
      reach: Reach,
    ): Promise<T | undefined> => {
      let made: Omit<Known, 'number'> | undefined
      const isKnown = await inTurn(workspace, async () => {
        const number = ++begun
        await changeSetting(workspace, name, (found) => {
          const before = read(found ?? {})
          const value = change(before)
          made =
            value === undefined ? undefined : { stored: storedAfter(found, { before, after: value, reach }), value }
          return made?.stored
        })
        return made === undefined || know(workspace, { ...made, number })
      })
      // The answer came late, and another process may have changed it since. Should this fail, the next request reads it.
      if (!isKnown) await load(workspace).catch(() => undefined)
      return made?.value
    }
    const { shared } = store
    return {
      get,
      change: (workspace: string, change: (before: T) => T, reach: Reach = 'known'): Promise<T> =>
        shared === undefined
          ? changeAlone(workspace, change, reach)
          : changeStored(shared, workspace, change, reach).then((value) => value ?? get(workspace)),
      changeAtOnce: (
        workspace: string,
        change: (before: T) => T | undefined,
        reach: Reach = 'known',
      ): Promise<boolean> =>
        shared === undefined
          ? changeAtOnce(workspace, change, reach)
          : changeStored(shared, workspace, change, reach).then((value) => value !== undefined),
      load,
      forget: (workspace: string): boolean => values.delete(workspace),
    }
  }

  const profile = kept('profile', defaultProfile, readProfile)
  const conditions = kept('conditions', normalConditions, readConditions)
  const faults = kept('service_faults', NONE_ARMED, readFaults)
  const about = kept(ABOUT, NOTHING, readAbout)
  return {
    profile: profile.get,
    conditions: conditions.get,
    faults: (workspace) => faults.get(workspace).faults,
    about: about.get,
    changeProfile: profile.change,
    changeConditions: conditions.change,
    changeAbout: about.change,
    changeFaults: (workspace, change, reach) =>
      faults.changeAtOnce(
        workspace,
        (before) => {
          const armed = change(before.faults)
          return armed && { faults: armed }
        },
        reach,
      ),
    countDown: conditions.changeAtOnce,
    load: async (workspace) => {
      await profile.load(workspace)
      await conditions.load(workspace)
      await faults.load(workspace)
      await about.load(workspace)
    },
    forget: (workspace) => {
      profile.forget(workspace)
      conditions.forget(workspace)
      faults.forget(workspace)
      about.forget(workspace)
    },
  }
}

const NOTHING: WorkspaceAbout = {}

const NONE_ARMED: ArmedFaults = { faults: [] }

type Change = { readonly before: unknown; readonly after: unknown }

/**
 * The setting to store after a change. `before` is the stored one as this version reads it, `after` is the result of
 * the change. Members that the change did not touch, or that were not read, stay as stored.
 */
const keepUnknown = (stored: unknown, { before, after }: Change): unknown => {
  const there = membersOf(stored)
  const [old, now] = [membersOf(before), membersOf(after)]
  const keys = new Set([...Object.keys(there), ...Object.keys(now)])
  return Object.fromEntries(
    [...keys].flatMap((key) => {
      const value = memberOf(there[key], { before: old[key], after: now[key] })
      return value === undefined ? [] : [[key, value]]
    }),
  )
}

const membersOf = (value: unknown): JsonObject => (isObject(value) ? value : {})

const memberOf = (stored: unknown, { before, after }: Change): unknown => {
  if (stored === undefined) return after
  if (isDeepStrictEqual(before, after)) return stored
  if (isObject(stored) && isObject(after)) {
    // Its known members are all as the change left them: one that did not fit would undo the change for the next reader.
    const unknown = Object.entries(stored).filter(([key]) => !Object.hasOwn(membersOf(before), key))
    return { ...Object.fromEntries(unknown), ...after }
  }
  if (Array.isArray(stored) && stored.some(isObject)) return keepEntries(stored, { before, after })
  return after
}

const keepEntries = (stored: readonly unknown[], { before, after }: Change): unknown => {
  const [there, old, now] = [byIdentity(stored), byIdentity(before), byIdentity(after)]
  const unread = [...there].flatMap(([identity, entry]) => (old.has(identity) || now.has(identity) ? [] : [entry]))
  const entries = [...now].map(([identity, entry]) => {
    const [was, read] = [there.get(identity), old.get(identity)]
    if (was === undefined) return entry
    return read === entry ? was : keepUnknown(was, { before: read, after: entry })
  })
  return unread.length === 0 ? after && entries : [...unread, ...entries]
}

/** Armed faults have an id, conditions their scope. A list may be long: none is looked through for each entry. */
const byIdentity = (list: unknown): ReadonlyMap<string, unknown> =>
  new Map((Array.isArray(list) ? list : []).map((entry) => [identityOf(entry), entry]))

const identityOf = (entry: unknown): string => {
  const { id, scope } = membersOf(entry)
  if (typeof id === 'string') return id
  return JSON.stringify(isObject(scope) ? Object.entries(scope).toSorted() : entry)
}

const MINUTE = 60_000

export type RateLimit = {
  /** Counts a request of this key; a refusal when it is one too many. A limit of 0 means no limit. */
  check(workspace: string, accessKeyId: string, perMinute: number): Refusal | undefined | Promise<Refusal | undefined>
}

/** Whole minutes of real time: it is a courtesy to test clients against, no protection. In memory, or of all processes together. */
export const createRateLimit = (wall: Clock, shared?: Pick<SharedStore, 'countRequest'>): RateLimit => {
  let minute = 0
  const counts = new Map<string, number>()
  return {
    check: (workspace, accessKeyId, perMinute) => {
      if (perMinute === 0) return undefined
      const now = wall.now()
      if (Math.floor(now / MINUTE) !== minute) {
        minute = Math.floor(now / MINUTE)
        counts.clear()
      }
      const key = `${workspace} ${accessKeyId}`
      const judge = (count: number): Refusal | undefined => {
        if (count <= perMinute) return undefined
        const wait = Math.ceil(((minute + 1) * MINUTE - now) / 1000)
        const headers = { 'Retry-After': String(wait) }
        return refuse('too_many_requests', { code: 'requests_per_minute', params: { count: perMinute } }, { headers })
      }
      if (shared !== undefined) return shared.countRequest(workspace, { accessKey: accessKeyId, minute }).then(judge)
      const count = (counts.get(key) ?? 0) + 1
      counts.set(key, count)
      return judge(count)
    },
  }
}
