import { type Conditions, normalConditions, restoreConditions, storedConditions } from '../../contract/conditions.ts'
import { type ArmedServiceFault, armedServiceFaults } from '../../contract/control/service-fault-routes.ts'
import { type WorkspaceAbout, workspaceAbout } from '../../contract/control/workspace-about.ts'
import { defaultProfile, type Profile } from '../../contract/profile.ts'
import { profilePart } from '../../contract/profile-schema.ts'
import { fits } from '../../contract/validate.ts'
import { createTurns } from '../../protocol/turns.ts'
import type { SharedStore } from '../store/shared-store.ts'
import type { Store } from '../store/store.ts'

/** Profile, conditions and armed faults of every open workspace, in memory: each request reads them. */
export type Settings = {
  profile(workspace: string): Profile
  conditions(workspace: string): Conditions
  faults(workspace: string): readonly ArmedServiceFault[]
  about(workspace: string): WorkspaceAbout
  /** One change after the other, each made of what the one before left; in effect once it is stored, and not before. */
  changeProfile(workspace: string, change: (before: Profile) => Profile): Promise<Profile>
  changeConditions(workspace: string, change: (before: Conditions) => Conditions): Promise<Conditions>
  changeAbout(workspace: string, change: (before: WorkspaceAbout) => WorkspaceAbout): Promise<WorkspaceAbout>
  /** In effect at once, since the next request counts on. False: nothing was made of them. */
  changeFaults(
    workspace: string,
    change: (before: readonly ArmedServiceFault[]) => readonly ArmedServiceFault[] | undefined,
  ): Promise<boolean>
  /** In effect at once as well. False: there was nothing left to count down. */
  countDown(workspace: string, lower: (before: Conditions) => Conditions | undefined): Promise<boolean>
  /** Reads them anew: at start, after a restore. */
  load(workspace: string): Promise<void>
  forget(workspace: string): void
}

export const createSettings = (store: Store): Settings => {
  const { inTurn } = createTurns()

  const kept = <T>(
    name: 'profile' | 'conditions' | 'service_faults' | typeof ABOUT,
    normal: T,
    parse: (stored: unknown) => T,
  ) => {
    const values = new Map<string, T>()
    const get = (workspace: string): T => values.get(workspace) ?? normal
    const changeAlone = (workspace: string, change: (before: T) => T): Promise<T> =>
      inTurn(workspace, async () => {
        for (;;) {
          const before = get(workspace)
          const value = change(before)
          await store.settings.set(workspace, name, value)
          // What was set at once meanwhile is not lost: the change is made of that instead.
          if (get(workspace) !== before) continue
          values.set(workspace, value)
          return value
        }
      })
    const changeAtOnce = async (workspace: string, change: (before: T) => T | undefined): Promise<boolean> => {
      const value = change(get(workspace))
      if (value === undefined) return false
      values.set(workspace, value)
      await store.settings.set(workspace, name, value)
      return true
    }
    /** Made of what is stored: other processes change it, too. */
    const changeStored = async (
      { changeSetting }: SharedStore,
      workspace: string,
      change: (before: T) => T | undefined,
    ) => {
      let value: T | undefined
      await inTurn(workspace, () =>
        changeSetting(workspace, name, (stored) => {
          value = change(parse(stored ?? {}))
          return value
        }),
      )
      if (value !== undefined) values.set(workspace, value)
      return value
    }
    const { shared } = store
    return {
      get,
      change: (workspace: string, change: (before: T) => T): Promise<T> =>
        shared === undefined
          ? changeAlone(workspace, change)
          : changeStored(shared, workspace, change).then((value) => value ?? get(workspace)),
      changeAtOnce: (workspace: string, change: (before: T) => T | undefined): Promise<boolean> =>
        shared === undefined
          ? changeAtOnce(workspace, change)
          : changeStored(shared, workspace, change).then((value) => value !== undefined),
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
  const about = kept(ABOUT, NOTHING, (stored) => (fits(stored, workspaceAbout) ? stored : NOTHING))
  return {
    profile: profile.get,
    conditions: conditions.get,
    faults: (workspace) => faults.get(workspace).faults,
    about: about.get,
    changeProfile: profile.change,
    changeConditions: conditions.change,
    changeAbout: about.change,
    changeFaults: (workspace, change) =>
      faults.changeAtOnce(workspace, (before) => {
        const armed = change(before.faults)
        return armed && { faults: armed }
      }),
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

/** The setting that says what a workspace is for. It is no part of its state. */
export const ABOUT = 'about'

const NOTHING: WorkspaceAbout = {}

const NONE_ARMED: { readonly faults: readonly ArmedServiceFault[] } = { faults: [] }
