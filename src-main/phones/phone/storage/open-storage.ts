import Database from 'better-sqlite3'
import type { StartProblem } from '../../../core/contract/start-problems.ts'
import { migrate, schemaVersion } from '../../../core/protocol/migrate.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import { createLogSync } from '../../../disk/log-sync.ts'
import type { PhoneStorage, StoredDocument } from './phone-storage.ts'
import { sqliteStorage } from './sqlite-storage.ts'

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

/**
 * A storage in memory, which ends with its phones: each change of a phone replaces the one before, and only what is there
 * when it is read is written.
 */
export const writtenWhenRead = (storage: PhoneStorage): PhoneStorage => {
  const waiting = new Map<string, Map<string, StoredDocument>>()

  const upToDate = (workspace: string): PhoneStorage => {
    const phones = waiting.get(workspace)
    waiting.delete(workspace)
    for (const phone of phones?.values() ?? []) storage.savePhone(workspace, phone)
    return storage
  }

  return {
    ...storage,
    phones: (workspace) => upToDate(workspace).phones(workspace),
    savePhone: (workspace, phone) => {
      const phones = waiting.get(workspace) ?? new Map<string, StoredDocument>()
      waiting.set(workspace, phones.set(phone.id, phone))
    },
    removePhone: (workspace, phoneId) => upToDate(workspace).removePhone(workspace, phoneId),
    saveInChip: (owner, credential) => upToDate(owner.workspace).saveInChip(owner, credential),
    snapshot: (workspace) => upToDate(workspace).snapshot(workspace),
    keep: (key, stored) => upToDate(key).keep(key, stored),
    keys: () => {
      for (const workspace of [...waiting.keys()]) upToDate(workspace)
      return storage.keys()
    },
    forget: (workspace) => {
      waiting.delete(workspace)
      storage.forget(workspace)
    },
  }
}
