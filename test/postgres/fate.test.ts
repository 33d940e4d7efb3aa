import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStore } from '../../src-main/service/store/open-store.ts'
import type { Store } from '../../src-main/service/store/store.ts'
import { atPort, locationOf, newSchemaUrl, noPostgres } from '../support/postgres/postgres-url.ts'
import { noPgbouncer, startPgbouncer } from '../support/postgres/start-pgbouncer.ts'
import { type Cut, type PostgresProxy, startProxy } from '../support/postgres/start-proxy.ts'
import { credentialRecord, deviceRecord, messageRecord, rpRecord } from '../support/service/records.ts'
import { taken } from '../support/taken.ts'

const bindTo = (device: string) => ({ account: 'acc', svc_user: 'A', public_key: {}, device, now: 1 })
const by = (device: string) => ({ device, answer_hash: 'h', now: 2 })
const push = { device: 'dev', n: 1, msg_id: 'm2' }

/** Each way in which a store writes: as one statement whose answer is a count or rows, or as a transaction. */
const writes: Readonly<
  Record<string, { readonly when: RegExp; readonly run: (store: Store) => Promise<unknown>; readonly brings: unknown }>
> = {
  'a message that is made, with its push': {
    when: /INSERT INTO \S*messages/,
    run: (store) => store.messages.insert('main', messageRecord('m2'), ['dev']),
    brings: [push],
  },
  'a bind': {
    when: /UPDATE \S*messages SET state = 'bind'/,
    run: (store) => store.messages.bind('main', 'm', bindTo('dev')),
    brings: true,
  },
  'a registration': {
    when: /^COMMIT$/,
    run: (store) => store.messages.register('main', 'm', { ...by('dev'), credential: credentialRecord('c'), limit: 9 }),
    brings: 'done',
  },
  'a result that is read once': {
    when: /SET delivered_at/,
    run: (store) => store.messages.deliver('main', 'm', 3),
    brings: true,
  },
  'events on their way to the bench': {
    when: /INSERT INTO \S*pending_events/,
    run: async (store) => store.shared?.events.append([{ workspace: 'main', wall: 1, bench: 1, draft: '{}' }]),
    brings: undefined,
  },
  'events that the bench takes': {
    when: /^COMMIT$/,
    run: async (store) => (await store.shared?.events.take(10))?.map(({ draft }) => draft),
    brings: ['{}'],
  },
  'an RP that is deleted': { when: /^COMMIT$/, run: (store) => store.rps.delete('main', 'rp'), brings: true },
}

const ways = [
  { name: 'directly', pooled: false },
  ...(noPgbouncer ? [] : [{ name: 'through PgBouncer', pooled: true }]),
]
const cuts: readonly Cut[] = ['before', 'after', 'late']

const through = (port: number): string => atPort(newSchemaUrl('&pool=2&notifications=off'), port)

describe.skipIf(noPostgres).each(ways)('a connection that is cut during a write, $name', ({ pooled }) => {
  let proxy: PostgresProxy
  const ends: (() => Promise<void>)[] = []
  beforeAll(async () => {
    const port = Number(new URL(newSchemaUrl()).port)
    const pooler = pooled ? await startPgbouncer(port) : undefined
    if (pooler !== undefined) ends.push(pooler.stop)
    proxy = await startProxy(pooler?.port ?? port)
    ends.unshift(proxy.stop)
  })
  afterAll(async () => {
    for (const end of ends) await end()
  })

  test.each(cuts)('%s the database has it: each write is done once, and its answer is the right one', async (cut) => {
    const store = taken(await openStore({ kind: 'postgres', database: locationOf(through(proxy.port)) }))
    await store.workspaces.insert({ id: 'main', created_at: 1 })
    await store.rps.insert('main', rpRecord('rp'))
    await store.accounts.insert('main', { id: 'acc', name: 'A', phone: '+1', created_at: 1 })
    await store.devices.insert('main', deviceRecord('dev'))
    await store.messages.insert('main', messageRecord('m'), [])
    for (const [name, { when, run, brings }] of Object.entries(writes)) {
      const wasCut = proxy.cutAt((sql) => when.test(sql), cut)
      // A commit that is on its way is waited for.
      if (when.test('COMMIT')) void wasCut.then((release) => release())
      expect([name, await run(store)]).toEqual([name, brings])
      // What arrives after its fate was told changes nothing any more.
      ;(await wasCut)()
      if (name === 'a bind') expect((await store.messages.get('main', 'm'))?.device).toBe('dev')
    }
    expect(await store.rps.list('main')).toEqual([])
    expect(await store.shared?.events.take(10)).toEqual([])
    await store.close()
  })

  test('before its first one: the write goes to another connection', async () => {
    const store = taken(await openStore({ kind: 'postgres', database: locationOf(through(proxy.port)) }))
    const wasCut = proxy.cutAt((sql) => /^INSERT INTO \S*connections DEFAULT VALUES/.test(sql), 'before')
    await store.workspaces.insert({ id: 'main', created_at: 1 })
    await wasCut
    expect((await store.workspaces.list()).map(({ id }) => id)).toEqual(['main'])
    await store.close()
  })
})

describe.skipIf(noPostgres)('a database that is gone', () => {
  test('before a write’s fate can be asked leaves a refusal that says so', async () => {
    const own = await startProxy(Number(new URL(newSchemaUrl()).port))
    const store = taken(await openStore({ kind: 'postgres', database: locationOf(through(own.port)) }))
    await store.workspaces.insert({ id: 'main', created_at: 1 })
    const gone = own.cutAt((sql) => /INSERT INTO \S*rps/.test(sql), 'after').then(own.stop)
    await expect(store.rps.insert('main', rpRecord('rp'))).rejects.toMatchObject({ fateUnknown: true })
    await gone
    await store.close()
  })

  test.each([
    ['one statement', (store: Store) => store.rps.insert('main', rpRecord('rp'))],
    ['a transaction', (store: Store) => store.rps.delete('main', 'other')],
  ])('silent in the middle of a write as %s leaves a refusal', async (_, write) => {
    const own = await startProxy(Number(new URL(newSchemaUrl()).port))
    const store = taken(await openStore({ kind: 'postgres', database: locationOf(through(own.port)) }))
    await store.workspaces.insert({ id: 'main', created_at: 1 })
    own.silentAt((sql) => /INSERT INTO \S*rps|^COMMIT$/.test(sql))
    await expect(write(store)).rejects.toMatchObject({ fateUnknown: true })
    await own.stop()
    await store.close()
  })
})
