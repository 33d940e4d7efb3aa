import pg, { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStore } from '../../src-main/service/store/open-store.ts'
import { createDatabase, type Database } from '../../src-main/service/store/postgres/database.ts'
import { createPrepared } from '../../src-main/service/store/postgres/prepared.ts'
import { integerColumns, type TableName, tables } from '../../src-main/service/store/tables.ts'
import { storeContract } from '../service/store-contract.ts'
import { atPort, locationOf, newSchemaUrl, noPostgres } from '../support/postgres/postgres-url.ts'
import { noPgbouncer, startPgbouncer } from '../support/postgres/start-pgbouncer.ts'
import { deviceRecord, messageRecord, rpRecord } from '../support/service/records.ts'
import { taken } from '../support/taken.ts'

const openAt = (url: string) => openStore({ kind: 'postgres', database: locationOf(url) })
const open = async (url: string) => taken(await openAt(url))

/** Beside the store, as an administrator has it. */
const asked = async (url: string, text: string): Promise<readonly Record<string, unknown>[]> => {
  const client = new Client({ connectionString: locationOf(url).connection })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

describe.skipIf(noPostgres)('PostgreSQL', () => {
  storeContract('PostgreSQL', () => open(newSchemaUrl()), { inOrder: false })

  describe.skipIf(noPgbouncer)('through PgBouncer in transaction mode', () => {
    let pooler: Awaited<ReturnType<typeof startPgbouncer>>
    beforeAll(async () => {
      pooler = await startPgbouncer(Number(new URL(newSchemaUrl()).port))
    })
    afterAll(() => pooler.stop())
    storeContract('PgBouncer', () => open(atPort(newSchemaUrl('&pool=4'), pooler.port)), { inOrder: false })
  })

  test('has the columns that the table list names, whole numbers among them, a workspace and the order of making', async () => {
    const url = newSchemaUrl()
    await (await open(url)).close()
    const { schema } = locationOf(url)
    const rows = await asked(
      url,
      `SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = '${schema}'`,
    )
    for (const [name, { columns }] of Object.entries(tables)) {
      const there = rows.filter(({ table_name }) => table_name === name)
      expect(there.map(({ column_name }) => column_name).sort()).toEqual(['workspace', 'rowid', ...columns].sort())
      const whole = there.filter(({ data_type }) => data_type === 'bigint').map(({ column_name }) => column_name)
      expect(whole.sort()).toEqual(['rowid', ...integerColumns(name as TableName)].sort())
    }
  })

  test('keeps what was written, and counts its starts', async () => {
    const url = newSchemaUrl()
    const first = await open(url)
    await first.workspaces.insert({ id: 'main', created_at: 1 })
    await first.rps.insert('main', rpRecord('rp'))
    await first.messages.insert('main', messageRecord('m', { username: 'nul \0, sub \u001a, \ud83d\ude00' }), [])
    expect(await first.shared?.countBoot()).toBe(0)
    await first.close()
    const second = await open(url)
    expect(await second.rps.list('main')).toEqual([rpRecord('rp')])
    expect((await second.messages.get('main', 'm'))?.username).toBe('nul \0, sub \u001a, \ud83d\ude00')
    expect(await second.shared?.countBoot()).toBe(1)
    await second.close()
  })

  test('[cli.newer] a schema of a newer version is refused in one line, its rows untouched', async () => {
    const url = newSchemaUrl()
    const { schema } = locationOf(url)
    await (await open(url)).close()
    await asked(url, `INSERT INTO ${schema}.migrations VALUES (99, now())`)
    const refused = await openAt(url)
    expect(refused).toMatchObject({ ok: false, error: { code: 'postgres_newer', params: { version: 99 } } })
    expect(await asked(url, `SELECT version FROM ${schema}.migrations ORDER BY 1 DESC LIMIT 1`)).toEqual([
      { version: '99' },
    ])
  })

  test('is migrated once, however many processes come to an empty schema at the same time', async () => {
    const url = newSchemaUrl('&pool=2')
    const stores = await Promise.all(Array.from({ length: 6 }, () => open(url)))
    const made = await Promise.all(stores.map((store) => store.workspaces.insert({ id: 'main', created_at: 1 })))
    expect(made.filter(Boolean)).toHaveLength(1)
    await Promise.all(stores.map((store) => store.close()))
  })

  describe('two processes', () => {
    const both = async () => {
      const url = newSchemaUrl()
      const [here, there] = [await open(url), await open(url)]
      await here.workspaces.insert({ id: 'main', created_at: 1 })
      await there.shared?.heads(['main'])
      return { here, there, close: () => Promise.all([here.close(), there.close()]) }
    }
    const versionOf = async (store: Awaited<ReturnType<typeof open>>) =>
      (await store.shared?.heads(['main', 'nowhere']))?.map(({ id, version }) => `${id} ${version}`).join()

    test('know which devices listen at which of them, and forget those of one that is silent', async () => {
      const { here, there, close } = await both()
      const [one, two] = ['dev_1', 'dev_2'].map((device) => ({ workspace: 'main', device }))
      const listening = async (seconds = 10) =>
        [...((await here.shared?.listeners.of('main', seconds)) ?? [])].toSorted()
      if (one === undefined || two === undefined) throw new Error('two devices')
      expect(await there.shared?.listeners.stay()).toBe(false)
      await there.shared?.listeners.write({ opened: [one, two], closed: [] })
      await here.shared?.listeners.write({ opened: [two, { ...one, workspace: 'job-1' }], closed: [] })
      expect(await listening()).toEqual(['dev_1', 'dev_2'])
      expect(await listening(-1)).toEqual([])
      await there.shared?.listeners.write({ opened: [], closed: [one, two] })
      expect(await listening()).toEqual(['dev_2'])
      expect(await there.shared?.listeners.stay()).toBe(true)
      await here.shared?.listeners.leave()
      expect(await listening()).toEqual([])
      await close()
    })

    test('that remember keys, RPs, accounts and devices learn of each change with the next head', async () => {
      const { here, there, close } = await both()
      const key = { id: 'key', rp: 'rp', secret: 's', state: 'active' as const, created_at: 1 }
      await here.rps.insert('main', rpRecord('rp'))
      await here.accessKeys.insert('main', key)
      await here.accounts.insert('main', { id: 'acc', name: 'A', phone: '+1', created_at: 1 })
      await here.devices.insert('main', deviceRecord('dev'))
      const read = async (store: typeof there) => {
        await store.shared?.heads(['main'])
        const found = await store.accessKeys.withRp('main', 'key')
        const rp = await store.rps.get('main', 'rp')
        const signedIn = await store.devices.byToken('main', 'hash of dev')
        const account = await store.accounts.get('main', 'acc')
        return [found?.key.state, found?.rp.name, rp?.name, signedIn?.id, account?.id]
      }
      const { name } = rpRecord('rp')
      const all = ['active', name, name, 'dev', 'acc']
      const changes: readonly [() => Promise<unknown>, readonly (string | undefined)[]][] = [
        [() => here.accessKeys.setState('main', 'key', 'disabled'), ['disabled', ...all.slice(1)]],
        [() => here.rps.update('main', 'rp', { name: 'new' }), ['disabled', 'new', 'new', 'dev', 'acc']],
        [() => here.devices.delete('main', 'dev'), ['disabled', 'new', 'new', undefined, 'acc']],
        [() => here.accounts.delete('main', 'acc'), ['disabled', 'new', 'new', undefined, undefined]],
        [() => here.accessKeys.delete('main', 'key'), [undefined, undefined, 'new', undefined, undefined]],
        [() => here.rps.delete('main', 'rp'), [undefined, undefined, undefined, undefined, undefined]],
      ]
      expect([await read(here), await read(there), await read(there)]).toEqual([all, all, all])
      for (const [change, seen] of changes) {
        await change()
        expect([await read(here), await read(there), await read(there)]).toEqual([seen, seen, seen])
      }
      await close()
    })

    test('learn from the head that a setting changed, rows were replaced, or the workspace is gone', async () => {
      const { here, there, close } = await both()
      const seen = [await versionOf(there)]
      await here.settings.set('main', 'profile', { a: 1 })
      seen.push(await versionOf(there))
      await here.settings.delete('main', 'profile')
      seen.push(await versionOf(there))
      await here.replaceRows('main', { rps: [{ ...rpRecord('new'), origins: '[]' }] })
      seen.push(await versionOf(there))
      expect((await there.rps.list('main')).map(({ id }) => id)).toEqual(['new'])
      expect(new Set(seen).size).toBe(4)
      await here.workspaces.delete('main')
      expect(await versionOf(there)).toBe('')
      expect(await there.rps.list('main')).toEqual([])
      await close()
    })
  })
})

const NAMED = 'SELECT count(*) AS n FROM pg_prepared_statements'

const poolAt = (port: number, keepMs?: number): Database => {
  const { connection: connectionString } = locationOf(atPort(newSchemaUrl(), port))
  const prepared = createPrepared(keepMs)
  // One connection, so that each statement comes to the one before.
  const pool = new pg.Pool({ connectionString, max: 1, onConnect: prepared.greet })
  return createDatabase(pool, (text) => text, { prepared })
}

describe.skipIf(noPostgres)('the names of statements', () => {
  const port = Number(new URL(newSchemaUrl()).port)
  let database: Database
  beforeAll(() => {
    database = poolAt(port)
  })
  afterAll(() => database.close())

  test('a statement on a connection of our own is prepared once, however often it is asked', async () => {
    for (let n = 0; n < 3; n++) expect(Number((await database.ask(NAMED)).rows[0]?.n)).toBe(1)
  })

  test('a statement whose table was migrated meanwhile brings the new columns', async () => {
    await database.ask("CREATE TEMP TABLE grown AS SELECT '1' AS a")
    expect((await database.ask('SELECT * FROM grown')).rows).toEqual([{ a: '1' }])
    await database.ask("ALTER TABLE grown ADD COLUMN b TEXT DEFAULT '2'")
    expect((await database.ask('SELECT * FROM grown')).rows).toEqual([{ a: '1', b: '2' }])
    expect((await database.view((ask) => ask('SELECT * FROM grown'))).rows).toEqual([{ a: '1', b: '2' }])
  })

  test('a plan that was made while its table was empty is not kept', async () => {
    const url = newSchemaUrl()
    const { schema } = locationOf(url)
    await taken(await openStore({ kind: 'postgres', database: locationOf(url) })).close()
    const own = poolAt(port, 0)
    const text = `SELECT * FROM ${schema}.messages WHERE workspace = $1 AND id = $2`
    await own.ask(text, ['1', '2'])
    const { rows } = await own.ask('SELECT name FROM pg_prepared_statements WHERE statement = $1', [text])
    const { id, ...others } = messageRecord('m')
    const row = JSON.stringify({ workspace: '1', ...others })
    const fill = `INSERT INTO ${schema}.messages SELECT made.* FROM generate_series(1, 5000) AS i, LATERAL
      json_populate_record(NULL::${schema}.messages, ('${row}'::jsonb || jsonb_build_object('id', i::text, 'rowid', i))::json) AS made`
    await own.migrate((ask) => ask(fill))
    const plan = await own.ask(`EXPLAIN EXECUTE ${String(rows[0]?.name)} ('1', '2')`)
    expect(JSON.stringify(plan.rows)).toContain('messages_pkey')
    await own.close()
  })

  test('a pooler that hides itself and loses the names costs no statement, and from then on none has a name', async () => {
    const own = poolAt(port)
    expect(Number((await own.ask(NAMED)).rows[0]?.n)).toBe(1)
    await own.ask('DEALLOCATE ALL')
    expect((await own.view((ask) => ask(NAMED))).rows).toEqual([{ n: '0' }])
    expect((await own.ask('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    expect((await own.ask(NAMED)).rows).toEqual([{ n: '0' }])
    await own.close()
  })

  test.skipIf(noPgbouncer)('behind PgBouncer no statement has a name', async () => {
    const pooler = await startPgbouncer(port)
    const pooled = poolAt(pooler.port)
    for (let n = 0; n < 3; n++) expect((await pooled.ask(NAMED)).rows).toEqual([{ n: '0' }])
    await pooled.close()
    await pooler.stop()
  })
})
