import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { StoreUnavailable } from '../../src-main/core/protocol/store-unavailable.ts'
import { createWalSync, type WalSync } from '../../src-main/disk/log-sync.ts'
import { type PushPosition, sendMissedPushes } from '../../src-main/service/inbox/deliver-pushes.ts'
import { announceBench, countBoot, readRunningBench } from '../../src-main/service/store/announce-bench.ts'
import { openSqlite, openStore, type StoreLocation } from '../../src-main/service/store/open-store.ts'
import { migrations } from '../../src-main/service/store/sqlite/migrations.ts'
import { sqliteStore } from '../../src-main/service/store/sqlite/sqlite-store.ts'
import type { Rows } from '../../src-main/service/store/store.ts'
import { tables } from '../../src-main/service/store/tables.ts'
import { startTestBench } from '../support/bench.ts'
import { deviceRecord, messageRecord, rpRecord } from '../support/service/records.ts'
import { taken } from '../support/taken.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { storeContract } from './store-contract.ts'

const open = async (location: StoreLocation) => {
  const store = await openStore(location)
  if (!store.ok) throw new Error(store.error.code)
  return store.value
}

storeContract('memory', () => open({ kind: 'memory' }))
storeContract('a directory', () => open({ kind: 'directory', path: temporaryFolder() }))

test('the SQLite tables have exactly the columns that the table list names, and a workspace', () => {
  const db = new Database(':memory:')
  for (const migration of migrations) db.exec(migration)
  for (const [name, { columns }] of Object.entries(tables)) {
    const whole = name === 'messages' ? 'whole_messages' : name
    const stored = (db.pragma(`table_info(${whole})`) as { name: string }[]).map((column) => column.name)
    const there = stored.filter((column) => column !== 'rowid')
    expect(there.sort()).toEqual(['workspace', ...columns].sort())
  }
  const named = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[]
  expect(named.filter((name) => !name.startsWith('sqlite_')).sort()).toEqual(
    [...Object.keys(tables), 'workspaces', 'unused_rows', 'verdicts'].sort(),
  )
  db.close()
})

test('[import.slices] the data directory: after a crash between two slices has the rows that were there, and soon no others', async () => {
  const [path, copy] = [temporaryFolder(), temporaryFolder()]
  const store = await open({ kind: 'directory', path })
  await store.workspaces.insert({ id: 'main', created_at: 1 })
  await store.rps.insert('main', rpRecord('rp'))
  const before = await store.rows('main')
  const messages = Array.from({ length: 300 }, (_, n) => ({
    ...(messageRecord(`m ${n}`) as unknown as Rows[string][number]),
    verdict: JSON.stringify('x'.repeat(8_000)),
  }))
  const inFile = (folder: string): number => {
    const db = new Database(join(folder, 'handset.db'))
    const rows = db.prepare('SELECT count(*) FROM messages').pluck().get()
    db.close()
    return Number(rows)
  }
  let copied = 0
  const replaced = store.replaceRows('main', { ...before, messages })
  while (copied === 0) {
    await new Promise((resolve) => setImmediate(resolve))
    for (const file of ['handset.db', 'handset.db-wal']) copyFileSync(join(path, file), join(copy, file))
    copied = inFile(copy)
  }
  expect(copied).toBeLessThan(messages.length)
  expect(await replaced).toBe(true)
  await store.close()
  const again = await open({ kind: 'directory', path: copy })
  expect(await again.rows('main')).toEqual(before)
  await expect.poll(() => inFile(copy)).toBe(0)
  await again.close()
})

test.skipIf(process.platform === 'win32')(
  '[store.owner-only] the data directory has only files of its owner, whatever the umask is and whatever lay there before',
  async () => {
    const path = temporaryFolder()
    for (const [file, text] of [
      ['boots', '3\n'],
      ['handset.db', ''],
    ] as const) {
      writeFileSync(join(path, file), text, { mode: 0o666 })
    }
    const before = process.umask(0)
    try {
      const store = await open({ kind: 'directory', path })
      expect(countBoot(path)).toBe(3)
      await store.rps.insert('main', rpRecord('a'))
      const wide = readdirSync(path).filter((file) => (statSync(join(path, file)).mode & 0o777) !== 0o600)
      await store.close()
      expect(wide).toEqual([])
    } finally {
      process.umask(before)
    }
  },
)

