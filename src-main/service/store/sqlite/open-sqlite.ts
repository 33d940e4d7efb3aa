import Database from 'better-sqlite3'
import type { StartProblem } from '../../../core/contract/start-problems.ts'
import { migrate, schemaVersion } from '../../../core/protocol/migrate.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import { migrations } from './migrations.ts'

/** A database with every migration applied. One that knows more migrations than this program is refused untouched. */
export const openSqlite = (file: string): Result<Database.Database, StartProblem> => {
  const db = new Database(file)
  const version = schemaVersion(db)
  if (version > migrations.length) {
    db.close()
    return err({ code: 'database_newer', params: { version, known: migrations.length } })
  }
  if (file !== ':memory:') {
    db.pragma('journal_mode = WAL')
    // A commit writes the log; a caller that must not lose it syncs it (log-sync.ts).
    db.pragma('synchronous = NORMAL')
    // 16 MB of log: writing it back syncs the database, and no request is answered until then.
    db.pragma('wal_autocheckpoint = 4000')
  }
  migrate(db, migrations)
  return ok(db)
}
