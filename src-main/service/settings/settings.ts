import { normalConditions } from '../../core/contract/conditions.ts'
import type { ArmedServiceFault } from '../../core/contract/control/service-fault-routes.ts'
import type { WorkspaceAbout } from '../../core/contract/control/workspace-about.ts'
import { defaultProfile } from '../../core/contract/profile.ts'
import { createKeyedQueue, type KeyedQueue } from '../../core/protocol/turns.ts'
import type { SharedStore, Store } from '../store/store.ts'
import {
  ABOUT_SETTING,
  type ArmedFaults,
  type ChangeReach,
  mergeStored,
  readAbout,
  readConditions,
  readFaults,
  readProfile,
  type SettingName,
} from './stored-settings.ts'

export type Settings = ReturnType<typeof createSettings>

/** In memory, since each request reads them. */
export const createSettings = (store: Store) => {
  const { inTurn } = createKeyedQueue()
  const setting = <T>(name: SettingName, normal: T, read: (stored: unknown) => T): Setting<T> => {
    const kind = { name, normal, read, inTurn, settings: store.settings }
    return store.shared === undefined ? settingAlone(kind) : settingShared(kind, store.shared)
  }
  const profile = setting('profile', defaultProfile, readProfile)
  const conditions = setting('conditions', normalConditions, readConditions)
  const faults = setting('service_faults', NONE_ARMED, readFaults)
  const about = setting(ABOUT_SETTING, NOTHING, readAbout)
  return {
    profile: profile.get,
    conditions: conditions.get,
    faults: (workspace: string): readonly ArmedServiceFault[] => faults.get(workspace).faults,
    about: about.get,
    /** Changes run in turn, each on the result of the one before, and take effect once stored. */
    changeProfile: profile.change,
    changeConditions: conditions.change,
    changeAbout: about.change,
    /** Takes effect at once: the next request counts down from the new state. False if `change` returned undefined. */
    changeFaults: (
      workspace: string,
      change: (before: readonly ArmedServiceFault[]) => readonly ArmedServiceFault[] | undefined,
      reach?: ChangeReach,
    ): Promise<boolean> => {
      const armed = ({ faults: before }: ArmedFaults): ArmedFaults | undefined => {
        const after = change(before)
        return after && { faults: after }
      }
      return faults.changeAtOnce(workspace, armed, reach)
    },
    /** Takes effect at once as well. False if nothing was left to count down. */
    countDown: conditions.changeAtOnce,
    /** Replaces the settings in memory with the stored ones. */
    load: async (workspace: string): Promise<void> => {
      for (const each of [profile, conditions, faults, about]) await each.load(workspace)
    },
    forget: (workspace: string): void => {
      for (const each of [profile, conditions, faults, about]) each.forget(workspace)
    },
  }
}

const NOTHING: WorkspaceAbout = {}
const NONE_ARMED: ArmedFaults = { faults: [] }

/** `number` orders values by the time at which their reading or change began. */
type Known<T> = { readonly stored: unknown; readonly value: T; readonly number: number }

type Setting<T> = {
  get(workspace: string): T
  /** In effect once stored. */
  change(workspace: string, change: (before: T) => T, reach?: ChangeReach): Promise<T>
  /** In effect before it is stored. False: `change` returned nothing. */
  changeAtOnce(workspace: string, change: (before: T) => T | undefined, reach?: ChangeReach): Promise<boolean>
  load(workspace: string): Promise<void>
  forget(workspace: string): void
}

type Kind<T> = {
  readonly name: SettingName
  readonly normal: T
  readonly read: (stored: unknown) => T
  readonly inTurn: KeyedQueue['inTurn']
  readonly settings: Store['settings']
}

const createMemory = <T>({ name, normal, read, settings }: Kind<T>) => {
  const known = new Map<string, Known<T>>()
  const none: Known<T> = { stored: {}, value: normal, number: 0 }
  const of = (workspace: string): Known<T> => known.get(workspace) ?? none
  let begun = 0
  /** The number of a reading or a change that begins now. */
  const begin = (): number => ++begun
  /** False if a value whose reading or change began later is known already. */
  const know = (workspace: string, next: Known<T>): boolean => {
    if (of(workspace).number > next.number) return false
    known.set(workspace, next)
    return true
  }
  return {
    begin,
    of,
    know,
    get: (workspace: string): T => (known.get(workspace) ?? none).value,
    load: async (workspace: string): Promise<void> => {
      const number = begin()
      const stored = (await settings.get(workspace, name)) ?? {}
      know(workspace, { stored, value: read(stored), number })
    },
    forget: (workspace: string): void => void known.delete(workspace),
  }
}

/** No other process changes it: the value in memory is what is stored, or will be. */
const settingAlone = <T>(kind: Kind<T>): Setting<T> => {
  const { name, inTurn, settings } = kind
  const memory = createMemory(kind)
  return {
    ...memory,
    change: (workspace, change, reach = 'known') =>
      inTurn(workspace, async () => {
        for (;;) {
          const was = memory.of(workspace)
          const value = change(was.value)
          const stored = mergeStored(was.stored, { before: was.value, after: value, reach })
          await settings.set(workspace, name, stored)
          // A `changeAtOnce` in between is not lost: this change is applied again on top of it.
          if (memory.of(workspace) !== was) continue
          memory.know(workspace, { stored, value, number: memory.begin() })
          return value
        }
      }),
    changeAtOnce: async (workspace, change, reach = 'known') => {
      const was = memory.of(workspace)
      const value = change(was.value)
      if (value === undefined) return false
      const stored = mergeStored(was.stored, { before: was.value, after: value, reach })
      memory.know(workspace, { stored, value, number: memory.begin() })
      await settings.set(workspace, name, stored)
      return true
    },
  }
}

/** Other processes change it, too: each change is based on the stored value, in the store's own transaction. */
const settingShared = <T>(kind: Kind<T>, shared: SharedStore): Setting<T> => {
  const { name, read, inTurn } = kind
  const memory = createMemory(kind)
  const change = async (workspace: string, toNext: (before: T) => T | undefined, reach: ChangeReach) => {
    let made: Omit<Known<T>, 'number'> | undefined
    const isKnown = await inTurn(workspace, async () => {
      const number = memory.begin()
      await shared.changeSetting(workspace, name, (found) => {
        const before = read(found ?? {})
        const value = toNext(before)
        made = value === undefined ? undefined : { stored: mergeStored(found, { before, after: value, reach }), value }
        return made?.stored
      })
      return made === undefined || memory.know(workspace, { ...made, number })
    })
    // Another process may have changed the setting since. If this read fails, the next request reads it.
    if (!isKnown) await memory.load(workspace).catch(() => undefined)
    return made?.value
  }
  return {
    ...memory,
    change: async (workspace, toNext, reach = 'known') =>
      (await change(workspace, toNext, reach)) ?? memory.get(workspace),
    changeAtOnce: async (workspace, toNext, reach = 'known') => (await change(workspace, toNext, reach)) !== undefined,
  }
}