test('[cli.data-in-use] the data directory in use names its holder', async () => {
  const path = temporaryFolder()
  const store = await open({ kind: 'directory', path })
  const second = await openStore({ kind: 'directory', path })
  const since = expect.stringMatching(/^\d{4}-/)
  const params = { path, pid: String(process.pid), since }
  expect(second).toEqual({ ok: false, error: { code: 'directory_in_use', params } })
  await store.close()
  await (await open({ kind: 'directory', path })).close()
})

test('[cli.newer] the data directory written by a newer version is refused untouched', async () => {
  const path = temporaryFolder()
  writeFileSync(join(path, 'version'), '99\n')
  const refused = await openStore({ kind: 'directory', path })
  expect(refused).toEqual({ ok: false, error: { code: 'directory_newer', params: { version: 99, known: 1 } } })
  expect(readdirSync(path)).toEqual(['version'])
})

test('[cli.newer] the data directory with a database of a newer version is refused, its rows untouched', async () => {
  const path = temporaryFolder()
  await (await open({ kind: 'directory', path })).close()
  const db = new Database(join(path, 'handset.db'))
  db.pragma('user_version = 99')
  db.close()
  const before = readFileSync(join(path, 'handset.db'))
  const refused = await openStore({ kind: 'directory', path })
  expect(refused).toMatchObject({ ok: false, error: { code: 'database_newer', params: { version: 99 } } })
  expect(readFileSync(join(path, 'handset.db')).equals(before)).toBe(true)
})

test('the data directory with a version that is no number is refused', async () => {
  const path = temporaryFolder()
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'version'), 'dragons')
  const error = { code: 'no_version_in', params: { file: join(path, 'version') } }
  expect(await openStore({ kind: 'directory', path })).toEqual({ ok: false, error })
})

const RUNNING = { pid: 7, control_url: 'http://localhost:1/control/v1', token: 't' }

test('a bench with a data directory says there where it answers, for its owner alone, until it is closed', async () => {
  const data = temporaryFolder()
  const { bench, close } = await startTestBench({ data })
  expect(readRunningBench(data)).toEqual({
    ok: true,
    value: { pid: process.pid, control_url: bench.controlUrl, token: bench.token },
  })
  if (process.platform !== 'win32') expect(statSync(join(data, 'running.json')).mode & 0o777).toBe(0o600)
  await close()
  expect(readRunningBench(data)).toEqual({ ok: true, value: undefined })
})

test('a file that is in the way is replaced', () => {
  const data = temporaryFolder()
  writeFileSync(join(data, 'running.json'), 'old')
  writeFileSync(join(data, 'running.json.new'), 'old')
  const withdraw = announceBench(data, RUNNING)
  expect(readRunningBench(data)).toEqual({ ok: true, value: RUNNING })
  withdraw()
  expect(readdirSync(data)).toEqual([])
})

// Windows lets only few make a link to a file.
test.skipIf(process.platform === 'win32')('a link that is in the way is replaced, never followed', () => {
  const data = temporaryFolder()
  writeFileSync(join(data, 'other'), 'kept')
  symlinkSync('other', join(data, 'running.json'))
  symlinkSync('other', join(data, 'running.json.new'))
  const withdraw = announceBench(data, RUNNING)
  expect(readRunningBench(data)).toEqual({ ok: true, value: RUNNING })
  expect(statSync(join(data, 'other')).size).toBe(4)
  withdraw()
  expect(readdirSync(data)).toEqual(['other'])
})

test.each(['', '{', '[]', 'null', '{"pid":1}', '{"pid":"1","control_url":"","token":""}'])(
  'a damaged file, %j, is refused and named',
  (text) => {
    const data = temporaryFolder()
    writeFileSync(join(data, 'running.json'), text)
    const params = { file: join(data, 'running.json') }
    expect(readRunningBench(data)).toEqual({ ok: false, error: { code: 'bench_file_damaged', params } })
  },
)

/** A sync that ends when the test says so. */
const heldSync = () => {
  const held: { readonly done: () => void; readonly fail: (reason: Error) => void }[] = []
  let last: Promise<void> | undefined
  const sync: WalSync = {
    synced: () => {
      last = new Promise((done, fail) => {
        held.push({ done, fail })
      })
      return last
    },
    pending: () => last,
    close: async () => {},
  }
  return { sync, held }
}

const storeWith = (sync: WalSync) => {
  const db = openSqlite(':memory:')
  if (!db.ok) throw new Error(db.error.code)
  return sqliteStore(db.value, { sync })
}

