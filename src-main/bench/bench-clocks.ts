import { MAIN_WORKSPACE } from '../core/protocol/ids.ts'
import type { Store } from '../service/store/store.ts'
import { keepClock, readClocks, toldClock } from '../service/workspaces/kept-clocks.ts'
import { type ClockSetting, realClock } from './harness/clock.ts'
import { createClocks, followClock } from './harness/clocks.ts'

/** Real time, which a database leads, and the clock of each workspace, as it was kept or as this start was told. */
export const openBenchClocks = async (
  store: Store,
  { told, settle }: { readonly told?: ClockSetting; readonly settle: (workspace: string) => Promise<void> },
) => {
  const led = store.shared && (await followClock(realClock, store.shared.now))
  const real = led ?? realClock
  const kept = await readClocks(store)
  const toldAnew = await toldClock.isNew(store, told)
  if (toldAnew && told !== undefined) kept.delete(MAIN_WORKSPACE)
  const clocks = createClocks({ real, ...(told === undefined ? {} : { start: told }), kept, settle })
  return {
    real,
    clocks,
    /** The setting for main's clock counts from now on; the next start does not apply it again. */
    keepTold: async (): Promise<void> => {
      if (!toldAnew) return
      await keepClock(store, MAIN_WORKSPACE, clocks.of(MAIN_WORKSPACE).kept())
      await toldClock.keep(store, told)
    },
    stop: (): void => {
      clocks.stop()
      led?.stop()
    },
  }
}
