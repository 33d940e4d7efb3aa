import type { Sql } from './sql.ts'

/**
 * The key of a workspace's stored rows: its id, until they are replaced as a whole. New rows get a separate key, and
 * the workspace changes its key in one statement. Keys whose rows belong to no workspace are remembered.
 */
export type RowKeys = {
  of(workspace: string): string
  workspaceOf(key: string): string
  /** Inside a write. A key that no row has; until it is given to a workspace, its rows are to be deleted. */
  reserve(): string
  /** Inside a write. False: there is no such workspace. */
  give(key: string, workspace: string): boolean
  /** Inside a write: the workspace is new. */
  begin(workspace: string): void
  forget(workspace: string): void
  /** After a write that gave a key was refused. */
  readAgain(): void
  unused(): readonly string[]
  /** Inside a write: its rows are gone. */
  cleared(key: string): void
}

type Named = { readonly row_key: string }

export const createRowKeys = (sql: Sql): RowKeys => {
  const keys = new Map<string, string>()
  const unused = (): readonly string[] =>
    sql
      .all<Named>('settings', 'SELECT row_key FROM unused_rows ORDER BY rowid')()
      .map(({ row_key }) => row_key)

  const readAgain = (): void => {
    keys.clear()
    const given = 'SELECT id, row_key FROM workspaces WHERE row_key IS NOT NULL'
    for (const { id, row_key } of sql.all<Named & { readonly id: string }>('settings', given)()) keys.set(id, row_key)
  }
  readAgain()
  // No workspace has such an id.
  let last = Math.max(0, ...[...keys.values(), ...unused()].map((key) => Number(key.slice(1)) || 0))

  const keep = sql.run('INSERT INTO unused_rows (row_key) VALUES (?)')
  const cleared = sql.run('DELETE FROM unused_rows WHERE row_key = ?')
  const name = sql.run('UPDATE workspaces SET row_key = ? WHERE id = ?')
  const of = (workspace: string): string => keys.get(workspace) ?? workspace

  const reserve = (): string => {
    const key = `#${++last}`
    keep(key)
    return key
  }

  const give = (key: string, workspace: string): boolean => {
    if (name(key, workspace) === 0) return false
    keep(of(workspace))
    cleared(key)
    keys.set(workspace, key)
    return true
  }

  return {
    of,
    workspaceOf: (key) => [...keys].find(([, given]) => given === key)?.[0] ?? key,
    reserve,
    give,
    begin: (workspace) => {
      // The rows of one that had this id may still be there.
      if (!unused().includes(workspace)) return
      const key = `#${++last}`
      name(key, workspace)
      keys.set(workspace, key)
    },
    forget: (workspace) => void keys.delete(workspace),
    readAgain,
    unused,
    cleared,
  }
}
