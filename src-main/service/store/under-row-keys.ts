import type { Store } from './store.ts'

type KeyOf = (workspace: string) => string
type Call = (workspace: string, ...rest: readonly unknown[]) => unknown

/** The same store, called with a workspace's id for rows under its key: all but the workspaces and their snapshots. */
export const underRowKeys = (store: Store, keyOf: KeyOf): Store => {
  const keyed = <Part extends object>(part: Part): Part =>
    Object.fromEntries(
      Object.entries(part as Readonly<Record<string, Call>>).map(([name, call]): [string, Call] => [
        name,
        (workspace, ...rest) => call(keyOf(workspace), ...rest),
      ]),
    ) as Part
  const { settings, rps, accessKeys, accounts, devices, messages, credentials, pushes, vault, roots } = store
  return {
    ...store,
    settings: keyed(settings),
    rps: keyed(rps),
    accessKeys: keyed(accessKeys),
    accounts: keyed(accounts),
    devices: keyed(devices),
    messages: keyed(messages),
    credentials: keyed(credentials),
    pushes: keyed(pushes),
    vault: keyed(vault),
    roots: keyed(roots),
    counts: (workspace) => store.counts(keyOf(workspace)),
    rows: (workspace, tables) => store.rows(keyOf(workspace), tables),
    clear: (workspace, tables) => store.clear(keyOf(workspace), tables),
  }
}
