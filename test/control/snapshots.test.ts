import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cast, register, startTestBench, type TestBench } from '../support/bench.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let folder: string
let running: TestBench
const restart = async () => {
  await running.close()
  running = await startTestBench({ data: folder })
}
beforeEach(async () => {
  folder = temporaryFolder()
  running = await startTestBench({ data: folder })
})
afterEach(() => running.close())

const inPhonesFile = <T>(look: (db: Database.Database) => T): T => {
  const db = new Database(join(folder, 'phones.db'))
  try {
    return look(db)
  } finally {
    db.close()
  }
}

const keptByPhones = (): readonly unknown[] =>
  inPhonesFile((db) => db.prepare('SELECT id FROM snapshots').pluck().all())

const phoneNames = async (): Promise<readonly string[]> =>
  (await running.client.call('phones.list')).phones.map(({ name }) => name)

test('a snapshot brings the phones back after a restart, secrets and all', async () => {
  const who = await cast(running.client, { storage: 'cloud' })
  await register(running.client, who)
  const { id } = await running.client.call('snapshots.create', { body: { name: 'Registered' } })
  await running.client.call('phones.delete', { params: { id: who.phone } })
  await restart()
  expect(await phoneNames()).toEqual([])
  await running.client.call('snapshots.restore', { params: { id } })
  const { phones } = await running.client.call('phones.list')
  expect(phones).toMatchObject([{ id: who.phone, credentials: [{ storage: 'cloud' }] }])
})

test('a deleted snapshot takes the phones’ part with it, and a workspace that closes takes all of them', async () => {
  const { client } = running
  const first = await client.call('snapshots.create', { body: {} })
  const second = await client.call('snapshots.create', { body: {} })
  const other = await client.call('workspaces.create', { body: {} })
  await client.workspace(other.id).call('snapshots.create', { body: {} })
  expect(keptByPhones()).toHaveLength(3)
  await client.call('snapshots.delete', { params: { id: first.id } })
  await client.call('workspaces.close', { params: { id: other.id } })
  expect(keptByPhones()).toEqual([second.id])
})

test('a reset leaves the snapshots, and they can still be gone back to', async () => {
  await cast(running.client)
  const { id } = await running.client.call('snapshots.create', { body: {} })
  await running.client.call('workspace.reset', { body: { settings: true } })
  expect(await phoneNames()).toEqual([])
  await running.client.call('snapshots.restore', { params: { id } })
  expect(await phoneNames()).toEqual(['Alice’s phone'])
})

test('a snapshot without its phones is refused, and nothing is touched', async () => {
  const { id } = await running.client.call('snapshots.create', { body: {} })
  await cast(running.client)
  inPhonesFile((db) => db.prepare('DELETE FROM snapshots').run())
  await expect(running.client.call('snapshots.restore', { params: { id } })).rejects.toMatchObject({ code: 40902 })
  expect(await phoneNames()).toEqual(['Alice’s phone'])
})

test('a deletion that is taken back gives a snapshot that can be restored, phones and all', async () => {
  const who = await cast(running.client, { storage: 'chip' })
  await register(running.client, who)
  const { id } = await running.client.call('snapshots.create', { body: {} })
  await running.client.call('snapshots.delete', { params: { id } })
  await running.client.call('phones.delete', { params: { id: who.phone } })
  await running.client.call('snapshots.undelete', { params: { id }, body: {} })
  await restart()
  await running.client.call('snapshots.restore', { params: { id } })
  const { phones } = await running.client.call('phones.list')
  expect(phones).toMatchObject([{ id: who.phone, credentials: [{ storage: 'chip' }] }])
})

test('a snapshot whose phones’ part cannot be stored is not listed, neither made nor taken back', async () => {
  const { client } = running
  const { id } = await client.call('snapshots.create', { body: {} })
  await client.call('snapshots.delete', { params: { id } })
  inPhonesFile((db) =>
    db.exec("CREATE TRIGGER refuse BEFORE INSERT ON snapshots BEGIN SELECT RAISE(ABORT, 'refused'); END"),
  )
  await expect(client.call('snapshots.create', { body: {} })).rejects.toThrow()
  await expect(client.call('snapshots.undelete', { params: { id }, body: {} })).rejects.toThrow()
  expect((await client.call('snapshots.list')).snapshots).toEqual([])
  inPhonesFile((db) => db.exec('DROP TRIGGER refuse'))
  await client.call('snapshots.undelete', { params: { id }, body: {} })
  await client.call('snapshots.restore', { params: { id } })
})

test('a snapshot that the service cannot store leaves nothing of the phones behind', async () => {
  const db = new Database(join(folder, 'handset.db'))
  db.exec("CREATE TRIGGER refuse BEFORE INSERT ON snapshots BEGIN SELECT RAISE(ABORT, 'refused'); END")
  db.close()
  await expect(running.client.call('snapshots.create', { body: {} })).rejects.toThrow()
  expect(keptByPhones()).toEqual([])
})
