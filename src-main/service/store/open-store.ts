import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { StartProblem } from '../../core/contract/start-problems.ts'
import { type Log, silentLog } from '../../core/protocol/log.ts'
import { migrate, schemaVersion } from '../../core/protocol/migrate.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { openDataDirectory } from '../../disk/data-directory.ts'
import { createWalSync } from '../../disk/log-sync.ts'
import { toSystemRefusal } from '../../disk/system-refusal.ts'
import type { PostgresLocation } from './postgres/location.ts'
import { migrations } from './sqlite/migrations.ts'
import { sqliteStore } from './sqlite/sqlite-store.ts'
import type { Store } from './store.ts'

export type StoreLocation =
  | { readonly kind: 'memory' }
  /** Answered calls survive a power loss: docs/decisions/0012. */
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'postgres'; readonly database: PostgresLocation; readonly release?: () => void }

/** For a directory in use, the problem names its holder; a directory of a newer version is left untouched. */
export const openStore = async (
  location: StoreLocation,
  log: Log = silentLog,
): Promise<Result<Store, StartProblem>> => {
  if (location.kind === 'memory') {
    const db = openSqlite(':memory:')
    return db.ok ? ok(sqliteStore(db.value, { log })) : db
  }
  if (location.kind === 'postgres') {
    // Loaded only when needed: most benches use SQLite.
    const { connectPostgres } = await import('./postgres/connect.ts')
    const { postgresStore } = await import('./postgres/postgres-store.ts')
    const database = await connectPostgres(location.database, log)
    return database.ok ? ok(await postgresStore(database.value, log, location.release)) : database
  }
  const directory = openDataDirectory(location.path, process.pid)
  if (!directory.ok) return directory
  const { database, release } = directory.value
  const db = openIn(database)
  if (!db.ok) {
    release()
    return db
  }
  const sync = createWalSync(`${database}-wal`)
  return ok(sqliteStore(db.value, { sync, log, release }))
}

/** A file that is not a database, or cannot be read, is a user error, not a bug. */
const openIn = (file: string): ReturnType<typeof openSqlite> => {
  try {
    return openSqlite(file)
  } catch (reason) {
    if (toSystemRefusal(reason) === undefined || !(reason instanceof Error)) throw reason
    return err({ code: 'database_refused', params: { file, message: reason.message } })
  }
}

/** A database with migrations that this program does not know is refused untouched. */
export const openSqlite = (file: string): Result<Database.Database, StartProblem> => {
  const db = new Database(file)
  const version = schemaVersion(db)
  if (version > migrations.length) {
    db.close()
    return err({ code: 'database_newer', params: { version, known: migrations.length } })
  }
  if (file !== ':memory:') {
    db.pragma('journal_mode = WAL')
    // A commit only writes the log; a caller whose data must survive a power loss syncs it (log-sync.ts).
    db.pragma('synchronous = NORMAL')
    // 16 MB of log: writing it back syncs the database, and no request is answered until then.
    db.pragma('wal_autocheckpoint = 4000')
  }
  migrate(db, migrations)
  return ok(db)
}

/** Versions of a database (0 if it is empty) and of this program. */
type SchemaVersions = { readonly there: number; readonly known: number }

export type StoredPlace = { readonly directory: string } | { readonly database: PostgresLocation }

/** Changes nothing in the database. */
export const readSchemaVersions = async (kept: StoredPlace): Promise<Result<SchemaVersions, StartProblem>> => {
  if ('database' in kept) {
    const { readPostgresVersion } = await import('./postgres/connect.ts')
    const known = (await import('./postgres/migrations.ts')).migrations.length
    const there = await readPostgresVersion(kept.database)
    return there.ok ? ok({ there: there.value, known }) : there
  }
  const there = readSqliteVersion(join(kept.directory, 'handset.db'))
  return there.ok ? ok({ there: there.value, known: migrations.length }) : there
}

const readSqliteVersion = (file: string): Result<number, StartProblem> => {
  if (!existsSync(file)) return ok(0)
  try {
    const db = new Database(file, { readonly: true })
    try {
      return ok(schemaVersion(db))
    } finally {
      db.close()
    }
  } catch (reason) {
    const cause = toSystemRefusal(reason)
    if (cause === undefined) throw reason
    return err({ code: 'database_unreadable', params: { file, cause } })
  }
}
