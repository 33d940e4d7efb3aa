import type Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createBenchClock } from '../../src-main/bench/harness/clock.ts'
import { type Conditions, normalConditions } from '../../src-main/core/contract/conditions.ts'
import type { EventDraft } from '../../src-main/core/contract/events.ts'
import { defaultProfile, type Profile } from '../../src-main/core/contract/profile.ts'
import { createBackground } from '../../src-main/core/protocol/background.ts'
import type { LogLine } from '../../src-main/core/protocol/log.ts'
import { isDiskRefusal } from '../../src-main/core/protocol/store-unavailable.ts'
import type { Clock } from '../../src-main/core/protocol/time.ts'
import { createMessageTimers } from '../../src-main/service/messages/message-timers.ts'
import { createSettings, type Settings } from '../../src-main/service/settings/settings.ts'
import { openSqlite } from '../../src-main/service/store/open-store.ts'
import { createDiskOutage } from '../../src-main/service/store/sqlite/group-commit.ts'
import { sqliteStore } from '../../src-main/service/store/sqlite/sqlite-store.ts'
import type { SharedStore, Store } from '../../src-main/service/store/store.ts'
import { messageRecord, rpRecord } from '../support/service/records.ts'
import { rpClient } from '../support/service/rp-client.ts'
import { startService } from '../support/service/start-service.ts'

let db: Database.Database
let store: Store
let settings: Settings
beforeEach(() => {
  const opened = openSqlite(':memory:')
  if (!opened.ok) throw new Error(opened.error.code)
  db = opened.value
  store = sqliteStore(db)
  settings = createSettings(store)
})
afterEach(() => store.close())

const withNext = (fail_next: number) => (before: Conditions) => ({ ...before, rp: { ...before.rp, fail_next } })
const lower = ({ rp, ...rest }: Conditions): Conditions | undefined =>
  rp.fail_next > 0 ? { ...rest, rp: { ...rp, fail_next: rp.fail_next - 1 } } : undefined

test('a counter of the conditions that goes down while a change is stored does not come back with the change', async () => {
  await settings.changeConditions('main', withNext(2))
  const changed = settings.changeConditions('main', (before) => ({ ...before, app: { ...before.app, latency_ms: 5 } }))
  // The change is on its way to the disk from here on.
  await Promise.resolve()
  expect(await Promise.all([settings.countDown('main', lower), settings.countDown('main', lower)])).toEqual([
    true,
    true,
  ])
  const after = { rp: { fail_next: 0 }, app: { latency_ms: 5 } }
  expect(await changed).toMatchObject(after)
  expect(settings.conditions('main')).toMatchObject(after)
  expect(await store.settings.get('main', 'conditions')).toMatchObject(after)
})

type Stored = Readonly<Record<string, unknown>>

const W = 'main'
const put = async (name: string, value: Stored): Promise<void> => {
  await store.settings.set(W, name, value)
  await settings.load(W)
}
const stored = async (name: string) => (await store.settings.get(W, name)) as Stored

/** As with PostgreSQL, where each change is made of what is stored. */
const shared = (): Store => {
  const changeSetting: SharedStore['changeSetting'] = async (workspace, name, change) => {
    const value = change(await store.settings.get(workspace, name))
    if (value !== undefined) await store.settings.set(workspace, name, value)
    return value !== undefined
  }
  return { ...store, shared: { changeSetting } as SharedStore }
}

