import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ClockSetting } from '../../../src-main/bench/harness/clock.ts'
import { ALICE, cast, register, START, startTestBench, type TestBench } from '../../support/bench.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let folder: string
let running: TestBench
beforeEach(async () => {
  folder = temporaryFolder()
  running = await startTestBench({ data: folder })
})
afterEach(() => running.close())

/** What happens between the end of one process and the start of the next. */
const restart = async (meanwhile: () => void = () => undefined, clock?: ClockSetting) => {
  await running.close()
  meanwhile()
  running = await startTestBench({ data: folder, ...(clock === undefined ? {} : { clock }) })
}

const inFile = <T>(file: string, look: (db: Database.Database) => T): T => {
  const db = new Database(join(folder, file))
  try {
    return look(db)
  } finally {
    db.close()
  }
}

const inStore = <T>(look: (db: Database.Database) => T): T => inFile('handset.db', look)

/** As if the process had ended an hour earlier than it did. */
const anHourGoesBy = () =>
  inStore((db) =>
    db
      .prepare(
        "UPDATE settings SET value = json_set(value, '$.real', json_extract(value, '$.real') - 3600000) WHERE name = 'clock'",
      )
      .run(),
  )

const keptClocks = (): readonly unknown[] =>
  inStore((db) => db.prepare("SELECT workspace FROM settings WHERE name = 'clock' AND workspace != ''").pluck().all())

const clock = async () => {
  const { now, frozen, speed } = await running.client.call('clock.get')
  return { now, frozen, speed }
}

const put = (body: ClockSetting) => running.client.call('clock.put', { body })

const HOUR = 3_600_000

test('[clock.kept] after a restart: a frozen clock stands exactly where it was acknowledged', async () => {
  const told = await put({ frozen: true })
  await restart()
  expect(await clock()).toEqual({ now: told.now, frozen: true, speed: 1 })
  await put({ now: START, speed: 7 })
  await restart()
  expect(await clock()).toEqual({ now: START, frozen: true, speed: 7 })
})

test('after a restart: each workspace has its own clock, and one that is opened again has no other’s', async () => {
  const { id } = await running.client.call('workspaces.create', { body: { id: 'two' } })
  await running.client.workspace(id).call('clock.put', { body: { now: START, frozen: true } })
  await restart()
  expect((await clock()).frozen).toBe(false)
  expect(await running.client.workspace(id).call('clock.get')).toMatchObject({ now: START, frozen: true })
  await running.client.call('workspaces.close', { params: { id } })
  await running.client.call('workspaces.create', { body: { id } })
  expect(await running.client.workspace(id).call('clock.get')).toMatchObject({ frozen: false })
  await restart()
  expect(await running.client.workspace(id).call('clock.get')).toMatchObject({ frozen: false })
})

test('[clock.kept] after a restart: what came due meanwhile rings: a message is timed out without anybody asking', async () => {
  const { rp } = await cast(running.client)
  await put({ now: START })
  const { msg_id } = await running.client.call('simulator.register', {
    params: { rp },
    body: { ...ALICE, poll: false },
  })
  await restart(anHourGoesBy)
  const event = await running.client.call('events.wait', {
    body: { match: { kind: 'message', to: 'timeout', msg_id }, after: 0 },
  })
  expect(event).toMatchObject({ actor: { kind: 'clock' }, from: 'init' })
})

test('what replaces a workspace: a restored snapshot leaves the clock where the snapshot was made, after a restart too', async () => {
  await put({ now: START, frozen: true })
  const { id } = await running.client.call('snapshots.create', { body: {} })
  await running.client.call('clock.put', { body: { real: true } })
  await running.client.call('snapshots.restore', { params: { id } })
  await restart()
  expect(await clock()).toEqual({ now: START, frozen: true, speed: 1 })
})

