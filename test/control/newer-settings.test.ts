import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startTestBench, type TestBench } from '../support/bench.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const RATE = { rate_limit_per_minute: 7 }
const FROZEN = { now: 946_684_800_000, speed: 1 }

describe('a directory whose settings a newer version stored, with keys that are not known here', () => {
  let folder: string
  let running: TestBench
  beforeEach(async () => {
    folder = temporaryFolder()
    running = await startTestBench({ data: folder })
    await running.client.call('workspaces.create', { body: { id: 'other', owner: 'ci' } })
    await running.close()
    inDatabase((db) => {
      const put = db.prepare("INSERT OR REPLACE INTO settings VALUES ('other', ?, ?)")
      put.run('profile', JSON.stringify({ ...RATE, tomorrow: 1 }))
      put.run('about', JSON.stringify({ owner: 'ci', tomorrow: 1, quota: { phones: 1, sessions: 2 } }))
      put.run('conditions', JSON.stringify({ scoped: [{ scope: { browser: 'b' }, rp: { fail_percent: 100 } }] }))
      put.run('clock', JSON.stringify({ ...FROZEN, tomorrow: 1 }))
    })
    running = await startTestBench({ data: folder })
  })
  afterEach(() => running.close())

  const inDatabase = <T>(work: (db: Database.Database) => T): T => {
    const db = new Database(join(folder, 'handset.db'))
    try {
      return work(db)
    } finally {
      db.close()
    }
  }
  const stored = (name: string) =>
    inDatabase((db) =>
      JSON.parse(
        String(
          db
            .prepare(
              `SELECT value FROM settings WHERE name = ? AND workspace =
                 (SELECT coalesce((SELECT row_key FROM workspaces WHERE id = 'other'), 'other'))`,
            )
            .pluck()
            .get(name),
        ),
      ),
    )
  const other = () => running.client.workspace('other')

  test('keeps them through a change, a snapshot that is restored and a document that is imported', async () => {
    await other().call('profile.patch', { body: { user_id_max: 9 } })
    expect(stored('profile')).toMatchObject({ ...RATE, user_id_max: 9, tomorrow: 1 })
    const { id } = await other().call('snapshots.create', { body: {} })
    const document = await other().call('workspace.export')
    await other().call('profile.reset', { body: {} })
    expect(stored('profile')).not.toHaveProperty('tomorrow')
    await other().call('snapshots.restore', { params: { id } })
    expect(stored('profile')).toMatchObject({ ...RATE, user_id_max: 9, tomorrow: 1 })
    await other().call('profile.reset', { body: {} })
    await other().call('workspace.import', { body: document })
    expect(stored('profile')).toMatchObject({ ...RATE, user_id_max: 9, tomorrow: 1 })
    expect(stored('about')).toMatchObject({ tomorrow: 1, quota: { phones: 1, sessions: 2 } })
  })

  test('keeps what a workspace is for when its settings are reset', async () => {
    await other().call('workspace.reset', { body: { settings: true } })
    const about = { owner: 'ci', tomorrow: 1, quota: { phones: 1, sessions: 2 } }
    expect(stored('about')).toEqual(about)
    await running.client.call('workspaces.patch', { params: { id: 'other' }, body: { owner: null } })
    expect(stored('about')).toEqual({ tomorrow: 1, quota: { phones: 1, sessions: 2 } })
  })
})
