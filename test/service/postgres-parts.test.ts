import { hostname } from 'node:os'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type LogLine, silentLog } from '../../src-main/core/protocol/log.ts'
import { takeBenchPlace } from '../../src-main/service/shared/open-bench-store.ts'
import { createListeners } from '../../src-main/service/shared/shared-inboxes.ts'
import { postgresTranslator } from '../../src-main/service/store/postgres/connect.ts'
import { fromSafeText, toSafeText } from '../../src-main/service/store/postgres/database.ts'
import { parsePostgresUrl } from '../../src-main/service/store/postgres/location.ts'
import { createDatabaseOutage } from '../../src-main/service/store/postgres/outage.ts'
import { createRowMemory } from '../../src-main/service/store/postgres/row-keys.ts'
import { parsePayload } from '../../src-main/service/store/postgres/signals.ts'
import type { InboxRef, SharedStore } from '../../src-main/service/store/store.ts'
import { taken } from '../support/taken.ts'

test('the URL of a PostgreSQL database names the schema and the pool, which the driver does not see', () => {
  const location = taken(parsePostgresUrl('postgres://me:s3cret@db.example/desk?schema=team_a&pool=5&sslmode=require'))
  expect(location).toEqual({
    connection: 'postgres://me:s3cret@db.example/desk?sslmode=require',
    schema: 'team_a',
    pool: 5,
    notifications: true,
    shown: 'db.example:5432/desk (schema team_a)',
  })
})

test('the URL of a PostgreSQL database may lead to a socket, and has a schema and a pool of its own without being told', () => {
  const location = taken(parsePostgresUrl('postgresql:///desk?host=/run/postgresql&port=5433'))
  expect(location).toMatchObject({ schema: 'handset', pool: 10, shown: '/run/postgresql:5433/desk (schema handset)' })
})

test.each([
  ['nonsense s3cret', 'not_a_url'],
  ['mysql://me:s3cret@db/x', 'not_postgres'],
  ['postgres://me:s3cret@db/x?schema=A"b', 'schema_unfit'],
  ['postgres://me:s3cret@db/x?schema=a;drop', 'schema_unfit'],
  ['postgres://me:s3cret@db/x?pool=1', 'pool_unfit'],
  ['postgres://me:s3cret@db/x?pool=many', 'pool_unfit'],
  ['postgres://me:s3cret@db/x?notifications=maybe', 'notifications_unfit'],
])('the URL of a PostgreSQL database: %s is refused, and its password is not repeated', (url, code) => {
  const refused = parsePostgresUrl(url)
  expect(refused).toMatchObject({ ok: false, error: { code } })
  expect(JSON.stringify(refused)).not.toContain('s3cret')
})

const text = postgresTranslator('desk')

test('statements for PostgreSQL number their values and name the schema of each table, and of nothing else', () => {
  const made = text(
    'WITH held AS (SELECT 1 FROM rps WHERE id = ?) UPDATE messages SET rp = ? FROM held JOIN pushes ON true',
  )
  expect(made).toBe(
    'WITH held AS (SELECT 1 FROM desk.rps WHERE id = $1) UPDATE desk.messages SET rp = $2 FROM held JOIN desk.pushes ON true',
  )
  expect(text("INSERT INTO unused_rows SELECT nextval('row_keys'), NULL::rps")).toBe(
    "INSERT INTO desk.unused_rows SELECT nextval('desk.row_keys'), NULL::desk.rps",
  )
})

test('text with U+0000, which PostgreSQL refuses, comes back as it was', () => {
  for (const value of ['plain', 'a\0b', '\u001a', '\u001a0\0\u001a1', '\0\0']) {
    const stored = toSafeText(value)
    expect(stored).not.toContain('\0')
    expect(fromSafeText(stored)).toBe(value)
  }
  expect(toSafeText(7)).toBe(7)
})

const NOTHING = { from: '', signals: [] }

