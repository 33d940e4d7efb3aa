import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { createEventSaver } from '../../../../src-main/bench/harness/open-recorder.ts'
import { createRecorder } from '../../../../src-main/bench/harness/recorder.ts'
import {
  openEventsDatabase,
  STORAGE_LIMITS,
  type StorageLimits,
  sqliteEventStorage,
} from '../../../../src-main/bench/harness/storage/event-storage.ts'
import { followEvents } from '../../../../src-main/bench/harness/trace-files.ts'
import type { EventDraft } from '../../../../src-main/core/contract/events.ts'
import type { LogLine } from '../../../../src-main/core/protocol/log.ts'
import { call, delivery, handWall, recorderIn, seqs } from '../../../support/recorded-events.ts'
import { taken } from '../../../support/taken.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

/** What a power switch leaves of a directory. */
const killed = (folder: string): string => {
  const copy = temporaryFolder()
  cpSync(folder, copy, { recursive: true })
  return copy
}

/** Over a database in the test's hands. */
const withDatabase = (folder: string, limits: Partial<StorageLimits> = {}) => {
  const file = join(folder, 'events.db')
  const db = taken(openEventsDatabase(file))
  const wall = handWall()
  const log: LogLine[] = []
  const note = (line: LogLine): void => void log.push(line)
  const storage = sqliteEventStorage({
    ...{ db, file, log: note, replace: () => undefined },
    limits: { ...STORAGE_LIMITS, ...limits },
  })
  const saver = createEventSaver({ storage, real: wall, log: note })
  const still = { now: () => 9, at: () => () => undefined }
  const recorder = createRecorder({ wall, bench: () => still, makeTape: saver.makeTape, lastStored: saver.lastStored })
  recorder.watch(saver)
  return { db, wall, log, recorder, close: saver.close }
}

/** Its events are those of a run that ended cleanly. */
const filledWith = async (drafts: readonly EventDraft[]): Promise<string> => {
  const folder = temporaryFolder()
  const run = recorderIn(folder)
  for (const draft of drafts) run.recorder.observe('main', draft)
  await run.close()
  return folder
}
const long = (count: number) => Array.from({ length: count }, (_, n) => delivery(`${n}${'x'.repeat(2000)}`))

const inDatabase = <T>(folder: string, work: (db: Database.Database) => T): T => {
  const db = new Database(join(folder, 'events.db'))
  try {
    return work(db)
  } finally {
    db.close()
  }
}

const many = (count: number) =>
  Array.from({ length: count }, (_, n) => (n % 3 === 0 ? delivery(`m${n} ü`) : call(n, `${n}`.repeat(n % 700))))

test('[events.kept] after a clean stop the events are as they were, and numbers go on', async () => {
  const folder = temporaryFolder()
  const first = recorderIn(folder)
  const drafts = [...many(600), delivery('huge '.repeat(300_000)), ...many(20)]
  for (const [n, draft] of drafts.entries()) {
    first.recorder.observe('main', draft)
    if (n % 100 === 0) first.wall.pass()
  }
  first.recorder.observe('other', delivery('o'))
  const before = first.recorder.read('main')
  await first.close()
  const second = recorderIn(folder)
  expect(second.recorder.read('main')).toEqual(before)
  expect(second.recorder.lastBefore('main')).toBe(drafts.length)
  second.recorder.observe('main', delivery('next'))
  expect(seqs(second.recorder.read('main', { after: drafts.length - 1 }))).toEqual([drafts.length, drafts.length + 1])
  expect(seqs(second.recorder.read('main', { latest: true, limit: 3 }))).toEqual([
    ...[drafts.length - 1, drafts.length, drafts.length + 1],
  ])
  expect(second.recorder.read('main', { mentions: ['m300 ü'] }).events).toMatchObject([{ seq: 301 }])
  expect(second.recorder.read('other').events).toMatchObject([{ seq: 1, msg_id: 'o' }])
  await second.close()
  expect(second.log).toEqual([])
})

test('[events.kept] after a kill nothing is lost but the last moment, and no number is given twice', async () => {
  const folder = temporaryFolder()
  const first = recorderIn(folder)
  for (const draft of many(300)) first.recorder.observe('main', draft)
  first.wall.pass()
  for (const draft of many(50)) first.recorder.observe('main', draft)
  const second = recorderIn(killed(folder))
  const { events, first_seq, last_seq, more } = second.recorder.read('main')
  expect([events.length, events.at(-1)?.seq, first_seq, more]).toEqual([300, 300, 1, false])
  // A stream that heard of 350 and resumes after it misses nothing.
  expect(last_seq).toBeGreaterThanOrEqual(350)
  second.recorder.observe('main', delivery('after the kill'))
  const next = last_seq + 1
  expect(seqs(second.recorder.read('main', { after: 350 }))).toEqual([next])
  expect(seqs(second.recorder.read('main', { after: 298 }))).toEqual([299, 300, next])
  expect(seqs(second.recorder.read('main', { latest: true, limit: 2 }))).toEqual([300, next])
  await first.close()
  await second.close()
})

