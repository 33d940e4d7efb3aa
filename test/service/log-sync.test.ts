import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createLogSync, type LogSync } from '../../src-main/service/store/sqlite/log-sync.ts'
import { openSqlite } from '../../src-main/service/store/sqlite/open-sqlite.ts'
import { sqliteStore } from '../../src-main/service/store/sqlite/sqlite-store.ts'
import { messageRecord, rpRecord } from '../support/service/records.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** A sync that ends when the test says so. */
const heldSync = () => {
  const held: { readonly done: () => void; readonly fail: (reason: Error) => void }[] = []
  let last: Promise<void> | undefined
  const sync: LogSync = {
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

const storeWith = (sync: LogSync) => {
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

describe('a write', () => {
  test('is answered only when its commit is on the disk', async () => {
    const { sync, held } = heldSync()
    const store = storeWith(sync)
    const written = store.rps.insert('main', rpRecord('rp'))
    expect(await isSettled(written)).toBe(false)
    held[0]?.done()
    expect(await written).toBe(true)
  })

  test('is refused when the disk does not take it', async () => {
    const { sync, held } = heldSync()
    const written = storeWith(sync).rps.insert('main', rpRecord('rp'))
    expect(await isSettled(written)).toBe(false)
    held[0]?.fail(new Error('EIO'))
    await expect(written).rejects.toThrow('EIO')
  })
})

test('a result is read only when it is on the disk', async () => {
  const { sync, held } = heldSync()
  const store = storeWith(sync)
  const rp = store.rps.insert('main', rpRecord('rp'))
  await isSettled(rp)
  held[0]?.done()
  const message = store.messages.insert('main', messageRecord('m'), [])
  await isSettled(message)
  const result = store.messages.result('main', 'm')
  expect(await isSettled(result)).toBe(false)
  held[1]?.done()
  expect((await result)?.state).toBe('init')
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

describe('the sync of a log', () => {
  const newLog = (): string => join(temporaryFolder(), 'db-wal')

  test('is shared by all commits that come while one runs', async () => {
    const log = newLog()
    writeFileSync(log, 'x')
    const sync = createLogSync(log)
    const first = sync.synced()
    const second = sync.synced()
    expect(second).not.toBe(first)
    expect(sync.synced()).toBe(second)
    expect(sync.pending()).toBe(second)
    await second
    expect(sync.pending()).toBeUndefined()
    await sync.close()
  })

  test('that fails is told to those who wait for it, and the next one is tried again', async () => {
    const log = newLog()
    const sync = createLogSync(log)
    await expect(sync.synced()).rejects.toThrow('ENOENT')
    writeFileSync(log, 'x')
    await sync.synced()
    await sync.close()
  })
})