test.each(['', 'hello', 'null', '[]', '"probe"', '{}', '{"from":1,"signals":[]}', '{"from":"a","signals":"probe"}'])(
  'a foreign notification says nothing: %s',
  (said) => {
    expect(parsePayload(said)).toEqual(NOTHING)
  },
)

test('of a notification counts what this version understands', () => {
  const known = [
    'probe',
    { about: 'events' },
    { about: 'pushes', workspace: 'w', device: 'd' },
    { about: 'inboxes ended', workspace: 'w' },
    { about: 'opinion wanted', workspace: 'w', msg_id: 'm' },
  ]
  const unknown = [
    null,
    7,
    'other',
    [],
    {},
    { about: 'toString' },
    { about: 'pushes', workspace: 'w' },
    { about: 'pushes', workspace: 'w', device: 1 },
    { about: 'inboxes ended', workspace: 'w', device: {} },
  ]
  expect(parsePayload(JSON.stringify({ from: '7', signals: [...unknown, ...known] }))).toEqual({
    from: '7',
    signals: known,
  })
})

const SHOWN = 'db.example:5432/handset (schema handset)'
const reason = new Error('connect ECONNREFUSED 10.0.0.7:5432')

const outageAt = () => {
  const lines: LogLine[] = []
  const clock = { now: 0 }
  const outage = createDatabaseOutage(
    (line) => lines.push(line),
    SHOWN,
    () => clock.now,
  )
  return { outage, lines, clock, fail: () => outage.failed(outage.begin(), reason) }
}

const stopped = { level: 'error', event: 'database does not answer', database: SHOWN, error: reason.message }
const back = (away_ms: number) => ({ level: 'warn', event: 'database answers again', database: SHOWN, away_ms })

test('[serve.log] a database that stops answering is one line, however many ask it, and one when it is back', () => {
  const { outage, lines, clock, fail } = outageAt()
  outage.answered()
  for (let n = 0; n < 100; n++) fail()
  expect(lines).toEqual([stopped])
  clock.now = 7_000
  for (let n = 0; n < 100; n++) outage.answered()
  expect(lines).toEqual([stopped, back(7_000)])
})

test('[serve.log] a question that fails while others are answered is no outage', () => {
  const { outage, lines } = outageAt()
  const begun = outage.begin()
  outage.answered()
  outage.failed(begun, reason)
  expect(lines).toEqual([])
})

test('[serve.log] a database that comes and goes is told of once in 10 s', () => {
  const { outage, lines, clock, fail } = outageAt()
  for (clock.now = 0; clock.now < 20_000; clock.now += 100) {
    fail()
    outage.answered()
  }
  expect(lines).toEqual([stopped, back(0), stopped, back(0)])
})

/** A row that can be changed, and how often it was read. */
const remembered = () => {
  const memory = createRowMemory()
  const stored: { row: string | undefined; reads: number } = { row: 'old', reads: 0 }
  const read = memory.remember(async () => {
    stored.reads += 1
    return stored.row
  })
  return { memory, stored, read: () => read('#1', 'id') }
}

test('nothing is remembered before the version of its workspace was read', async () => {
  const { stored, read } = remembered()
  await read()
  await read()
  expect(stored.reads).toBe(2)
})

test('a row is read once for each version of its workspace', async () => {
  const { memory, stored, read } = remembered()
  memory.check('#1', 1)
  await read()
  memory.check('#1', 1)
  expect(await read()).toBe('old')
  expect(stored.reads).toBe(1)
  stored.row = 'new'
  memory.check('#1', 2)
  expect([await read(), await read(), stored.reads]).toEqual(['new', 'new', 2])
})

test('a row that is not there is looked for again', async () => {
  const { memory, stored, read } = remembered()
  memory.check('#1', 1)
  stored.row = undefined
  expect(await read()).toBeUndefined()
  stored.row = 'made'
  expect(await read()).toBe('made')
})