test('[events.kept] a run that is killed in the moment of its first event gives that number to no other', async () => {
  const folder = temporaryFolder()
  const first = recorderIn(folder)
  first.recorder.observe('main', delivery('told, not stored'))
  const second = recorderIn(killed(folder))
  expect(second.recorder.read('main').events).toEqual([])
  expect(second.recorder.read('main')).toMatchObject({ first_seq: 0 })
  expect(second.recorder.lastSeq('main')).toBeGreaterThanOrEqual(1)
  await first.close()
  await second.close()
})

test('a workspace that was closed leaves nothing, also when its name is taken again at once', async () => {
  const folder = temporaryFolder()
  const first = recorderIn(folder)
  for (const draft of many(900)) first.recorder.observe('w', draft)
  first.wall.pass()
  first.recorder.forget('w')
  first.recorder.observe('w', delivery('anew'))
  expect(first.recorder.read('w').events).toMatchObject([{ seq: 1, msg_id: 'anew' }])
  first.wall.pass()
  expect(first.recorder.read('w').events).toHaveLength(1)
  await first.close()
  const parts = inDatabase(folder, (db) => db.prepare('SELECT count(*) FROM parts').pluck().get())
  expect(parts).toBe(1)
})

test('a workspace that was closed right before a kill is forgotten at the next start', async () => {
  const folder = temporaryFolder()
  const first = recorderIn(folder)
  for (const workspace of ['main', 'gone']) first.recorder.observe(workspace, delivery(workspace))
  await first.close()
  const second = recorderIn(folder)
  second.keepOnly(['main'])
  expect(second.recorder.read('gone').events).toEqual([])
  expect(second.recorder.read('main').events).toHaveLength(1)
  second.wall.pass()
  await second.close()
})

test('the oldest go first: by number, by size, and by the size of all workspaces together', async () => {
  const fill = async (limits: Partial<StorageLimits>, workspaces: readonly string[]) => {
    const folder = temporaryFolder()
    const run = withDatabase(folder, limits)
    for (const workspace of workspaces) {
      for (let n = 0; n < 1200; n++) run.recorder.observe(workspace, delivery(`${n}${'x'.repeat(2000)}`))
      run.wall.pass()
    }
    await run.close()
    const next = withDatabase(folder, limits)
    const pages = workspaces.map((workspace) => next.recorder.read(workspace))
    await next.close()
    for (const { events, first_seq, last_seq } of pages) {
      expect([first_seq, last_seq]).toEqual([events[0]?.seq, 1200])
      expect(events).toHaveLength(last_seq - first_seq + 1)
    }
    return pages.map(({ events }) => events.length)
  }
  const MIB = 2 ** 20
  const [byCount = 0] = await fill({ events: 500 }, ['main'])
  // Whole blocks go, of which each holds 125 of these.
  expect(byCount).toBeGreaterThan(300)
  expect(byCount).toBeLessThanOrEqual(500)
  const [bySize = 0] = await fill({ bytes: MIB }, ['main'])
  expect(bySize).toBeGreaterThan(300)
  expect(bySize).toBeLessThanOrEqual(500)
  const [older = 0, newer = 0] = await fill({ allBytes: 3 * MIB }, ['older', 'newer'])
  expect(newer).toBe(1200)
  expect(older).toBeLessThan(400)
  expect(older).toBeGreaterThan(0)
})

test('the latest event stays, however large it is', async () => {
  const folder = temporaryFolder()
  const run = withDatabase(folder, { bytes: 1000, events: 1, allBytes: 1000 })
  for (const text of ['first', 'huge'.repeat(500_000)]) run.recorder.observe('main', delivery(text))
  await run.close()
  const next = withDatabase(folder)
  expect(seqs(next.recorder.read('main'))).toEqual([2])
  await next.close()
})

test('[events.disk] a disk that refuses stops no event: one line in the log, and all is stored when it takes something again', async () => {
  const folder = temporaryFolder()
  const run = withDatabase(folder)
  run.recorder.observe('main', delivery('before'))
  run.wall.pass()
  run.db.pragma('query_only = ON')
  for (let n = 0; n < 2_000; n++) run.recorder.observe('main', call(n))
  for (let n = 0; n < 3; n++) run.wall.passOnce()
  expect(run.recorder.read('main').events).toHaveLength(2_001)
  expect(run.log).toMatchObject([{ level: 'error', event: 'events not written', code: 'SQLITE_READONLY' }])
  run.db.pragma('query_only = OFF')
  run.wall.pass()
  expect(run.log.slice(1)).toEqual([{ level: 'info', event: 'events written again' }])
  const after = withDatabase(killed(folder))
  expect(after.recorder.read('main').events).toHaveLength(2_001)
  await after.close()
  await run.close()
})

test('[events.disk] where a full disk takes no event, the numbers of those it did not take are not given again', async () => {
  const folder = temporaryFolder()
  const run = withDatabase(folder)
  run.recorder.observe('main', delivery('before'))
  run.wall.pass()
  run.db.pragma('max_page_count = 1')
  for (let n = 0; n < 12_000; n++) {
    run.recorder.observe('main', delivery(`m${n}`))
    if (n % 1000 === 0) run.wall.passOnce()
  }
  expect(run.log).toMatchObject([{ event: 'events not written', code: 'SQLITE_FULL' }])
  const after = withDatabase(killed(folder))
  expect(after.recorder.lastSeq('main')).toBeGreaterThan(12_000)
  expect(after.recorder.read('main').events.length).toBeLessThan(12_000)
  await after.close()
  await run.close()
})

