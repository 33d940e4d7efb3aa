import type { WorkspaceHead } from '../store.ts'
import type { RunQuery } from './database.ts'

export type RowKeys = ReturnType<typeof createRowKeys>

/**
 * The keys of workspaces' stored rows. A workspace gets a new one when it is opened, and when its rows are replaced;
 * each process remembers them and learns of new ones with the head.
 */
export const createRowKeys = (ask: RunQuery, memory: RowMemory) => {
  const keys = new Map<string, string>()
  const learn = (workspace: string, key: string | undefined): void => {
    const before = keys.get(workspace)
    if (before !== undefined && before !== key) memory.forget(before)
    if (key === undefined) keys.delete(workspace)
    else keys.set(workspace, key)
  }
  return {
    of: (workspace: string): string => keys.get(workspace) ?? workspace,
    workspaceOf: (key: string): string => [...keys].find(([, given]) => given === key)?.[0] ?? key,
    learn,
    /** Current heads; missing workspaces are left out and forgotten. */
    heads: async (workspaces: readonly string[]): Promise<readonly WorkspaceHead[]> => {
      const { rows } = await ask(
        'SELECT id, rowid AS opened, row_key, emptied, version FROM workspaces WHERE id = ANY(?)',
        [workspaces],
      )
      const heads = rows as readonly WorkspaceHead[]
      for (const id of workspaces) {
        const head = heads.find((each) => each.id === id)
        learn(id, head?.row_key)
        if (head !== undefined) memory.check(head.row_key, head.version)
      }
      return heads
    },
    readAll: async (): Promise<void> => {
      for (const { id, row_key } of (await ask('SELECT id, row_key FROM workspaces')).rows) {
        learn(String(id), String(row_key))
      }
    },
  }
}

type RowMemory = ReturnType<typeof createRowMemory>

type Reading<T> = (rowKey: string, key: string) => Promise<T | undefined>

type Remembered = { readonly version: number; readonly rows: Map<string, unknown> }

/** Maximum number of rows remembered for a workspace; beyond it, all are dropped. */
const MAX_ROWS = 10_000

/**
 * Caches rows that each request needs and few change: keys with their RPs, devices, accounts. Each change or deletion
 * of such a row sets a new version in the workspace's head, which empties the cache.
 */
export const createRowMemory = () => {
  const workspaces = new Map<string, Remembered>()
  let readings = 0
  return {
    /** Remembers rows by the workspace's row key and the row's own key. */
    remember: <T>(read: Reading<T>): Reading<T> => {
      const reading = ++readings
      return async (rowKey, key) => {
        const before = workspaces.get(rowKey)
        const found = before?.rows.get(`${reading} ${key}`) as T | undefined
        if (found !== undefined) return found
        const row = await read(rowKey, key)
        // If the workspace changed in the meantime, this may be the old row.
        if (row === undefined || before === undefined || workspaces.get(rowKey) !== before) return row
        if (before.rows.size >= MAX_ROWS) before.rows.clear()
        before.rows.set(`${reading} ${key}`, row)
        return row
      }
    },
    /** Takes the workspace's version as just read. Nothing is remembered before the first version. */
    check: (rowKey: string, version: number): void => {
      if (workspaces.get(rowKey)?.version !== version) workspaces.set(rowKey, { version, rows: new Map() })
    },
    /** Also prevents a row whose read is in progress from being cached. */
    forget: (rowKey: string): void => void workspaces.delete(rowKey),
  }
}
