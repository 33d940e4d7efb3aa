import { ok, type Result } from '../../protocol/result.ts'
import { openDataDirectory } from './data-directory.ts'
import { openSqlite, type Synchronous } from './sqlite/open-sqlite.ts'
import { sqliteStore } from './sqlite/sqlite-store.ts'
import type { Store } from './store.ts'

export type StoreLocation =
  | { readonly kind: 'memory' }
  | {
      readonly kind: 'directory'
      readonly path: string
      /**
       * SQLite's `synchronous`. `full` (the default): what was answered survives a loss of power. `normal`: it
       * survives the end of the process, and commits cost a fifteenth.
       */
      readonly synchronous?: Synchronous
    }

/** Refusals are sentences: a directory in use names its holder, one of a newer version is left untouched. */
export const openStore = async (location: StoreLocation): Promise<Result<Store, string>> => {
  if (location.kind === 'memory') {
    const db = openSqlite(':memory:', 'normal')
    return db.ok ? ok(sqliteStore(db.value)) : db
  }
  const directory = openDataDirectory(location.path, process.pid)
  if (!directory.ok) return directory
  const db = openSqlite(directory.value.database, location.synchronous ?? 'full')
  if (db.ok) return ok(sqliteStore(db.value, directory.value.release))
  directory.value.release()
  return db
}
