import Database from 'better-sqlite3'
import { err, ok, type Result } from '../../../protocol/result.ts'
import { migrations } from './migrations.ts'

/** A database with every migration applied. One that knows more migrations than this program is refused untouched. */
export const openSqlite = (file: string): Result<Database.Database, string> => {
  const db = new Database(file)
  const version = Number(db.pragma('user_version', { simple: true }))
  if (version > migrations.length) {
    db.close()
    return err(`The database has version ${version}; this program knows versions up to ${migrations.length}.`)
  }
  if (file !== ':memory:') {
    db.pragma('journal_mode = WAL')
    // A commit writes the log; whoever must not lose it syncs it (log-sync.ts).
    db.pragma('synchronous = NORMAL')
  }
  for (const [index, migration] of migrations.entries()) {
    if (index < version) continue
    db.transaction(() => {
      db.exec(migration)
      db.pragma(`user_version = ${index + 1}`)
    })()
  }
  return ok(db)
}
