import { err, ok, type Result } from '../../protocol/result.ts'
import { openDataDirectory } from './data-directory.ts'
import { fileProblem } from './file-problem.ts'
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
       * survives the end of the process, and a commit does not wait for the disk (measured in docs/decisions/0012).
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
  const db = openIn(directory.value.database, location.synchronous ?? 'full')
  if (db.ok) return ok(sqliteStore(db.value, directory.value.release))
  directory.value.release()
  return db
}

/** A file that is no database, or one that cannot be read, is nobody's mistake in here. */
const openIn = (file: string, synchronous: Synchronous): ReturnType<typeof openSqlite> => {
  try {
    return openSqlite(file, synchronous)
  } catch (reason) {
    if (fileProblem(reason) === undefined || !(reason instanceof Error)) throw reason
    return err(`The database ${file} cannot be used: ${reason.message}. Move it away, or name another data directory.`)
  }
}
