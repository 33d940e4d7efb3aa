/**
 * Rows that each request needs and few change: keys with their RPs, devices, accounts. They are remembered until the
 * head of their workspace has another version, which every change or deletion of one of them sets.
 */
export type RowMemory = {
  /** Remembers what this brings: by the rows' key, and the key of one of them. */
  remember<T>(read: Reading<T>): Reading<T>
  /** The version of this workspace as it was just read. Before the first one nothing is remembered. */
  check(rowKey: string, version: number): void
  /** What is being read at this moment is not remembered either. */
  forget(rowKey: string): void
}

type Reading<T> = (rowKey: string, key: string) => Promise<T | undefined>

type Remembered = { readonly version: number; readonly rows: Map<string, unknown> }

/** In one workspace; then it starts over. */
const MOST = 10_000

export const createRowMemory = (): RowMemory => {
  const workspaces = new Map<string, Remembered>()
  let readings = 0
  return {
    remember: <T>(read: Reading<T>): Reading<T> => {
      const reading = ++readings
      return async (rowKey, key) => {
        const before = workspaces.get(rowKey)
        const found = before?.rows.get(`${reading} ${key}`) as T | undefined
        if (found !== undefined) return found
        const row = await read(rowKey, key)
        // If the workspace changed in the meantime, it may be the old row.
        if (row === undefined || before === undefined || workspaces.get(rowKey) !== before) return row
        if (before.rows.size >= MOST) before.rows.clear()
        before.rows.set(`${reading} ${key}`, row)
        return row
      }
    },
    check: (rowKey, version) => {
      if (workspaces.get(rowKey)?.version !== version) workspaces.set(rowKey, { version, rows: new Map() })
    },
    forget: (rowKey) => void workspaces.delete(rowKey),
  }
}