describe.each([
  { name: 'in one process', open: () => store },
  { name: 'with several processes', open: shared },
])('a setting that a newer version stored, $name', ({ open }) => {
  beforeEach(() => {
    settings = createSettings(open())
  })
  const JITTER = { jitter_ms: 9 }
  const NEWER_SCOPE = { user_id: 'u', browser: 'b' }
  const FAULT = { id: 'f1', fault: 'list-refused', only: [] }
  const NEWER_FAULT = { id: 'f2', fault: 'from-tomorrow', only: [] }

  test('counts as far as this one knows it', async () => {
    await put('profile', { rate_limit_per_minute: 3, tomorrow: 'x' })
    expect(settings.profile(W)).toEqual({ ...defaultProfile, rate_limit_per_minute: 3 })
    await put('about', { owner: 'ci', labels: ['a'], tomorrow: 1, quota: { messages: 2, sessions: 3 } })
    expect(settings.about(W)).toEqual({ owner: 'ci', labels: ['a'], quota: { messages: 2 } })
    await put('conditions', { rp: { latency_ms: 5, ...JITTER }, sdk: JITTER })
    expect(settings.conditions(W)).toEqual({ rp: { ...normalConditions.rp, latency_ms: 5 }, app: normalConditions.app })
    await put('service_faults', { faults: [FAULT], tomorrow: 1 })
    expect(settings.faults(W)).toEqual([FAULT])
  })

  test('loses one key of a profile, of what the workspace is for and of its quota whose value is not known here', async () => {
    await put('profile', { rate_limit_per_minute: 3, attestation: 'require-tomorrow' })
    expect(settings.profile(W)).toEqual({ ...defaultProfile, rate_limit_per_minute: 3 })
    await put('about', { lease_ms: -1, owner: 'ci', quota: { phones: 'many', messages: 2 } })
    expect(settings.about(W)).toEqual({ owner: 'ci', quota: { messages: 2 } })
  })

  test('loses a side of the conditions of which one value is not known here: the others are for that one alone', async () => {
    await put('conditions', { rp: { fail_percent: 100, only: ['tomorrow'] }, app: { latency_ms: 5 } })
    expect(settings.conditions(W)).toEqual({ rp: normalConditions.rp, app: { ...normalConditions.app, latency_ms: 5 } })
  })

  test('is in effect for no scope that this version understands in part, and arms no fault that it does not know', async () => {
    const own = { scope: { user_id: 'v' }, rp: { fail_next: 1 } }
    await put('conditions', { scoped: [{ scope: NEWER_SCOPE, rp: { fail_percent: 100 } }, own] })
    expect(settings.conditions(W).scoped?.map(({ scope }) => scope)).toEqual([{ user_id: 'v' }])
    await put('service_faults', { faults: [NEWER_FAULT, FAULT, { ...FAULT, id: 'f3', scope: NEWER_SCOPE }] })
    expect(settings.faults(W)).toEqual([FAULT])
  })

  test('keeps what is not known here when the rest is changed', async () => {
    await put('profile', { rate_limit_per_minute: 3, tomorrow: 'x', attestation: 'require-tomorrow' })
    await settings.changeProfile(W, (before) => ({ ...before, user_id_max: 9 }))
    const newer = { tomorrow: 'x', attestation: 'require-tomorrow' }
    expect(await stored('profile')).toMatchObject({ rate_limit_per_minute: 3, user_id_max: 9, ...newer })

    await put('about', { owner: 'ci', labels: ['a'], tomorrow: 1, quota: { phones: 1, messages: 2, sessions: 3 } })
    await settings.changeAbout(W, ({ owner, ...rest }) => ({ ...rest, quota: { messages: 4 } }))
    expect(await stored('about')).toEqual({ labels: ['a'], tomorrow: 1, quota: { messages: 4, sessions: 3 } })
    expect(settings.about(W)).toEqual({ labels: ['a'], quota: { messages: 4 } })
  })

  test('keeps what is not known here in the conditions and in their scopes', async () => {
    const newerEntry = { scope: NEWER_SCOPE, rp: { fail_percent: 100 } }
    const entry = { scope: { user_id: 'v' }, rp: { fail_next: 2, ...JITTER }, app: JITTER, sdk: JITTER }
    await put('conditions', { rp: { ...JITTER, fail_next: 2 }, sdk: JITTER, scoped: [newerEntry, entry] })
    await settings.changeConditions(W, (before) => ({ ...before, app: { ...before.app, latency_ms: 5 } }))
    await settings.countDown(W, lower)
    await settings.countDown(W, ({ scoped = [], ...rest }) => ({
      ...rest,
      scoped: scoped.map((each) => ({ ...each, rp: { ...each.rp, fail_next: 1 } })),
    }))
    const after = {
      rp: { fail_next: 1, ...JITTER },
      app: { latency_ms: 5 },
      sdk: JITTER,
      scoped: [newerEntry, { scope: { user_id: 'v' }, rp: { fail_next: 1, ...JITTER }, app: JITTER, sdk: JITTER }],
    }
    expect(await stored('conditions')).toMatchObject(after)
    await settings.changeConditions(W, ({ scoped, ...rest }) => rest)
    expect((await stored('conditions')).scoped).toEqual([newerEntry])
  })

  test('is read as the change left it, also where a value beside the changed one was not known here', async () => {
    await put('conditions', { rp: { latency_ms: 7, only: ['tomorrow'], ...JITTER } })
    const changed = await settings.changeConditions(W, withNext(1))
    await settings.load(W)
    expect(settings.conditions(W)).toEqual(changed)
    expect((await stored('conditions')).rp).toEqual({ ...normalConditions.rp, fail_next: 1, ...JITTER })
  })

  test('keeps the armed faults that are not known here until all are disarmed', async () => {
    await put('service_faults', { faults: [FAULT, NEWER_FAULT, { ...FAULT, id: 'f3', tomorrow: 1, left: 2 }] })
    await settings.changeFaults(W, (armed) => armed.flatMap((each) => (each.id === 'f1' ? [] : [{ ...each, left: 1 }])))
    expect(await stored('service_faults')).toEqual({
      faults: [NEWER_FAULT, { ...FAULT, id: 'f3', tomorrow: 1, left: 1 }],
    })
    await settings.changeFaults(W, () => [], 'all')
    expect(await stored('service_faults')).toEqual({ faults: [] })
  })

  test('is gone with a reset', async () => {
    await put('profile', { rate_limit_per_minute: 3, tomorrow: 'x' })
    await settings.changeProfile(W, () => defaultProfile, 'all')
    expect(await stored('profile')).toEqual(defaultProfile)
  })
})

