import type { WorkspaceHead } from '../shared-store.ts'
import type { Ask } from './database.ts'
import type { RowMemory } from './row-memory.ts'

/**
 * Under which key a workspace's rows are stored. A workspace gets a new one when it is opened, and when its rows are
 * replaced; each process remembers them and learns of new ones with the head.
 */
export type RowKeys = {
  of(workspace: string): string
  workspaceOf(key: string): string
  learn(workspace: string, key: string | undefined): void
  /** As they are now; those that are not there are left out, and forgotten. */
  heads(workspaces: readonly string[]): Promise<readonly WorkspaceHead[]>
  readAll(): Promise<void>
}

export const createRowKeys = (ask: Ask, memory: RowMemory): RowKeys => {
  const keys = new Map<string, string>()
  const learn = (workspace: string, key: string | undefined): void => {
    const before = keys.get(workspace)
    if (before !== undefined && before !== key) memory.forget(before)
    if (key === undefined) keys.delete(workspace)
    else keys.set(workspace, key)
  }
  return {
    of: (workspace) => keys.get(workspace) ?? workspace,
    workspaceOf: (key) => [...keys].find(([, given]) => given === key)?.[0] ?? key,
    learn,
    heads: async (workspaces) => {
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
    readAll: async () => {
      for (const { id, row_key } of (await ask('SELECT id, row_key FROM workspaces')).rows) {
        learn(String(id), String(row_key))
      }
    },
  }
}
