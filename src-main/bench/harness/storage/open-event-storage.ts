import { existsSync, renameSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { Log } from '../../../core/protocol/log.ts'
import { migrate, schemaVersion } from '../../../core/protocol/migrate.ts'
import { err, ok, orNothing, type Result } from '../../../core/protocol/result.ts'
import { isDiskRefusalCode } from '../../../core/protocol/store-unavailable.ts'
import { ensureOwnerOnly } from '../../../disk/owner-only.ts'
import { type ReadProblem, type StorageLimits, sqliteEventStorage, toReadProblem } from './sqlite-event-storage.ts'

const MIGRATIONS = [
  `
  CREATE TABLE tracks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- NULL: it is forgotten, and its blocks are deleted bit by bit.
    workspace TEXT UNIQUE,
    reserved INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE blocks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    track INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    unit INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    UNIQUE (track, first),
    UNIQUE (track, last)
  ) STRICT;
  CREATE TABLE parts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    block INTEGER NOT NULL,
    before INTEGER NOT NULL,
    kinds TEXT NOT NULL,
    counts TEXT NOT NULL,
    texts BLOB NOT NULL,
    places BLOB NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX parts_of_block ON parts (block);
  `,
] as const

/**
 * `events.db`, in the folder of the service's database. The bench starts even without its events: an unusable file is
 * renamed, and if no new one can be made the events stay in memory (undefined). Both are logged.
 */
export const openEventStorage = (file: string, log: Log, limits: StorageLimits) => {
  const replace = (why: ReadProblem): Database.Database | undefined => {
    const name = setAside(file)
    log({ level: 'error', event: 'events set aside', file: name, ...why })
    const made = openEventsDatabase(file)
    if (!made.ok) {
      log({ level: 'error', event: 'events not kept', file, ...made.error })
      return undefined
    }
    takeNumbers(made.value, name)
    return made.value
  }
  try {
    const opened = openEventsDatabase(file)
    const db = opened.ok ? opened.value : replace(opened.error)
    const replaceClosed = (why: ReadProblem) => orNothing(() => replace(why)?.close())
    return db && sqliteEventStorage({ db, file, limits, log, replace: replaceClosed })
  } catch (reason) {
    if (!(reason instanceof Error)) throw reason
    log({ level: 'error', event: 'events not kept', file, error: reason.message })
    return undefined
  }
}

/** Opens and migrates the database. A thrown error may be temporary; a refusal is about the file. */
export const openEventsDatabase = (file: string): Result<Database.Database, ReadProblem> => {
  // A person who inspects the file holds its lock: waiting for it would block every request.
  const db = new Database(ensureOwnerOnly(file), { timeout: 0 })
  try {
    const version = schemaVersion(db)
    if (version > MIGRATIONS.length) {
      db.close()
      return err({ problem: { code: 'events_newer', params: { version, known: MIGRATIONS.length } } })
    }
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = NORMAL')
    migrate(db, MIGRATIONS)
    db.prepare('SELECT sum(reserved), sum(bytes) FROM tracks LEFT JOIN blocks ON tracks.id = track').get()
    return ok(db)
  } catch (reason) {
    db.close()
    if (!(reason instanceof Database.SqliteError) || isTemporary(reason.code)) throw reason
    return err(toReadProblem(reason))
  }
}

/** True for errors that can occur although the file is intact. */
const isTemporary = (code: string): boolean => code.startsWith('SQLITE_BUSY') || isDiskRefusalCode(code)

const setAside = (file: string): string => {
  let name = `${file}.set-aside`
  for (let n = 2; existsSync(name); n++) name = `${file}.set-aside-${n}`
  for (const end of ['', '-wal', '-shm']) if (existsSync(file + end)) renameSync(file + end, name + end)
  return name
}

/** Copies all readable event numbers, so that no number is given twice. The bench starts even without them. */
const takeNumbers = (db: Database.Database, from: string): void =>
  orNothing(() => {
    const damaged = new Database(from, { timeout: 0 })
    try {
      const insert = db.prepare('INSERT INTO tracks (workspace, reserved) VALUES (?, ?)')
      const rows = damaged.prepare('SELECT workspace, reserved FROM tracks WHERE workspace IS NOT NULL').raw()
      for (const row of rows.iterate()) insert.run(row)
    } finally {
      damaged.close()
    }
  })
