import { withoutUnknown } from '../../core/contract/known-part.ts'
import { fits } from '../../core/contract/validate.ts'
import { keptClock } from '../../core/contract/workspace-document.ts'
import { followsReal, type KeptClock } from '../../core/protocol/time.ts'
import type { Store } from '../store/store.ts'

/** The setting in which a workspace's clock is kept. */
export const CLOCK = 'clock'

/** Resolves when the clock would outlive the process. A clock that follows real time leaves nothing behind. */
export const keepClock = (store: Store, workspace: string, clock: KeptClock): Promise<void> =>
  followsReal(clock) ? store.settings.delete(workspace, CLOCK) : store.settings.set(workspace, CLOCK, clock)

/** The clock of every workspace there is, undefined where it follows real time. The service is made after its clocks. */
export const readClocks = async (store: Store): Promise<Map<string, KeptClock | undefined>> => {
  const clocks = new Map<string, KeptClock | undefined>()
  for (const { id } of await store.workspaces.list()) {
    clocks.set(id, await readClock(store, id))
  }
  return clocks
}

/** Undefined where it follows real time. */
export const readClock = async (store: Store, workspace: string): Promise<KeptClock | undefined> => {
  // Members that only a newer version knows are ignored: without its clock a workspace would be at another time.
  const kept = withoutUnknown(await readable(store, workspace, CLOCK), keptClock)
  return fits(kept, keptClock) ? kept : undefined
}

/** Damaged values count as missing: opening the workspace reports them. */
export const readable = async (store: Store, workspace: string, name: string): Promise<unknown> => {
  try {
    return await store.settings.get(workspace, name)
  } catch (reason) {
    if (reason instanceof SyntaxError) return undefined
    throw reason
  }
}

/** No workspace has this id: it belongs to the data directory, and no reset, import or restore touches it. */
export const NOWHERE = ''
const TOLD = 'told clock'

/** The clock setting of the last start is not applied again: a restart would undo later changes. */
export const toldClock = {
  isNew: async (store: Store, told: object | undefined): Promise<boolean> =>
    JSON.stringify(await readable(store, NOWHERE, TOLD)) !== JSON.stringify(told),
  keep: (store: Store, told: object | undefined): Promise<void> =>
    told === undefined ? store.settings.delete(NOWHERE, TOLD) : store.settings.set(NOWHERE, TOLD, told),
}