test('what replaces a workspace: a reset takes the phones away and puts the clock back to real time, for good', async () => {
  await cast(running.client)
  await put({ now: START, frozen: true })
  await running.client.call('workspace.reset', { body: {} })
  await restart()
  expect((await clock()).frozen).toBe(false)
  expect(keptClocks()).toEqual([])
  expect(await phoneNames()).toEqual([])
})

test('what replaces a workspace: an imported workspace brings its clock along, and messages under way stay under way', async () => {
  const { rp } = await cast(running.client)
  await put({ now: START, frozen: true, speed: 2 })
  const { msg_id } = await running.client.call('simulator.register', {
    params: { rp },
    body: { ...ALICE, poll: false },
  })
  const document = await running.client.call('workspace.export')
  await running.client.call('clock.put', { body: { real: true } })
  await put({ now: START + HOUR })
  await running.client.call('workspace.import', { body: document })
  expect(await clock()).toEqual({ now: START, frozen: true, speed: 2 })
  await restart()
  expect(await clock()).toEqual({ now: START, frozen: true, speed: 2 })
  expect((await running.client.call('messages.get', { params: { id: msg_id } })).state).toBe('init')
})

test('what replaces a workspace: a document without a clock leaves the workspace its own', async () => {
  const { clock: _, ...document } = await running.client.call('workspace.export')
  await put({ now: START, frozen: true })
  await running.client.call('workspace.import', { body: document })
  await restart()
  expect(await clock()).toEqual({ now: START, frozen: true, speed: 1 })
})

const TOLD = { now: START, frozen: true }

test('a clock that the configuration tells sets the clock of main when it is told for the first time, over what was kept', async () => {
  await put({ now: START + HOUR, speed: 5 })
  await restart(undefined, TOLD)
  expect(await clock()).toEqual({ now: START, frozen: true, speed: 1 })
})

test('a clock that the configuration tells does not take back what was set since, when the next start is told the same', async () => {
  await restart(undefined, TOLD)
  await running.client.call('clock.advance', { body: { ms: 1000 } })
  await restart(undefined, TOLD)
  expect((await clock()).now).toBe(START + 1000)
  await running.client.call('clock.put', { body: { real: true } })
  await restart(undefined, TOLD)
  expect((await clock()).frozen).toBe(false)
  await running.client.call('workspace.reset', { body: { settings: true } })
  await restart(undefined, TOLD)
  expect((await clock()).frozen).toBe(false)
})

test('a clock that the configuration tells sets it again when it is told differently, or again after a start without', async () => {
  await restart(undefined, TOLD)
  await restart(undefined, { ...TOLD, now: START + HOUR })
  expect((await clock()).now).toBe(START + HOUR)
  await restart()
  expect((await clock()).now).toBe(START + HOUR)
  await restart(undefined, TOLD)
  expect((await clock()).now).toBe(START)
})

test('a clock that the configuration tells goes on in the next process as it ran, even untouched', async () => {
  await restart(undefined, { now: START })
  await restart(anHourGoesBy, { now: START })
  expect((await clock()).now).toBeGreaterThanOrEqual(START + HOUR)
})

test('a clock that the configuration tells is where a new workspace starts, and one that was there before keeps its own', async () => {
  await running.client.call('workspaces.create', { body: { id: 'before' } })
  await restart(undefined, TOLD)
  await running.client.call('workspaces.create', { body: { id: 'since' } })
  const { client } = running
  expect(await client.workspace('since').call('clock.get')).toMatchObject({ now: START, frozen: true })
  expect(await client.workspace('before').call('clock.get')).toMatchObject({ frozen: false })
  await restart()
  expect(await running.client.workspace('since').call('clock.get')).toMatchObject({ now: START, frozen: true })
})

const inPhonesFile = <T>(look: (db: Database.Database) => T): T => inFile('phones.db', look)
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

test('a snapshot without its phones is refused, and nothing is touched', async () => {
  const { id } = await running.client.call('snapshots.create', { body: {} })
  await cast(running.client)
  inPhonesFile((db) => db.prepare('DELETE FROM snapshots').run())
  await expect(running.client.call('snapshots.restore', { params: { id } })).rejects.toMatchObject({ code: 40902 })
  expect(await phoneNames()).toEqual(['Alice’s phone'])
})

