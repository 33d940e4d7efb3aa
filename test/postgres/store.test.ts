import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { StoreUnavailable } from '../../src-main/protocol/store-unavailable.ts'
import { openStore } from '../../src-main/service/store/open-store.ts'
import { integerColumns, type TableName, tables } from '../../src-main/service/store/tables.ts'
import { storeContract } from '../service/store-contract.ts'
import { locationOf, newSchemaUrl, noPostgres } from '../support/postgres/postgres-url.ts'
import { noPgbouncer, startPgbouncer } from '../support/postgres/start-pgbouncer.ts'
import { startPostgres } from '../support/postgres/start-postgres.ts'
import { messageRecord, rpRecord } from '../support/service/records.ts'
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
    const through = (): string => {
      const url = new URL(newSchemaUrl('&pool=4'))
      url.port = String(pooler.port)
      return url.href
    }
    storeContract('PgBouncer', () => open(through()), { inOrder: false })
  })

  test('refuses while the server is away, which nobody takes for a bug, and goes on when it is back', async () => {
    const server = await startPostgres()
    if (typeof server === 'string') throw new Error(server)
    const store = await open(server.url)
    try {
      await store.workspaces.insert({ id: 'main', created_at: 1 })
      for (const how of ['fast', 'immediate'] as const) {
        await server.halt(how)
        await expect(store.rps.insert('main', rpRecord(how))).rejects.toBeInstanceOf(StoreUnavailable)
        await server.start()
        await expect.poll(() => store.rps.insert('main', rpRecord(how)).catch(() => 'away')).toBe(true)
      }
      expect((await store.rps.list('main')).map(({ id }) => id)).toEqual(['fast', 'immediate'])
    } finally {
      await store.close()
      await server.stop()
    }
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
    expect(refused.ok).toBe(false)
    if (!refused.ok)
      expect(refused.error).toMatch(/^The database .* has version 99; this program knows versions up to \d+\./)
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

  test('schemas of one database share nothing', async () => {
    const [one, two] = [await open(newSchemaUrl()), await open(newSchemaUrl())]
    await one.workspaces.insert({ id: 'main', created_at: 1 })
    expect(await two.workspaces.list()).toEqual([])
    await Promise.all([one.close(), two.close()])
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

    test('see each other’s writes, and of one message one bind and one delivery', async () => {
      const { here, there, close } = await both()
      await here.rps.insert('main', rpRecord('rp'))
      await there.messages.insert('main', messageRecord('m'), [])
      const to = { account: 'acc', svc_user: 'A', public_key: {}, now: 1 }
      const binds = Array.from({ length: 50 }, (_, n) =>
        (n % 2 ? here : there).messages.bind('main', 'm', { ...to, device: `d${n}` }),
      )
      expect((await Promise.all(binds)).filter(Boolean)).toHaveLength(1)
      const device = (await here.messages.get('main', 'm'))?.device ?? ''
      expect(await here.messages.fail('main', 'm', { device, error: 'e', answer_hash: 'h', now: 2 })).toBe(true)
      const reads = Array.from({ length: 200 }, (_, n) => (n % 2 ? here : there).messages.deliver('main', 'm', 3))
      expect((await Promise.all(reads)).filter(Boolean)).toHaveLength(1)
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
