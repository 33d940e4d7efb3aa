import { type Conditions, conditionsPart, normalConditions, withConditions } from '../../contract/conditions.ts'
import { defaultProfile, type Profile } from '../../contract/profile.ts'
import { profilePart } from '../../contract/profile-schema.ts'
import { fits } from '../../contract/validate.ts'
import type { Store } from '../store/store.ts'

/** Profile and conditions of every open workspace, in memory: each request reads them. */
export type Settings = {
  profile(workspace: string): Profile
  conditions(workspace: string): Conditions
  /** One change after the other, each made of what the one before left; in effect once it is stored, and not before. */
  changeProfile(workspace: string, change: (before: Profile) => Profile): Promise<Profile>
  changeConditions(workspace: string, change: (before: Conditions) => Conditions): Promise<Conditions>
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

  const kept = <T>(name: 'profile' | 'conditions', normal: T, parse: (stored: unknown) => T) => {
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
    fits(stored, conditionsPart) ? withConditions(normalConditions, stored) : normalConditions,
  )
  return {
    profile: profile.get,
    conditions: conditions.get,
    changeProfile: profile.change,
    changeConditions: conditions.change,
    countDown: conditions.setAtOnce,
    load: async (workspace) => {
      await profile.load(workspace)
      await conditions.load(workspace)
    },
    forget: (workspace) => {
      turns.delete(workspace)
      profile.forget(workspace)
      conditions.forget(workspace)
    },
  }
}
