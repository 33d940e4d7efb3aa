import Database from 'better-sqlite3'
import type { StartProblem } from '../../../core/contract/start-problems.ts'
import { migrate, schemaVersion } from '../../../core/protocol/migrate.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import { createLogSync } from '../../../disk/log-sync.ts'
import type { PhoneStorage } from './phone-storage.ts'
import { sqliteStorage } from './sqlite-storage.ts'
import { writtenWhenRead } from './written-when-read.ts'

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
  CREATE TABLE snapshots (
    workspace TEXT NOT NULL,
    id TEXT NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (workspace, id)
  ) STRICT, WITHOUT ROWID;
  `,
] as const

/** `phones.db` beside, never inside, the service's database; `:memory:` for a bench without data. */
export const openPhoneStorage = (file: string): Result<PhoneStorage, StartProblem> => {
  const db = openPhonesDatabase(file)
  if (!db.ok) return db
  return ok(
    file === ':memory:'
      ? writtenWhenRead(sqliteStorage(db.value))
      : sqliteStorage(db.value, createLogSync(`${file}-wal`)),
  )
}

/** With every migration applied. */
export const openPhonesDatabase = (file: string): Result<Database.Database, StartProblem> => {
  try {
    return open(file)
  } catch (reason) {
    if (!(reason instanceof Database.SqliteError)) throw reason
    return err({ code: 'phones_refused', params: { file, message: reason.message } })
  }
}

const open = (file: string): Result<Database.Database, StartProblem> => {
  const db = new Database(file)
  try {
    const version = schemaVersion(db)
    if (version > MIGRATIONS.length) {
      db.close()
      return err({ code: 'phones_newer', params: { file, version, known: MIGRATIONS.length } })
    }
    // Only now: setting the journal mode writes to the file.
    db.pragma('journal_mode = WAL')
    // A commit writes the log; a caller that must not lose it waits for `synced`.
    db.pragma('synchronous = NORMAL')
    db.pragma('foreign_keys = ON')
    migrate(db, MIGRATIONS)
    return ok(db)
  } catch (reason) {
    db.close()
    throw reason
  }
}
