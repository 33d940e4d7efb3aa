import Database from 'better-sqlite3'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { PhoneStorage } from './phone-storage.ts'
import { sqliteStorage } from './sqlite-storage.ts'

/** In order; an entry is never edited once it was released. */
const MIGRATIONS = [
  `
  CREATE TABLE workspaces (
    workspace TEXT PRIMARY KEY,
    makers TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE phones (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace TEXT NOT NULL,
    id TEXT NOT NULL,
    json TEXT NOT NULL,
    UNIQUE (workspace, id)
  ) STRICT;
  CREATE TABLE chip_credentials (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace TEXT NOT NULL,
    phone_id TEXT NOT NULL,
    id TEXT NOT NULL,
    json TEXT NOT NULL,
    UNIQUE (workspace, phone_id, id),
    FOREIGN KEY (workspace, phone_id) REFERENCES phones (workspace, id) ON DELETE CASCADE
  ) STRICT;
  `,
  `
  CREATE TABLE snapshots (
    workspace TEXT NOT NULL,
    id TEXT NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (workspace, id)
  ) STRICT, WITHOUT ROWID;
  `,
] as const

/** `phones.db` beside, never inside, the service's database; `:memory:` for a bench without data. Refusals are sentences. */
export const openPhoneStorage = (file: string): Result<PhoneStorage, string> => {
  const db = openPhonesDatabase(file)
  return db.ok ? ok(sqliteStorage(db.value)) : db
}

/** With every migration applied. */
export const openPhonesDatabase = (file: string): Result<Database.Database, string> => {
  try {
    return open(file)
  } catch (reason) {
    if (!(reason instanceof Database.SqliteError)) throw reason
    return err(
      `The phones’ database ${file} cannot be used: ${reason.message}. Move it away, or name another data directory.`,
    )
  }
}

const open = (file: string): Result<Database.Database, string> => {
  const db = new Database(file)
  try {
    const version = Number(db.pragma('user_version', { simple: true }))
    if (version > MIGRATIONS.length) {
      db.close()
      return err(
        `The phones’ database ${file} has version ${version}; this program knows versions up to ${MIGRATIONS.length}.`,
      )
    }
    // Only now: setting the journal mode writes to the file.
    db.pragma('journal_mode = WAL')
    // As the service's own database: a key that is lost while the service has its credential can never sign in again.
    db.pragma('synchronous = FULL')
    db.pragma('foreign_keys = ON')
    for (const [index, migration] of MIGRATIONS.entries()) {
      if (index < version) continue
      db.transaction(() => {
        db.exec(migration)
        db.pragma(`user_version = ${index + 1}`)
      })()
    }
    return ok(db)
  } catch (reason) {
    db.close()
    throw reason
  }
}
