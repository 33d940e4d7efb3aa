import type { Store } from '../store/store.ts'

/** Undefined while the store does not answer. */
export const countWorkspaces = (store: Store): Promise<number | undefined> =>
  store.workspaces.list().then(
    (all) => all.length,
    () => undefined,
  )