const rate = (rate_limit_per_minute: number) => ({ ...defaultProfile, rate_limit_per_minute })
/** Stores 1, and answers after another process has stored 99. */
const late = (meanwhile: () => Promise<void>): Store => {
  const changeSetting: SharedStore['changeSetting'] = async (workspace, name, change) => {
    await store.settings.set(workspace, name, change(await store.settings.get(workspace, name)))
    await store.settings.set(workspace, name, rate(99))
    await meanwhile()
    return true
  }
  return { ...store, shared: { changeSetting } as SharedStore }
}

test('an answer to a change that comes late does not bring back what was read since', async () => {
  settings = createSettings(late(() => settings.load(W)))
  await settings.load(W)
  expect(await settings.changeProfile(W, () => rate(1))).toEqual(rate(1))
  expect(settings.profile(W)).toEqual(rate(99))
})

test('an answer to a change that comes late does not bring it back where the database does not answer again', async () => {
  let gone = false
  const behind = late(async () => {
    await settings.load(W)
    gone = true
  })
  const get: Store['settings']['get'] = (...where) =>
    gone ? Promise.reject(new Error('gone')) : store.settings.get(...where)
  settings = createSettings({ ...behind, settings: { ...store.settings, get } })
  expect(await settings.changeProfile(W, () => rate(1))).toEqual(rate(1))
  expect(settings.profile(W)).toEqual(rate(99))
})

test('an answer to a change that comes late counts at once where nothing was read since', async () => {
  settings = createSettings(shared())
  await settings.load(W)
  await settings.changeProfile(W, () => rate(1))
  expect(settings.profile(W)).toEqual(rate(1))
})

test('an answer to a change that comes late to a reading does not bring back what a later one found', async () => {
  const answer = Promise.withResolvers<void>()
  let held = true
  const get: Store['settings']['get'] = async (workspace, name) => {
    const value = await store.settings.get(workspace, name)
    if (held && name === 'profile') {
      held = false
      await answer.promise
    }
    return value
  }
  settings = createSettings({ ...store, settings: { ...store.settings, get } })
  const early = settings.load(W)
  while (held) await Promise.resolve()
  await store.settings.set(W, 'profile', rate(99))
  await settings.load(W)
  answer.resolve()
  await early
  expect(settings.profile(W)).toEqual(rate(99))
})

/** From here on the database itself refuses every write, as it does on a disk that is full or read-only. */
const disk = (state: 'ok' | 'refuses'): void => {
  db.pragma(`query_only = ${state === 'refuses' ? 'ON' : 'OFF'}`)
}

const longer = (seconds: number) => (before: Profile) => ({ ...before, message_ttl_s: seconds })

test('[disk.full] a setting that cannot be stored is not in effect, and the next one that can be is', async () => {
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

test('[disk.full] a setting that cannot be stored takes nothing from one that was asked for at the same time', async () => {
  const settings = createSettings(store)
  await Promise.all([
    settings.changeProfile('main', (before) => ({ ...before, user_id_max: 7 })),
    settings.changeProfile('main', (before) => ({ ...before, username_max: 8 })),
  ])
  expect(settings.profile('main')).toMatchObject({ user_id_max: 7, username_max: 8 })
  expect(await store.settings.get('main', 'profile')).toMatchObject({ user_id_max: 7, username_max: 8 })
})

test('[errors.disk] a request that must write on a disk that refuses is 50701, with one line in the log for all of them, and works when the disk does', async () => {
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

test('[errors.disk] a request that must write on a disk that refuses is refused for what the disk said, also when that ends the transaction', async () => {
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