test.each([
  ['the version changes', (memory: ReturnType<typeof createRowMemory>) => memory.check('#1', 2)],
  ['this process changes it', (memory: ReturnType<typeof createRowMemory>) => memory.forget('#1')],
])('what was on its way when %s is not remembered', async (_, change) => {
  const { memory, stored, read } = remembered()
  memory.check('#1', 1)
  const reading = read()
  stored.row = 'new'
  change(memory)
  expect(await reading).toBe('old')
  memory.check('#1', 2)
  expect(await read()).toBe('new')
})

const PHONE = { workspace: 'main', device: 'dev_1' }

/** The rows, as the database has them, and whether it is away. */
const rows = () => {
  const kept = new Set<string>()
  const state = { away: false, forgotten: false, writes: 0 }
  const keyOf = ({ workspace, device }: InboxRef): string => `${workspace} ${device}`
  const listeners: SharedStore['listeners'] = {
    write: async ({ opened, closed }) => {
      if (state.away) throw new Error('away')
      state.writes += 1
      for (const inbox of closed) kept.delete(keyOf(inbox))
      for (const inbox of opened) kept.add(keyOf(inbox))
    },
    stay: async () => !state.forgotten,
    of: async () => new Set(kept),
    leave: async () => kept.clear(),
  }
  return { kept, state, listeners }
}

const nextLook = async (): Promise<void> => void (await vi.advanceTimersByTimeAsync(2_000))

test('an open inbox is written before it is answered, once however often it is opened, and taken back with the last', async () => {
  const { kept, state, listeners } = rows()
  const own = createListeners({ listeners })
  const [first, second] = [await own.arrive(PHONE), await own.arrive(PHONE)]
  expect([[...kept], state.writes]).toEqual([['main dev_1'], 1])
  first()
  first()
  expect([...kept]).toEqual(['main dev_1'])
  second()
  await expect.poll(() => kept.size).toBe(0)
  await own.close()
})

test('many inboxes that open at the same time are few statements', async () => {
  const { kept, state, listeners } = rows()
  const own = createListeners({ listeners })
  await Promise.all(Array.from({ length: 1000 }, (_, n) => own.arrive({ workspace: 'main', device: `dev_${n}` })))
  expect([kept.size, state.writes <= 2]).toEqual([1000, true])
  await own.close()
})

test('an inbox that ends while the database is away is taken back when that is there again; one that opens is refused', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { kept, state, listeners } = rows()
  const own = createListeners({ listeners })
  const leave = await own.arrive(PHONE)
  state.away = true
  leave()
  await expect(own.arrive({ workspace: 'main', device: 'dev_2' })).rejects.toThrow()
  await nextLook()
  expect([...kept]).toEqual(['main dev_1'])
  state.away = false
  await nextLook()
  expect([...kept]).toEqual([])
  await own.close()
})

test('a process that was taken for dead writes all its open inboxes again', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { kept, state, listeners } = rows()
  const own = createListeners({ listeners })
  await own.arrive(PHONE)
  kept.clear()
  await nextLook()
  expect(kept.size).toBe(0)
  state.forgotten = true
  await nextLook()
  expect([...kept]).toEqual(['main dev_1'])
  await own.close()
})

/** No process has so high a number. */
const NOBODY = 2 ** 30

test('a bench in another container is not taken for one that has ended, though its machine has the same name', async () => {
  let seen = 0
  const released: string[] = []
  const bench = {
    id: 'own',
    take: async () => ({ id: 'other', host: `${hostname()} of another container`, pid: NOBODY, seen: String(++seen) }),
    release: async (id: string) => void released.push(id),
  }
  const place = await takeBenchPlace({ shared: { bench }, shown: 'here', log: silentLog, lost: () => undefined })
  expect(place).toEqual({
    ok: false,
    error: { code: 'bench_place_taken', params: { shown: 'here', pid: NOBODY, host: hostname() } },
  })
  expect(released).toEqual([])
})
