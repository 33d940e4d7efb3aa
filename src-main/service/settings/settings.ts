import { type Conditions, normalConditions, restoreConditions, storedConditions } from '../../contract/conditions.ts'
import { type ArmedServiceFault, armedServiceFaults } from '../../contract/control/service-fault-routes.ts'
import { defaultProfile, type Profile } from '../../contract/profile.ts'
import { profilePart } from '../../contract/profile-schema.ts'
import { fits } from '../../contract/validate.ts'
import type { Store } from '../store/store.ts'

/** Profile, conditions and armed faults of every open workspace, in memory: each request reads them. */
export type Settings = {
  profile(workspace: string): Profile
  conditions(workspace: string): Conditions
  faults(workspace: string): readonly ArmedServiceFault[]
  /** One change after the other, each made of what the one before left; in effect once it is stored, and not before. */
  changeProfile(workspace: string, change: (before: Profile) => Profile): Promise<Profile>
  changeConditions(workspace: string, change: (before: Conditions) => Conditions): Promise<Conditions>
  /** In effect at once: what struck is used up for the next request. */
  setFaults(workspace: string, faults: readonly ArmedServiceFault[]): Promise<void>
  /** A counter went down: in effect at once, since the next request counts on. */
  countDown(workspace: string, conditions: Conditions): Promise<void>
  /** Reads them anew: at start, after a restore. */
  load(workspace: string): Promise<void>
  forget(workspace: string): void
}

export const createSettings = (store: Store): Settings => {
  const turns = new Map<string, Promise<unknown>>()
  const inTurn = <T>(workspace: string, work: () => Promise<T>): Promise<T> => {
    const done = (turns.get(workspace) ?? Promise.resolve()).then(work)
    turns.set(
      workspace,
      done.catch(() => undefined),
    )
    return done
  }

  const kept = <T>(name: 'profile' | 'conditions' | 'service_faults', normal: T, parse: (stored: unknown) => T) => {
    const values = new Map<string, T>()
    const get = (workspace: string): T => values.get(workspace) ?? normal
    return {
      get,
      change: (workspace: string, change: (before: T) => T): Promise<T> =>
        inTurn(workspace, async () => {
          const value = change(get(workspace))
          await store.settings.set(workspace, name, value)
          values.set(workspace, value)
          return value
        }),
      setAtOnce: (workspace: string, value: T): Promise<void> => {
        values.set(workspace, value)
        return store.settings.set(workspace, name, value)
      },
      load: async (workspace: string): Promise<void> => {
        values.set(workspace, parse((await store.settings.get(workspace, name)) ?? {}))
      },
      forget: (workspace: string): boolean => values.delete(workspace),
    }
  }

  const profile = kept('profile', defaultProfile, (stored) =>
    fits(stored, profilePart) ? { ...defaultProfile, ...stored } : defaultProfile,
  )
  const conditions = kept('conditions', normalConditions, (stored) =>
    fits(stored, storedConditions) ? restoreConditions(stored) : normalConditions,
  )
  const faults = kept('service_faults', NONE_ARMED, (stored) =>
    fits(stored, armedServiceFaults) ? stored : NONE_ARMED,
  )
  return {
    profile: profile.get,
    conditions: conditions.get,
    faults: (workspace) => faults.get(workspace).faults,
    changeProfile: profile.change,
    changeConditions: conditions.change,
    setFaults: (workspace, armed) => faults.setAtOnce(workspace, { faults: armed }),
    countDown: conditions.setAtOnce,
    load: async (workspace) => {
      await profile.load(workspace)
      await conditions.load(workspace)
      await faults.load(workspace)
    },
    forget: (workspace) => {
      turns.delete(workspace)
      profile.forget(workspace)
      conditions.forget(workspace)
      faults.forget(workspace)
    },
  }
}

const NONE_ARMED: { readonly faults: readonly ArmedServiceFault[] } = { faults: [] }
