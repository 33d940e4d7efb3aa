import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openPhonesDatabase } from '../../../src-main/phone/storage/open-storage.ts'
import { sqliteStorage } from '../../../src-main/phone/storage/sqlite-storage.ts'
import { createLogSync, type LogSync, noSync } from '../../../src-main/service/store/sqlite/log-sync.ts'
import { startPhoneBench } from '../../support/phone-bench.ts'
import { taken } from '../../support/taken.ts'

const folder = mkdtempSync(join(tmpdir(), 'handset-power-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Copies the log when it was synced: no test can cut the power, but it can take what the disk is bound to hold. */
const watched = (sync: LogSync, onDisk: () => void): LogSync => ({ ...sync, synced: () => sync.synced().then(onDisk) })

/** How many keys of acknowledged registrations a loss of power takes. */
const lostWith = async (name: string, open: (log: string, onDisk: () => void) => LogSync): Promise<number> => {
  const file = join(folder, `${name}.db`)
  const db = taken(openPhonesDatabase(file))
  // What made the tables is on the disk; what comes after it is what is asked about.
  db.pragma('wal_checkpoint(TRUNCATE)')
  const synced = join(folder, `${name}.synced`)
  copyFileSync(`${file}-wal`, synced)
  const sync = open(`${file}-wal`, () => copyFileSync(`${file}-wal`, synced))
  const bench = await startPhoneBench({ storage: sqliteStorage(db, sync) })
  const phone = await bench.make({ storage: 'chip' })
  let lost = 0
  for (let n = 0; n < 3; n++) {
    const id = await bench.register(phone, 'chip')
    const copy = join(folder, `${name} ${n}.db`)
    copyFileSync(file, copy)
    copyFileSync(synced, `${copy}-wal`)
    const after = sqliteStorage(taken(openPhonesDatabase(copy)))
    const kept = after.chip({ workspace: 'main', phoneId: phone.id })
    if (!kept.some((one) => one.id === id)) lost++
    await after.close()
  }
  await bench.close()
  return lost
}

test('[phones.power] [store.power] a key whose credential the service has is on the disk, and would not be without the sync', async () => {
  expect(await lostWith('synced', (log, onDisk) => watched(createLogSync(log), onDisk))).toBe(0)
  expect(await lostWith('not synced', () => noSync)).toBe(3)
})

test('[phones.power] a wait where nothing was written since the last sync waits for none', async () => {
  const file = join(folder, 'shared.db')
  let syncs = 0
  const storage = sqliteStorage(
    taken(openPhonesDatabase(file)),
    watched(createLogSync(`${file}-wal`), () => void syncs++),
  )
  storage.savePhone('main', { id: 'phn_1', json: '{}' })
  await storage.synced()
  await storage.synced()
  expect(syncs).toBe(1)
  storage.savePhone('main', { id: 'phn_1', json: '{"name":"Alice"}' })
  await storage.synced()
  expect(syncs).toBe(2)
  await storage.close()
})