test('a file that is locked by hand holds nothing up', async () => {
  const folder = temporaryFolder()
  const run = recorderIn(folder)
  run.recorder.observe('main', delivery('before'))
  const other = new Database(join(folder, 'events.db'))
  other.exec('BEGIN IMMEDIATE')
  run.recorder.observe('main', delivery('meanwhile'))
  run.wall.passOnce()
  expect(run.log).toMatchObject([{ event: 'events not written', code: 'SQLITE_BUSY' }])
  other.exec('ROLLBACK')
  other.close()
  await run.close()
  const next = recorderIn(folder)
  expect(next.recorder.read('main').events).toHaveLength(2)
  await next.close()
})

test('a file that is no database is set aside, with one line in the log', async () => {
  const folder = temporaryFolder()
  for (const content of ['not a database '.repeat(100), 'SQLite format 3\0 and nonsense'.repeat(100)]) {
    writeFileSync(join(folder, 'events.db'), content)
    const run = recorderIn(folder)
    expect(run.log).toMatchObject([{ level: 'error', event: 'events set aside', code: 'SQLITE_NOTADB' }])
    run.recorder.observe('main', delivery('m'))
    await run.close()
  }
  const files = readdirSync(folder).filter((name) => name.startsWith('events.db'))
  expect(files.sort()).toEqual(['events.db', 'events.db.set-aside', 'events.db.set-aside-2'])
  if (process.platform !== 'win32') {
    expect(files.map((name) => statSync(join(folder, name)).mode & 0o077)).toEqual([0, 0, 0])
  }
})

test('a file of a newer version is set aside, and its numbers are not given again', async () => {
  const folder = await filledWith(many(10))
  inDatabase(folder, (db) => db.pragma('user_version = 99'))
  const second = recorderIn(folder)
  expect(second.log).toMatchObject([{ event: 'events set aside', problem: { code: 'events_newer' } }])
  expect([second.recorder.lastSeq('main'), second.recorder.read('main').events]).toEqual([10, []])
  await second.close()
})

test('a damaged block takes no other with it', async () => {
  const folder = await filledWith(long(400))
  const damaged = inDatabase(folder, (db) => {
    const second = db.prepare('SELECT id, first, last FROM blocks ORDER BY first LIMIT 1 OFFSET 1')
    const found = second.get() as { readonly id: number; readonly first: number; readonly last: number }
    db.prepare("UPDATE parts SET texts = CAST(replace(texts, 'xxx', 'yyy') AS BLOB) WHERE block = ?").run(found.id)
    return found
  })
  const second = recorderIn(folder)
  const all = Array.from({ length: 400 }, (_, n) => n + 1)
  const expected = all.filter((seq) => seq < damaged.first || seq > damaged.last)
  expect(expected.length).toBeLessThan(400)
  expect(seqs(second.recorder.read('main'))).toEqual(expected)
  expect(seqs(second.recorder.read('main', { latest: true }))).toEqual(expected)
  expect(second.log).toMatchObject([
    {
      ...{ level: 'error', event: 'events not read', workspace: 'main' },
      problem: { code: 'events_damaged', params: { first: damaged.first, last: damaged.last } },
    },
  ])
  await second.close()
})

test('a file whose pages are damaged holds up nothing, and is set aside when the bench ends', async () => {
  const folder = await filledWith(long(400))
  const file = join(folder, 'events.db')
  const [root, size] = inDatabase(folder, (db) => [
    Number(db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'parts'").pluck().get()),
    Number(db.pragma('page_size', { simple: true })),
  ])
  const bytes = readFileSync(file)
  bytes.fill(0xff, (root - 1) * size, root * size)
  writeFileSync(file, bytes)
  const second = recorderIn(folder)
  expect(second.recorder.read('main').events).toEqual([])
  second.recorder.observe('main', delivery('goes on'))
  second.wall.passOnce()
  expect(second.recorder.read('main').events).toMatchObject([{ seq: 401 }])
  await second.close()
  expect(second.log.map(({ event }) => event)).toEqual(['events not read', 'events not written', 'events set aside'])
  const third = recorderIn(folder)
  expect(third.log).toEqual([])
  expect(third.recorder.lastSeq('main')).toBeGreaterThanOrEqual(401)
  await third.close()
})

test('what is written to trace files begins after the events of earlier runs', async () => {
  const folder = await filledWith(many(5))
  const second = recorderIn(folder)
  const told: number[] = []
  const follower = followEvents({
    recorder: second.recorder,
    take: (_, events) => void told.push(...events.map(({ seq }) => seq)),
    real: { now: () => 9, at: () => () => undefined },
  })
  second.recorder.observe('main', delivery('new'))
  follower.close()
  expect(told).toEqual([6])
  await second.close()
})