const REFUSING = "CREATE TRIGGER refuse BEFORE INSERT ON snapshots BEGIN SELECT RAISE(ABORT, 'refused'); END"

test('a snapshot whose phones’ part cannot be stored is not listed, neither made nor taken back', async () => {
  const { client } = running
  const { id } = await client.call('snapshots.create', { body: {} })
  await client.call('snapshots.delete', { params: { id } })
  inPhonesFile((db) => db.exec(REFUSING))
  await expect(client.call('snapshots.create', { body: {} })).rejects.toThrow()
  await expect(client.call('snapshots.undelete', { params: { id }, body: {} })).rejects.toThrow()
  expect((await client.call('snapshots.list')).snapshots).toEqual([])
  inPhonesFile((db) => db.exec('DROP TRIGGER refuse'))
  await client.call('snapshots.undelete', { params: { id }, body: {} })
  await client.call('snapshots.restore', { params: { id } })
})

test('a snapshot that the service cannot store leaves nothing of the phones behind', async () => {
  inStore((db) => db.exec(REFUSING))
  await expect(running.client.call('snapshots.create', { body: {} })).rejects.toThrow()
  expect(keptByPhones()).toEqual([])
})

const trusted = async (): Promise<readonly string[]> =>
  (await running.client.call('roots.list')).roots.map(({ name }) => name).toSorted()

const EARLY = ['android-key', 'android-safetynet', 'apple', 'packed', 'tpm'].map((format) => `Handset ${format}`)
const ALL = [...EARLY, 'Handset fido-u2f'].toSorted()

test('the makers of a workspace’s phones are not made for phones that do not attest', async () => {
  expect(await register(running.client, await cast(running.client))).toMatchObject({ status: 'success' })
  const document = JSON.stringify(await running.client.call('workspace.export'))
  expect(document).not.toContain('Handset packed')
})

test('the makers of a workspace’s phones are trusted when they are first needed, before the phone attests', async () => {
  await running.client.call('profile.patch', { body: { attestation: 'require-trusted' } })
  const who = await cast(running.client, { model: 'granite-one' })
  expect(await register(running.client, who)).toMatchObject({ status: 'success' })
  expect(await trusted()).toEqual(EARLY)
})

test('the makers of a workspace’s phones have no RSA key until a U2F phone attests, and are trusted then, after a restart too', async () => {
  expect(await trusted()).toEqual(EARLY)
  await running.client.call('profile.patch', { body: { attestation: 'require-trusted' } })
  const who = await cast(running.client, { model: 'token-u2f' })
  expect(await trusted()).toEqual(EARLY)
  expect(await register(running.client, who)).toMatchObject({ status: 'success' })
  expect(await trusted()).toEqual(ALL)
  const before = await running.client.call('roots.export')
  await restart()
  expect(await running.client.call('roots.export')).toEqual(before)
  expect(await trusted()).toEqual(ALL)
})

test('the makers of a workspace’s phones are made once when two U2F phones attest at the same time', async () => {
  await running.client.call('profile.patch', { body: { attestation: 'require-trusted' } })
  const first = await cast(running.client, { model: 'token-u2f' })
  const second = await cast(running.client, { model: 'token-u2f', account: { name: 'Bo', phone: '13900001111' } })
  const done = await Promise.all([register(running.client, first), register(running.client, second)])
  expect(done).toMatchObject([{ status: 'success' }, { status: 'success' }])
  expect(await trusted()).toEqual(ALL)
})

test('the makers of a workspace’s phones are all in the file of roots, which makes those that were not needed yet', async () => {
  const { pem } = await running.client.call('roots.export')
  expect(pem.match(/BEGIN CERTIFICATE/g)).toHaveLength(ALL.length)
  expect(await trusted()).toEqual(ALL)
})
