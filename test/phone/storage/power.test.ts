import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openPhonesDatabase } from '../../../src-main/phone/storage/open-storage.ts'
import { sqliteStorage } from '../../../src-main/phone/storage/sqlite-storage.ts'
import { startPhoneBench } from '../../support/phone-bench.ts'
import { taken } from '../../support/taken.ts'

const folder = mkdtempSync(join(tmpdir(), 'handset-power-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/**
 * How many keys of acknowledged registrations a loss of power takes. No test can cut the power: it takes what SQLite says
 * the disk may not hold. With FULL each commit waits until the log is on the disk, with NORMAL the log's tail may be lost.
 */
const lostWith = async (synchronous: 'as it is opened' | 'NORMAL'): Promise<number> => {
  const file = join(folder, `${synchronous}.db`)
  const db = taken(openPhonesDatabase(file))
  if (synchronous === 'NORMAL') db.pragma('synchronous = NORMAL')
  // What made the tables is on the disk; what comes after it is what is asked about.
  db.pragma('wal_checkpoint(TRUNCATE)')
  const waits = db.pragma('synchronous', { simple: true }) === FULL
  const bench = await startPhoneBench({ storage: sqliteStorage(db) })
  const phone = await bench.make({ storage: 'chip' })
  let lost = 0
  for (let n = 0; n < 3; n++) {
    const id = await bench.register(phone, 'chip')
    const copy = join(folder, `${synchronous} ${n}.db`)
    copyFileSync(file, copy)
    if (waits) copyFileSync(`${file}-wal`, `${copy}-wal`)
    const after = sqliteStorage(taken(openPhonesDatabase(copy)))
    const kept = after.chip({ workspace: 'main', phoneId: phone.id })
    if (!kept.some((one) => one.id === id)) lost++
    after.close()
  }
  await bench.close()
  return lost
}

const FULL = 2

test('[phones.power] a key whose credential the service has is on the disk, and would not be with synchronous NORMAL', async () => {
  expect(await lostWith('as it is opened')).toBe(0)
  expect(await lostWith('NORMAL')).toBe(3)
})
