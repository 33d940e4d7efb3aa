/**
 * Data of phones, apart from the service's database: a phone's secrets are never stored with the service's data.
 * Documents are JSON; the phones know their form, the storage does not.
 */

import Database from 'better-sqlite3'
import type { StartProblem } from '../../../core/contract/start-problems.ts'
import { parseJsonOrNothing } from '../../../core/protocol/json.ts'
import { migrate, schemaVersion } from '../../../core/protocol/migrate.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import { runInSlices, SLICE_COST, type SlicedWork } from '../../../core/protocol/slices.ts'
import { createWalSync, noSync, type WalSync } from '../../../disk/log-sync.ts'

export type ChipOwner = { readonly workspace: string; readonly phoneId: string }

export type SnapshotRef = { readonly workspace: string; readonly snapshot: string }

export type StoredDocument = { readonly id: string; readonly json: string }

/** Plain JSON. It contains secrets: it needs the same care as the data directory. */
export type StoredWorkspace = {
  readonly makers?: string
  readonly phones: readonly (StoredDocument & { readonly chip: readonly StoredDocument[] })[]
}

/** A refusal by the disk or the file, as opposed to a bug: full, read-only, broken. */
export const isStorageFailure = (reason: unknown): reason is Error =>
  reason instanceof Database.SqliteError || (reason instanceof Error && 'syscall' in reason)

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

/** `phones.db` next to, never inside, the service's database; `:memory:` for a bench without data. */
export const openPhoneStorage = (file: string): Result<PhoneStorage, StartProblem> => {
  const db = openPhonesDatabase(file)
  if (!db.ok) return db
  return ok(
    file === ':memory:'
      ? withDelayedSaves(sqliteStorage(db.value))
      : sqliteStorage(db.value, createWalSync(`${file}-wal`)),
  )
}

export const openPhonesDatabase = (file: string): Result<Database.Database, StartProblem> => {
  let db: Database.Database | undefined
  try {
    db = new Database(file)
    const version = schemaVersion(db)
    if (version > MIGRATIONS.length) {
      db.close()
      return err({ code: 'phones_newer', params: { file, version, known: MIGRATIONS.length } })
    }
    // After the version check: this writes to the file.
    db.pragma('journal_mode = WAL')
    // A commit writes the log; a caller that must not lose it waits for `synced`.
    db.pragma('synchronous = NORMAL')
    db.pragma('foreign_keys = ON')
    migrate(db, MIGRATIONS)
    return ok(db)
  } catch (reason) {
    db?.close()
    if (!(reason instanceof Database.SqliteError)) throw reason
    return err({ code: 'phones_refused', params: { file, message: reason.message } })
  }
}

/** The same storage, with each workspace's id replaced by its key; without the snapshots. */
export const withRowKeys = (storage: PhoneStorage, keyOf: (workspace: string) => string): PhoneStorage => {
  const owner = ({ workspace, phoneId }: ChipOwner): ChipOwner => ({ workspace: keyOf(workspace), phoneId })
  return {
    ...storage,
    phones: (workspace) => storage.phones(keyOf(workspace)),
    savePhone: (workspace, phone) => storage.savePhone(keyOf(workspace), phone),
    removePhone: (workspace, phoneId) => storage.removePhone(keyOf(workspace), phoneId),
    chip: (of) => storage.chip(owner(of)),
    saveInChip: (of, credential) => storage.saveInChip(owner(of), credential),
    removeFromChip: (of, id) => storage.removeFromChip(owner(of), id),
    clearChip: (of) => storage.clearChip(owner(of)),
    makers: (workspace) => storage.makers(keyOf(workspace)),
    saveMakers: (workspace, json) => storage.saveMakers(keyOf(workspace), json),
    snapshot: (workspace) => storage.snapshot(keyOf(workspace)),
    forget: (workspace) => storage.forget(keyOf(workspace)),
  }
}

