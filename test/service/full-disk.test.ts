import type Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { EventDraft } from '../../src-main/contract/events.ts'
import { defaultProfile, type Profile } from '../../src-main/contract/profile.ts'
import { createBenchClock } from '../../src-main/harness/clock.ts'
import type { Clock } from '../../src-main/protocol/clock.ts'
import { isDiskRefusal } from '../../src-main/protocol/disk-refusal.ts'
import type { LogLine } from '../../src-main/protocol/log.ts'
import { createBackground } from '../../src-main/service/background.ts'
import { createMessageTimers } from '../../src-main/service/messages/message-timers.ts'
import { createSettings } from '../../src-main/service/settings/settings.ts'
import { createDiskOutage } from '../../src-main/service/store/disk-outage.ts'
import { openSqlite } from '../../src-main/service/store/sqlite/open-sqlite.ts'
import { sqliteStore } from '../../src-main/service/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src-main/service/store/store.ts'
import { messageRecord, rpRecord } from '../support/service/records.ts'
import { rpClient } from '../support/service/rp-client.ts'
import { startService } from '../support/service/start-service.ts'

let db: Database.Database
let store: Store
beforeEach(() => {
  const opened = openSqlite(':memory:')
  if (!opened.ok) throw new Error(opened.error.code)
  db = opened.value
  store = sqliteStore(db)
})
afterEach(() => store.close())

/** From here on the database itself refuses every write, as it does on a disk that is full or read-only. */
const disk = (state: 'ok' | 'refuses'): void => {
  db.pragma(`query_only = ${state === 'refuses' ? 'ON' : 'OFF'}`)
}

describe('[disk.full] a setting that cannot be stored', () => {
  const longer = (seconds: number) => (before: Profile) => ({ ...before, message_ttl_s: seconds })

  test('is not in effect, and the next one that can be is', async () => {
    const settings = createSettings(store)
    disk('refuses')
    await expect(settings.changeProfile('main', longer(60))).rejects.toThrow()
    await expect(
      settings.changeConditions('main', (before) => ({ ...before, rp: { ...before.rp, fail_next: 1 } })),
    ).rejects.toThrow()
    expect(settings.profile('main').message_ttl_s).toBe(defaultProfile.message_ttl_s)
    expect(settings.conditions('main').rp.fail_next).toBe(0)
    disk('ok')
    await settings.changeProfile('main', longer(90))
    expect(settings.profile('main').message_ttl_s).toBe(90)
  })

  test('takes nothing from one that was asked for at the same time', async () => {
    const settings = createSettings(store)
    await Promise.all([
      settings.changeProfile('main', (before) => ({ ...before, user_id_max: 7 })),
      settings.changeProfile('main', (before) => ({ ...before, username_max: 8 })),
    ])
    expect(settings.profile('main')).toMatchObject({ user_id_max: 7, username_max: 8 })
    expect(await store.settings.get('main', 'profile')).toMatchObject({ user_id_max: 7, username_max: 8 })
  })
})

describe('[errors.disk] a request that must write on a disk that refuses', () => {
  test('is 50701, with one line in the log for all of them, and works when the disk does', async () => {
    const log: LogLine[] = []
    const outage = createDiskOutage((line) => void log.push(line))
    const running = await startService({ openStore: sqliteStore(db, { outage }), log })
    try {
      const rp = rpClient(running, await running.makeRp())
      expect((await rp.register('before')).json.code).toBe(0)
      disk('refuses')
      for (let n = 0; n < 3; n++) {
        const refused = await rp.register(`u${n}`)
        expect({ status: refused.status, code: refused.json.code }).toEqual({ status: 507, code: 50701 })
      }
      expect(log.filter(({ level }) => level === 'error')).toMatchObject([{ event: 'store not written' }])
      disk('ok')
      expect((await rp.register('after')).json.code).toBe(0)
      disk('refuses')
      expect((await rp.register('again')).json.code).toBe(50701)
      expect(log.filter(({ level }) => level === 'error')).toHaveLength(2)
    } finally {
      disk('ok')
      await running.stop()
    }
  })

  test('is refused for what the disk said, also when that ends the transaction', async () => {
    const location = openSqlite(':memory:')
    if (!location.ok) throw new Error(location.error.code)
    const small = location.value
    const own = sqliteStore(small)
    small.pragma('max_page_count = 60')
    const sealed = 'A'.repeat(40_000)
    const fill = Array.from({ length: 20 }, (_, n) => own.settings.set('main', `document ${n}`, sealed))
    const outcomes = await Promise.allSettled(fill)
    const reasons = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(reasons).not.toEqual([])
    expect(reasons.filter((reason) => !isDiskRefusal(reason))).toEqual([])
    await own.close()
  })
})

test('[disk.full] an expiry that cannot be stored is tried again until it is, with one line at the begin and one at the end', async () => {
  const clock = createBenchClock({ start: { now: 1_700_000_000_000, frozen: true } })
  const log: LogLine[] = []
  const events: EventDraft[] = []
  const retries: (() => void)[] = []
  const wall: Clock = {
    now: () => 0,
    at: (_time, alarm) => {
      retries.push(alarm)
      return () => {}
    },
  }
  const write = (line: LogLine): void => void log.push(line)
  const background = createBackground(write)
  const timers = createMessageTimers({
    store,
    clock: () => clock,
    observe: (_workspace, draft) => void events.push(draft),
    baseUrl: () => 'http://localhost/fido',
    background,
    wall,
    log: write,
  })
  await store.rps.insert('main', rpRecord('rp'))
  const expires_at = clock.now() + 60_000
  await store.messages.insert('main', messageRecord('m', { rp: 'rp', expires_at }), [])
  timers.watch('main', expires_at)
  disk('refuses')
  await clock.set({ now: expires_at })
  await background.settled()
  expect((await store.messages.get('main', 'm'))?.state).toBe('init')
  retries.shift()?.()
  await background.settled()
  expect((await store.messages.get('main', 'm'))?.state).toBe('init')
  disk('ok')
  expect(retries).toHaveLength(1)
  retries.shift()?.()
  await background.settled()
  expect((await store.messages.get('main', 'm'))?.state).toBe('timeout')
  expect(events).toHaveLength(1)
  expect(retries).toEqual([])
  expect(log.map(({ event }) => event)).toEqual(['expiry not stored', 'expiry stored again'])
  clock.stop()
})