/** Whether it has settled by the time everything else that can go on has gone on. */
const isSettled = async (promise: Promise<unknown>): Promise<boolean> => {
  let settled = false
  const note = (): void => {
    settled = true
  }
  promise.then(note, note)
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
  return settled
}

test('a write is answered only when its commit is on the disk', async () => {
  const { sync, held } = heldSync()
  const store = storeWith(sync)
  const written = store.rps.insert('main', rpRecord('rp'))
  expect(await isSettled(written)).toBe(false)
  held[0]?.done()
  expect(await written).toBe(true)
})

test('a write is refused when the disk does not take it', async () => {
  const { sync, held } = heldSync()
  const written = storeWith(sync).rps.insert('main', rpRecord('rp'))
  expect(await isSettled(written)).toBe(false)
  held[0]?.fail(new Error('EIO'))
  await expect(written).rejects.toThrow('EIO')
})

test('a result that is to be delivered is read at once, and its delivery is told only when both are on the disk', async () => {
  const { sync, held } = heldSync()
  const store = storeWith(sync)
  const write = async (change: Promise<unknown>) => {
    await isSettled(change)
    held.at(-1)?.done()
    await change
  }
  await write(store.rps.insert('main', rpRecord('rp')))
  await write(store.messages.insert('main', messageRecord('m'), []))
  const bound = { device: 'dev', account: 'acc', svc_user: 'A', public_key: { challenge: 'AAAA' }, now: 10 }
  await write(store.messages.bind('main', 'm', bound))
  const failed = store.messages.fail('main', 'm', { device: 'dev', error: 'e', answer_hash: 'h', now: 20 })
  expect(await isSettled(failed)).toBe(false)
  expect(await isSettled(store.messages.result('main', 'm', { toDeliver: false }))).toBe(false)
  expect((await store.messages.result('main', 'm', { toDeliver: true }))?.state).toBe('fail')
  const delivered = store.messages.deliver('main', 'm', 30)
  expect(await isSettled(delivered)).toBe(false)
  held.at(-1)?.done()
  expect(await delivered).toBe(true)
  const again = store.messages.result('main', 'm', { toDeliver: true })
  expect((await again)?.delivered_at).toBe(30)
})

const newLog = (): string => join(temporaryFolder(), 'db-wal')

test('the sync of a log is shared by all commits that come while one runs', async () => {
  const log = newLog()
  writeFileSync(log, 'x')
  const sync = createWalSync(log)
  const first = sync.synced()
  const second = sync.synced()
  expect(second).not.toBe(first)
  expect(sync.synced()).toBe(second)
  expect(sync.pending()).toBe(second)
  await second
  expect(sync.pending()).toBeUndefined()
  await sync.close()
})

test('the sync of a log that fails is told to those who wait for it, and the next one is tried again', async () => {
  const log = newLog()
  const sync = createWalSync(log)
  await expect(sync.synced()).rejects.toThrow('ENOENT')
  writeFileSync(log, 'x')
  await sync.synced()
  await sync.close()
})

test('a push that was written before the store failed does not come again with the next look', async () => {
  const store = taken(await openStore({ kind: 'memory' }))
  await store.workspaces.insert({ id: 'main', created_at: 1 })
  await store.rps.insert('main', rpRecord('rp'))
  await store.accounts.insert('main', { id: 'acc', name: 'A', phone: '+1', created_at: 1 })
  await store.devices.insert('main', deviceRecord('dev'))
  for (const id of ['m1', 'm2', 'm3']) await store.messages.insert('main', messageRecord(id), ['dev'])
  let away = true
  const markSent: typeof store.pushes.markSent = async (workspace, which) => {
    if (away && which.n === 2) throw new StoreUnavailable('away', true)
    return store.pushes.markSent(workspace, which)
  }
  const addresses = { baseUrl: () => '', appUrl: () => '', isOurHost: () => true, isOurOrigin: () => true }
  const services = { store: { ...store, pushes: { ...store.pushes, markSent } }, addresses, observe: () => undefined }
  const context = { services, workspace: 'main', clock: { now: () => 1, at: () => () => undefined } }
  const ids: unknown[] = []
  const stream = { send: ({ id }: { readonly id?: string }) => ids.push(id) > 0 }
  const position: PushPosition = { n: 0 }
  const look = () => sendMissedPushes(context, 'dev', { stream, position })

  await expect(look()).rejects.toThrow(StoreUnavailable)
  away = false
  await look()
  await look()
  expect(ids).toEqual(['1', '2', '3'])
  await store.close()
})