/** Delays saves until the workspace is read, so that later ones replace earlier ones. For storage in memory only. */
export const withDelayedSaves = (storage: PhoneStorage): PhoneStorage => {
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

/** Saves per synced write; each sync counts as half a slice of work. */
const SAVED_AT_ONCE = 200
const WRITE_COST = SLICE_COST / 2

export type PhoneStorage = ReturnType<typeof sqliteStorage>

export const sqliteStorage = (db: Database.Database, sync: WalSync = noSync) => {
  const selectPhones = db.prepare<[string], StoredDocument>(
    'SELECT id, json FROM phones WHERE workspace = ? ORDER BY position',
  )
  const upsertPhone = db.prepare(
    'INSERT INTO phones (workspace, id, json) VALUES (?, ?, ?) ON CONFLICT (workspace, id) DO UPDATE SET json = excluded.json',
  )
  const deletePhone = db.prepare('DELETE FROM phones WHERE workspace = ? AND id = ?')
  const deletePhones = db.prepare('DELETE FROM phones WHERE workspace = ?')
  const selectChip = db.prepare<[string, string], StoredDocument>(
    'SELECT id, json FROM chip_credentials WHERE workspace = ? AND phone_id = ? ORDER BY position',
  )
  // A phone that was removed in between stores nothing in its chip.
  const upsertChip = db.prepare(
    `INSERT INTO chip_credentials (workspace, phone_id, id, json)
     SELECT @workspace, @phoneId, @id, @json
     WHERE EXISTS (SELECT 1 FROM phones WHERE workspace = @workspace AND id = @phoneId)
     ON CONFLICT (workspace, phone_id, id) DO UPDATE SET json = excluded.json`,
  )
  const deleteChip = db.prepare('DELETE FROM chip_credentials WHERE workspace = ? AND phone_id = ? AND id = ?')
  const deleteWholeChip = db.prepare('DELETE FROM chip_credentials WHERE workspace = ? AND phone_id = ?')
  const selectMakers = db.prepare<[string], string>('SELECT makers FROM workspaces WHERE workspace = ?').pluck()
  const upsertMakers = db.prepare('INSERT OR REPLACE INTO workspaces (workspace, makers) VALUES (?, ?)')
  const selectKeys = db.prepare('SELECT workspace FROM phones UNION SELECT workspace FROM workspaces').pluck()
  const upsertSnapshot = db.prepare('INSERT OR REPLACE INTO snapshots (workspace, id, json) VALUES (?, ?, ?)')
  const selectSnapshot = db.prepare('SELECT json FROM snapshots WHERE workspace = ? AND id = ?').pluck()
  const deleteSnapshot = db.prepare('DELETE FROM snapshots WHERE workspace = ? AND id = ?')
  const deleteSnapshots = db.prepare('DELETE FROM snapshots WHERE workspace = ?')
  const deleteMakers = db.prepare('DELETE FROM workspaces WHERE workspace = ?')

  const changes = db.prepare('SELECT total_changes()').pluck()
  let syncedChanges = changes.get()
  const synced = async (): Promise<void> => {
    const made = changes.get()
    if (made === syncedChanges) return sync.pending()
    syncedChanges = made
    try {
      await sync.synced()
    } catch (reason) {
      syncedChanges = undefined
      throw reason
    }
  }

  const snapshot = db.transaction((workspace: string): StoredWorkspace => {
    const makers = selectMakers.get(workspace)
    return {
      ...(makers === undefined ? {} : { makers }),
      phones: selectPhones.all(workspace).map((phone) => ({ ...phone, chip: selectChip.all(workspace, phone.id) })),
    }
  })
  const forget = db.transaction((workspace: string): void => {
    deletePhones.run(workspace)
    deleteMakers.run(workspace)
  })

  const runAll = db.transaction((writes: readonly (() => void)[]): void => {
    for (const write of writes) write()
  })
  function* keepPhones(key: string, phones: StoredWorkspace['phones']): SlicedWork<void> {
    let writes: (() => void)[] = []
    for (const { id: phoneId, json, chip } of phones) {
      writes.push(() => upsertPhone.run(key, phoneId, json))
      for (const kept of chip) {
        writes.push(() => upsertChip.run({ workspace: key, phoneId, id: kept.id, json: kept.json }))
        if (writes.length < SAVED_AT_ONCE) continue
        runAll(writes)
        writes = []
        yield WRITE_COST
      }
    }
    runAll(writes)
  }

  return {
    phones: (workspace: string): readonly StoredDocument[] => selectPhones.all(workspace),
    /** A phone that exists already keeps its position. */
    savePhone: (workspace: string, { id, json }: StoredDocument): void => void upsertPhone.run(workspace, id, json),
    /** Also removes everything in its chip. */
    removePhone: (workspace: string, phoneId: string): void => void deletePhone.run(workspace, phoneId),
    /** A chip's credentials, oldest first. */
    chip: ({ workspace, phoneId }: ChipOwner): readonly StoredDocument[] => selectChip.all(workspace, phoneId),
    /** False if the phone is missing, or removed by now. */
    saveInChip: (owner: ChipOwner, credential: StoredDocument) =>
      upsertChip.run({ ...owner, ...credential }).changes === 1,
    removeFromChip: ({ workspace, phoneId }: ChipOwner, id: string) =>
      deleteChip.run(workspace, phoneId, id).changes === 1,
    clearChip: ({ workspace, phoneId }: ChipOwner): void => void deleteWholeChip.run(workspace, phoneId),
    /** The makers' keys of the workspace's phones. */
    makers: (workspace: string) => selectMakers.get(workspace),
    saveMakers: (workspace: string, json: string): void => void upsertMakers.run(workspace, json),
    snapshot: (workspace: string) => snapshot(workspace),
    /** Stores under a key that nothing reads yet, in slices between other writes; resolves once on disk. */
    async keep(key: string, stored: StoredWorkspace): Promise<void> {
      if (stored.makers !== undefined) upsertMakers.run(key, stored.makers)
      await runInSlices(keepPhones(key, stored.phones))
      await synced()
    },
    keys: () => selectKeys.all() as readonly string[],
    /** Deletes all of the workspace's data but its snapshots. */
    forget: (workspace: string) => forget(workspace),
    /** Snapshots have the same secrets, so they are kept here too; the service keeps its own part under the same id. */
    keepSnapshot: ({ workspace, snapshot }: SnapshotRef, stored: StoredWorkspace): void =>
      void upsertSnapshot.run(workspace, snapshot, JSON.stringify(stored)),
    /** A damaged snapshot counts as missing. */
    keptSnapshot: ({ workspace, snapshot }: SnapshotRef) =>
      parseJsonOrNothing(String(selectSnapshot.get(workspace, snapshot) ?? '')) as StoredWorkspace | undefined,
    dropSnapshot: ({ workspace, snapshot }: SnapshotRef): void => void deleteSnapshot.run(workspace, snapshot),
    dropSnapshots: (workspace: string): void => void deleteSnapshots.run(workspace),
    /** Resolves when all data written before would survive a loss of power; concurrent callers share one sync. */
    synced,
    async close(): Promise<void> {
      await sync.close()
      db.close()
    },
  }
}
