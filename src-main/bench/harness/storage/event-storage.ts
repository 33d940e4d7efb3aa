import { existsSync, renameSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import Database from 'better-sqlite3'
import type { LogProblem } from '../../../core/contract/log-problems.ts'
import type { Log } from '../../../core/protocol/log.ts'
import { migrate, schemaVersion } from '../../../core/protocol/migrate.ts'
import { err, ok, orNothing, type Result } from '../../../core/protocol/result.ts'
import { isDiskRefusalCode } from '../../../core/protocol/store-unavailable.ts'
import { createWalSync } from '../../../disk/log-sync.ts'
import { ensureOwnerOnly } from '../../../disk/owner-only.ts'
import {
  type BlockPart,
  type BlockReader,
  createBlockReader,
  type Direction,
  joinParts,
  lastRecord,
  type StoredBlocks,
} from '../tape.ts'

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

/** The reason why events cannot be read: our own finding, or the database's error. */
type ReadProblem =
  | { readonly workspace?: string; readonly problem: LogProblem }
  | { readonly code: string; readonly error: string }

const toReadProblem = ({ code, message }: InstanceType<typeof Database.SqliteError>): ReadProblem => ({
  code,
  error: message,
})

export type UnsavedEvents = {
  readonly workspace: string
  readonly parts: readonly BlockPart[]
  /** The next run counts from this number, so that no number is given out again after a kill. */
  readonly reserved: number
}

/** `events` and `bytes` for each workspace, `allBytes` for all together. */
export const STORAGE_LIMITS = { events: 100_000, bytes: 64 * 2 ** 20, allBytes: 2 ** 30 }
export type StorageLimits = Readonly<typeof STORAGE_LIMITS>

type Parts = {
  readonly db: Database.Database
  readonly file: string
  readonly limits: StorageLimits
  readonly log: Log
  readonly replace: (why: ReadProblem) => void
}

/** Blocks per deletion; requests run in between. */
const SWEPT = 16

export type EventStorage = ReturnType<typeof sqliteEventStorage>

/** Writing functions throw the disk's errors. */
export const sqliteEventStorage = ({ db, file, limits, log, replace }: Parts) => {
  const upsertTrack = db
    .prepare(
      `INSERT INTO tracks (workspace, reserved) VALUES (?, ?)
       ON CONFLICT (workspace) DO UPDATE SET reserved = excluded.reserved RETURNING id`,
    )
    .pluck()
  const insertBlock = db
    .prepare('INSERT INTO blocks (track, first, last, unit, bytes) VALUES (?, ?, ?, ?, ?) RETURNING id')
    .pluck()
  const extendBlock = db
    .prepare('UPDATE blocks SET last = ?, bytes = bytes + ? WHERE track = ? AND first = ? RETURNING id')
    .pluck()
  const insertPart = db.prepare(
    `INSERT INTO parts (block, before, kinds, counts, texts, places, checksum)
     VALUES (@block, @before, @kinds, @counts, @texts, @places, @checksum)`,
  )
  const selectSums = db.prepare(
    'SELECT sum(last - first + 1) AS events, sum(bytes) AS bytes FROM blocks WHERE track = ?',
  )
  const selectAllBytes = db.prepare('SELECT coalesce(sum(bytes), 0) FROM blocks').pluck()
  // The latest block of a workspace always stays.
  const older = 'first < (SELECT max(first) FROM blocks latest WHERE latest.track = blocks.track)'
  const selectOldestOf = db.prepare(`SELECT * FROM blocks WHERE track = ? AND ${older} ORDER BY first LIMIT 1`)
  const selectOldest = db.prepare(`SELECT * FROM blocks WHERE ${older} ORDER BY id LIMIT 1`)
  const deleteParts = db.prepare('DELETE FROM parts WHERE block = ?')
  const deleteBlock = db.prepare('DELETE FROM blocks WHERE id = ?')
  const forgetTrack = db.prepare('UPDATE tracks SET workspace = NULL WHERE workspace = ?')
  const forgetOthers = db.prepare(
    'UPDATE tracks SET workspace = NULL WHERE workspace NOT IN (SELECT value FROM json_each(?))',
  )
  const selectForgotten = db.prepare(
    'SELECT blocks.* FROM blocks JOIN tracks ON tracks.id = track WHERE workspace IS NULL LIMIT ?',
  )
  const deleteForgotten = db.prepare('DELETE FROM tracks WHERE workspace IS NULL')

  let damage: ReadProblem | undefined
  let isReported = false
  const report = (why: ReadProblem): void => {
    if (!isReported) log({ level: 'error', event: 'events not read', file, ...why })
    isReported = true
  }
  /** If the whole file is damaged, close() replaces it; until then events stay in memory. */
  const noteDamage = (reason: unknown): void => {
    if (reason instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(reason.code))
      damage = toReadProblem(reason)
  }
  const reader = createBlocksReader(db, {
    unreadable: ({ workspace, first, last }) =>
      report({ workspace, problem: { code: 'events_damaged', params: { first, last } } }),
    attempt: (read) => {
      try {
        return read()
      } catch (reason) {
        if (!(reason instanceof Database.SqliteError)) throw reason
        noteDamage(reason)
        report(toReadProblem(reason))
        return undefined
      }
    },
  })
  const sync = createWalSync(`${file}-wal`)
  /** Workspaces that were forgotten since the last save; the file does not show this yet. */
  const forgotten = new Set<string>()

  const remove = ({ id }: BlockRow): void => {
    deleteParts.run(id)
    deleteBlock.run(id)
  }
  const removeOldest = (track: number): void => {
    let { events, bytes } = selectSums.get(track) as { events: number; bytes: number }
    while (events > limits.events || bytes > limits.bytes) {
      const oldest = selectOldestOf.get(track) as BlockRow | undefined
      if (oldest === undefined) return
      remove(oldest)
      events -= oldest.last - oldest.first + 1
      bytes -= oldest.bytes
    }
  }
  const removeOldestOfAll = (): void => {
    let bytes = selectAllBytes.get() as number
    while (bytes > limits.allBytes) {
      const oldest = selectOldest.get() as BlockRow | undefined
      if (oldest === undefined) return
      remove(oldest)
      bytes -= oldest.bytes
    }
  }

  const savePart = (track: number, part: BlockPart): void => {
    const row = rowOf(part)
    const { block: first, before, kinds, unit } = part
    const last = first + before + kinds.length - 1
    const id =
      before === 0
        ? insertBlock.get(track, first, last, unit, sizeOf(row))
        : extendBlock.get(last, sizeOf(row), track, first)
    // Without its beginning a block cannot be read.
    if (id !== undefined) insertPart.run({ ...row, block: id })
  }
  const saveAll = db.transaction((batch: readonly UnsavedEvents[]): void => {
    for (const workspace of forgotten) forgetTrack.run(workspace)
    let grew = false
    for (const { workspace, parts, reserved } of batch) {
      const track = upsertTrack.get(workspace, reserved) as number
      for (const part of parts) savePart(track, part)
      if (!parts.some(({ before }) => before === 0)) continue
      removeOldest(track)
      grew = true
    }
    if (grew) removeOldestOfAll()
  })

  return {
    blocksOf: (workspace: string): StoredBlocks =>
      forgotten.has(workspace)
        ? { last: 0, first: () => undefined, near: () => undefined }
        : reader.blocksOf(workspace),
    /** Saves in one transaction, and drops the oldest events beyond the limits. */
    save: (batch: readonly UnsavedEvents[]): void => {
      try {
        saveAll(batch)
      } catch (reason) {
        noteDamage(reason)
        throw reason
      }
      forgotten.clear()
      // No request waits for the sync: a power loss may lose the last events.
      sync.synced().catch(() => undefined)
    },
    /** The next save also forgets the workspace in the file. */
    forget: (workspace: string): void => {
      forgotten.add(workspace)
      reader.forget()
    },
    keepOnly: (workspaces: readonly string[]): void => void forgetOthers.run(JSON.stringify(workspaces)),
    /** Deletes some of the forgotten events; true: there are more. */
    sweep: db.transaction((): boolean => {
      const rows = selectForgotten.all(SWEPT) as readonly BlockRow[]
      for (const row of rows) remove(row)
      if (rows.length === 0) deleteForgotten.run()
      return rows.length > 0
    }),
    close: async (): Promise<void> => {
      await sync.close()
      db.close()
      if (damage !== undefined) replace(damage)
    },
  }
}

type BlockRow = {
  readonly id: number
  readonly first: number
  readonly last: number
  readonly unit: number
  readonly bytes: number
}

type BlocksReaderOptions = {
  /** Called for blocks that cannot be read; they count as missing. */
  readonly unreadable: (block: BlockRow & { readonly workspace: string }) => void
  /** Returns undefined if the database refuses the read. */
  readonly attempt: <T>(read: () => T) => T | undefined
}

const createBlocksReader = (db: Database.Database, { unreadable, attempt }: BlocksReaderOptions) => {
  const ofWorkspace = 'FROM blocks JOIN tracks ON tracks.id = track WHERE workspace = ?'
  const selectReserved = db.prepare('SELECT reserved FROM tracks WHERE workspace = ?').pluck()
  const selectFirst = db.prepare(`SELECT min(first) ${ofWorkspace}`).pluck()
  const selectNext = db.prepare(`SELECT blocks.* ${ofWorkspace} AND last >= ? ORDER BY last LIMIT 1`)
  const selectBefore = db.prepare(`SELECT blocks.* ${ofWorkspace} AND first <= ? ORDER BY first DESC LIMIT 1`)
  const selectParts = db.prepare('SELECT * FROM parts WHERE block = ? ORDER BY id')

  /** Readers of one event mostly read its neighbours as well. */
  let recent: { readonly workspace: string; readonly reader: BlockReader } | undefined

  const load = (row: BlockRow): BlockReader | undefined => {
    const parts = (selectParts.all(row.id) as readonly PartRow[]).map((part) => partOf(part, row))
    const block = parts.every((part) => part !== undefined) ? joinParts(parts) : undefined
    return block && createBlockReader(block)
  }

  const near = (workspace: string, n: number, step: Direction): BlockReader | undefined => {
    if (recent?.workspace === workspace) {
      const { block } = recent.reader
      if (block.first <= n && n <= lastRecord(block)) return recent.reader
    }
    const select = step === 1 ? selectNext : selectBefore
    let row = select.get(workspace, n) as BlockRow | undefined
    while (row !== undefined) {
      const reader = load(row)
      if (reader !== undefined) {
        recent = { workspace, reader }
        return reader
      }
      unreadable({ ...row, workspace })
      row = select.get(workspace, step === 1 ? row.last + 1 : row.first - 1) as BlockRow | undefined
    }
    return undefined
  }

  return {
    blocksOf: (workspace: string): StoredBlocks => ({
      last: attempt(() => selectReserved.get(workspace) as number | undefined) ?? 0,
      first: () => attempt(() => selectFirst.get(workspace) as number | null) ?? undefined,
      near: (n, step) => attempt(() => near(workspace, n, step)),
    }),
    forget: (): void => {
      recent = undefined
    },
  }
}

type PartRow = {
  readonly before: number
  readonly kinds: string
  readonly counts: string
  readonly texts: Uint8Array
  readonly places: Uint8Array
  /** SQLite does not notice a flipped bit. */
  readonly checksum: number
}

const rowOf = ({ before, kinds, counts, texts, places }: BlockPart): PartRow => {
  const row = { before, kinds: kinds.join(), counts: counts.join(), texts, places }
  return { ...row, checksum: checksumOf(row) }
}

const sizeOf = ({ kinds, counts, texts, places }: PartRow): number =>
  kinds.length + counts.length + texts.length + places.length

/** Undefined if the row differs from the part that was written. */
const partOf = (row: PartRow, { first, unit }: { readonly first: number; readonly unit: number }) => {
  if (checksumOf(row) !== row.checksum) return undefined
  const { before, texts, places } = row
  const counts = row.counts.split(',').map(Number)
  return { block: first, unit, before, kinds: row.kinds.split(','), counts, texts, places } satisfies BlockPart
}

const checksumOf = ({ before, kinds, counts, texts, places }: Omit<PartRow, 'checksum'>): number =>
  crc32(places, crc32(texts, crc32(`${before};${kinds};${counts}`)))
