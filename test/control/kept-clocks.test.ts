import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ClockSetting } from '../../src-main/harness/clock.ts'
import { ALICE, cast, START, startTestBench, type TestBench } from '../support/bench.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

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

const inStore = <T>(look: (db: Database.Database) => T): T => {
  const db = new Database(join(folder, 'handset.db'))
  try {
    return look(db)
  } finally {
    db.close()
  }
}

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

/** Asks for the time, and says between which times of the machine it was answered. */
const timed = async <T>(ask: () => Promise<T>) => {
  const from = Date.now()
  const value = await ask()
  return { value, from, to: Date.now() }
}

describe('after a restart', () => {
  test('[clock.kept] a frozen clock stands exactly where it was acknowledged', async () => {
    const told = await put({ frozen: true })
    await restart()
    expect(await clock()).toEqual({ now: told.now, frozen: true, speed: 1 })
    await put({ now: START, speed: 7 })
    await restart()
    expect(await clock()).toEqual({ now: START, frozen: true, speed: 7 })
  })

  test('[clock.kept] a running clock goes on as if it had run meanwhile', async () => {
    const set = await timed(() => put({ now: START, speed: 60 }))
    await restart(anHourGoesBy)
    const read = await timed(clock)
    expect(read.value).toMatchObject({ frozen: false, speed: 60 })
    expect(read.value.now - START - 60 * HOUR).toBeGreaterThanOrEqual((read.from - set.to) * 60)
    expect(read.value.now - START - 60 * HOUR).toBeLessThanOrEqual((read.to - set.from) * 60)
  })

  test('a clock that was put back to real time follows it, and nothing of it is kept', async () => {
    await put({ now: START, frozen: true, speed: 9 })
    await running.client.call('clock.put', { body: { real: true } })
    await restart()
    const read = await timed(clock)
    expect(read.value).toMatchObject({ frozen: false, speed: 1 })
    expect(read.value.now).toBeGreaterThanOrEqual(read.from)
    expect(read.value.now).toBeLessThanOrEqual(read.to)
    expect(keptClocks()).toEqual([])
  })

  test('each workspace has its own clock, and one that is opened again has no other’s', async () => {
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

  test('[clock.kept] what came due meanwhile rings: a message is timed out without anybody asking', async () => {
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

  test('a message under a frozen clock is open as long as it was', async () => {
    const { rp } = await cast(running.client)
    await put({ now: START, frozen: true })
    const { msg_id } = await running.client.call('simulator.register', {
      params: { rp },
      body: { ...ALICE, poll: false },
    })
    await restart()
    expect(await running.client.call('messages.get', { params: { id: msg_id } })).toMatchObject({
      state: 'init',
      expires_at: START + 180_000,
    })
    await running.client.call('clock.advance', { body: { to: 'next-expiry' } })
    expect((await running.client.call('messages.get', { params: { id: msg_id } })).state).toBe('timeout')
  })
})

describe('what replaces a workspace', () => {
  test('a restored snapshot leaves the clock where the snapshot was made, after a restart too', async () => {
    await put({ now: START, frozen: true })
    const { id } = await running.client.call('snapshots.create', { body: {} })
    await running.client.call('clock.put', { body: { real: true } })
    await running.client.call('snapshots.restore', { params: { id } })
    await restart()
    expect(await clock()).toEqual({ now: START, frozen: true, speed: 1 })
  })

  test('a reset puts the clock back to real time for good', async () => {
    await put({ now: START, frozen: true })
    await running.client.call('workspace.reset', { body: {} })
    await restart()
    expect((await clock()).frozen).toBe(false)
    expect(keptClocks()).toEqual([])
  })

  test('an imported workspace brings its clock along, and messages under way stay under way', async () => {
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

  test('a document without a clock leaves the workspace its own', async () => {
    const { clock: _, ...document } = await running.client.call('workspace.export')
    await put({ now: START, frozen: true })
    await running.client.call('workspace.import', { body: document })
    await restart()
    expect(await clock()).toEqual({ now: START, frozen: true, speed: 1 })
  })

  test('a document with a clock that is none is refused, and one that is refused moves no clock', async () => {
    const document = await running.client.call('workspace.export')
    await put({ now: START, frozen: true })
    const refusal = { code: 40002 }
    await expect(
      running.client.call('workspace.import', { body: { ...document, clock: { now: 'noon', speed: 1 } } }),
    ).rejects.toMatchObject(refusal)
    await expect(running.client.call('workspace.import', { body: { ...document, service: {} } })).rejects.toMatchObject(
      refusal,
    )
    expect(await clock()).toEqual({ now: START, frozen: true, speed: 1 })
  })
})

describe('a clock that the configuration tells', () => {
  const TOLD = { now: START, frozen: true }

  test('sets the clock of main when it is told for the first time, over what was kept', async () => {
    await put({ now: START + HOUR, speed: 5 })
    await restart(undefined, TOLD)
    expect(await clock()).toEqual({ now: START, frozen: true, speed: 1 })
  })

  test('does not take back what was set since, when the next start is told the same', async () => {
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

  test('sets it again when it is told differently, or again after a start without', async () => {
    await restart(undefined, TOLD)
    await restart(undefined, { ...TOLD, now: START + HOUR })
    expect((await clock()).now).toBe(START + HOUR)
    await restart()
    expect((await clock()).now).toBe(START + HOUR)
    await restart(undefined, TOLD)
    expect((await clock()).now).toBe(START)
  })

  test('goes on in the next process as it ran, even untouched', async () => {
    await restart(undefined, { now: START })
    await restart(anHourGoesBy, { now: START })
    expect((await clock()).now).toBeGreaterThanOrEqual(START + HOUR)
  })

  test('is where a new workspace starts, and one that was there before keeps its own', async () => {
    await running.client.call('workspaces.create', { body: { id: 'before' } })
    await restart(undefined, TOLD)
    await running.client.call('workspaces.create', { body: { id: 'since' } })
    const { client } = running
    expect(await client.workspace('since').call('clock.get')).toMatchObject({ now: START, frozen: true })
    expect(await client.workspace('before').call('clock.get')).toMatchObject({ frozen: false })
    await restart()
    expect(await running.client.workspace('since').call('clock.get')).toMatchObject({ now: START, frozen: true })
  })
})
