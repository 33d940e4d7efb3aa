import Database from 'better-sqlite3'
import type { StartProblem } from '../../../core/contract/start-problems.ts'
import { parseJsonOrNothing } from '../../../core/protocol/json.ts'
import { migrate, schemaVersion } from '../../../core/protocol/migrate.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import { runInSlices, SLICE_COST, type SlicedWork } from '../../../core/protocol/slices.ts'
import { createWalSync, noSync, type WalSync } from '../../../disk/log-sync.ts'
import type { ChipOwner, PhoneStorage, StoredDocument, StoredWorkspace } from './phone-storage.ts'

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
    // After the version check: this writes to the file.
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

/** A damaged snapshot counts as missing. */
const readSnapshot = (json: string): StoredWorkspace | undefined =>
  parseJsonOrNothing(json) as StoredWorkspace | undefined

type Row = { readonly id: string; readonly json: string }

const documents = (rows: readonly unknown[]): readonly StoredDocument[] =>
  (rows as readonly Row[]).map(({ id, json }) => ({ id, json }))

export const sqliteStorage = (db: Database.Database, sync: WalSync = noSync): PhoneStorage => {
  const selectPhones = db.prepare('SELECT id, json FROM phones WHERE workspace = ? ORDER BY position')
  const upsertPhone = db.prepare(
    'INSERT INTO phones (workspace, id, json) VALUES (?, ?, ?) ON CONFLICT (workspace, id) DO UPDATE SET json = excluded.json',
  )
  const deletePhone = db.prepare('DELETE FROM phones WHERE workspace = ? AND id = ?')
  const deletePhones = db.prepare('DELETE FROM phones WHERE workspace = ?')
  const selectChip = db.prepare(
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
  const selectMakers = db.prepare('SELECT makers FROM workspaces WHERE workspace = ?').pluck()
  const upsertMakers = db.prepare(
    'INSERT INTO workspaces (workspace, makers) VALUES (?, ?) ON CONFLICT (workspace) DO UPDATE SET makers = excluded.makers',
  )
  const selectKeys = db.prepare('SELECT workspace FROM phones UNION SELECT workspace FROM workspaces').pluck()
  const upsertSnapshot = db.prepare(
    'INSERT INTO snapshots (workspace, id, json) VALUES (?, ?, ?) ON CONFLICT (workspace, id) DO UPDATE SET json = excluded.json',
  )
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

  const chip = ({ workspace, phoneId }: ChipOwner): readonly StoredDocument[] =>
    documents(selectChip.all(workspace, phoneId))
  const makers = (workspace: string): string | undefined => selectMakers.get(workspace) as string | undefined
  const forget = (workspace: string): void => {
    deletePhones.run(workspace)
    deleteMakers.run(workspace)
  }

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
    phones: (workspace) => documents(selectPhones.all(workspace)),
    savePhone: (workspace, { id, json }) => void upsertPhone.run(workspace, id, json),
    removePhone: (workspace, phoneId) => void deletePhone.run(workspace, phoneId),
    chip,
    saveInChip: (owner, credential) => upsertChip.run({ ...owner, ...credential }).changes === 1,
    removeFromChip: ({ workspace, phoneId }, id) => deleteChip.run(workspace, phoneId, id).changes === 1,
    clearChip: ({ workspace, phoneId }) => void deleteWholeChip.run(workspace, phoneId),
    makers,
    saveMakers: (workspace, json) => void upsertMakers.run(workspace, json),
    snapshot: db.transaction((workspace: string): StoredWorkspace => {
      const kept = makers(workspace)
      return {
        ...(kept === undefined ? {} : { makers: kept }),
        phones: documents(selectPhones.all(workspace)).map((phone) => ({
          ...phone,
          chip: chip({ workspace, phoneId: phone.id }),
        })),
      }
    }),
    keep: async (key, stored) => {
      if (stored.makers !== undefined) upsertMakers.run(key, stored.makers)
      await runInSlices(keepPhones(key, stored.phones))
      await synced()
    },
    keys: () => selectKeys.all() as readonly string[],
    forget: db.transaction(forget),
    keepSnapshot: ({ workspace, snapshot }, stored) =>
      void upsertSnapshot.run(workspace, snapshot, JSON.stringify(stored)),
    keptSnapshot: ({ workspace, snapshot }) => {
      const json = selectSnapshot.get(workspace, snapshot)
      return json === undefined ? undefined : readSnapshot(String(json))
    },
    dropSnapshot: ({ workspace, snapshot }) => void deleteSnapshot.run(workspace, snapshot),
    dropSnapshots: (workspace) => void deleteSnapshots.run(workspace),
    synced,
    close: async () => {
      await sync.close()
      db.close()
    },
  }
}
