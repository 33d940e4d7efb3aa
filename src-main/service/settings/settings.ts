import type { Refusal } from '../../contract/errors.ts'
import { defaultProfile, type Profile, parseProfile } from '../../contract/profile.ts'
import type { Result } from '../../protocol/result.ts'
import { type Conditions, normalConditions, parseConditions } from '../conditions/conditions.ts'
import type { Store } from '../store/store.ts'

type Change<T> = (before: T) => Result<T, Refusal>

/** Profile and conditions of every open workspace, in memory: each request reads them. */
export type Settings = {
  profile(workspace: string): Profile
  conditions(workspace: string): Conditions
  /** One change after the other, each made of what the one before left; in effect once it is stored, and not before. */
  changeProfile(workspace: string, change: Change<Profile>): Promise<Result<Profile, Refusal>>
  changeConditions(workspace: string, change: Change<Conditions>): Promise<Result<Conditions, Refusal>>
  /** A counter went down: in effect at once, since the next request counts on. */
  countDown(workspace: string, conditions: Conditions): Promise<void>
  /** Reads them anew: at start, after a restore. */
  load(workspace: string): Promise<void>
  forget(workspace: string): void
}

export const createSettings = (store: Store): Settings => {
  const profiles = new Map<string, Profile>()
  const byWorkspace = new Map<string, Conditions>()
  const turns = new Map<string, Promise<unknown>>()
  const inTurn = <T>(workspace: string, work: () => Promise<T>): Promise<T> => {
    const done = (turns.get(workspace) ?? Promise.resolve()).then(work)
    turns.set(
      workspace,
      done.catch(() => undefined),
    )
    return done
  }
  return {
    profile: (workspace) => profiles.get(workspace) ?? defaultProfile,
    conditions: (workspace) => byWorkspace.get(workspace) ?? normalConditions,
    changeProfile: (workspace, change) =>
      inTurn(workspace, async () => {
        const profile = change(profiles.get(workspace) ?? defaultProfile)
        if (!profile.ok) return profile
        await store.settings.set(workspace, 'profile', profile.value)
        profiles.set(workspace, profile.value)
        return profile
      }),
    changeConditions: (workspace, change) =>
      inTurn(workspace, async () => {
        const conditions = change(byWorkspace.get(workspace) ?? normalConditions)
        if (!conditions.ok) return conditions
        await store.settings.set(workspace, 'conditions', conditions.value)
        byWorkspace.set(workspace, conditions.value)
        return conditions
      }),
    countDown: async (workspace, conditions) => {
      byWorkspace.set(workspace, conditions)
      await store.settings.set(workspace, 'conditions', conditions)
    },
    load: async (workspace) => {
      const profile = parseProfile((await store.settings.get(workspace, 'profile')) ?? {})
      const conditions = parseConditions((await store.settings.get(workspace, 'conditions')) ?? {})
      profiles.set(workspace, profile.ok ? profile.value : defaultProfile)
      byWorkspace.set(workspace, conditions.ok ? conditions.value : normalConditions)
    },
    forget: (workspace) => {
      turns.delete(workspace)
      profiles.delete(workspace)
      byWorkspace.delete(workspace)
    },
  }
}
