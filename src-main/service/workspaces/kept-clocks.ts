import { keptClock } from '../../core/contract/clock.ts'
import { stripUnknown } from '../../core/contract/known-part.ts'
import { fitsSchema } from '../../core/contract/validate.ts'
import { followsRealTime, type KeptClock } from '../../core/protocol/time.ts'
import type { Store } from '../store/store.ts'

export const CLOCK_SETTING = 'clock'

/** A clock that follows real time needs no stored state. */
export const storeClock = (store: Store, workspace: string, clock: KeptClock): Promise<void> =>
  followsRealTime(clock)
    ? store.settings.delete(workspace, CLOCK_SETTING)
    : store.settings.set(workspace, CLOCK_SETTING, clock)

/** Reads all clocks before the service is created; undefined for a clock that follows real time. */
export const readClocks = async (store: Store): Promise<Map<string, KeptClock | undefined>> => {
  const clocks = new Map<string, KeptClock | undefined>()
  for (const { id } of await store.workspaces.list()) {
    clocks.set(id, await readClock(store, id))
  }
  return clocks
}

/** Undefined if the clock follows real time. */
export const readClock = async (store: Store, workspace: string): Promise<KeptClock | undefined> => {
  // Ignores members of a newer version: if the whole clock were dropped, the workspace would be at another time.
  const kept = stripUnknown(await readIfValid(store, workspace, CLOCK_SETTING), keptClock)
  return fitsSchema(kept, keptClock) ? kept : undefined
}

/** Damaged values count as missing: opening the workspace reports them. */
export const readIfValid = async (store: Store, workspace: string, name: string): Promise<unknown> => {
  try {
    return await store.settings.get(workspace, name)
  } catch (reason) {
    if (reason instanceof SyntaxError) return undefined
    throw reason
  }
}

/** Key of the data directory's own settings: no workspace has this id, so no reset, import or restore changes them. */
export const NO_WORKSPACE = ''
const LAST_CLOCK_SETTING = 'told clock'

/** The clock setting that was last applied. A restart with the same one must not undo later changes. */
export const lastClockSetting = {
  isNew: async (store: Store, setting: object | undefined): Promise<boolean> =>
    JSON.stringify(await readIfValid(store, NO_WORKSPACE, LAST_CLOCK_SETTING)) !== JSON.stringify(setting),
  keep: (store: Store, setting: object | undefined): Promise<void> =>
    setting === undefined
      ? store.settings.delete(NO_WORKSPACE, LAST_CLOCK_SETTING)
      : store.settings.set(NO_WORKSPACE, LAST_CLOCK_SETTING, setting),
}
