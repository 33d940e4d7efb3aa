import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStore } from '../../src-main/service/store/open-store.ts'
import { createDatabase, type Database } from '../../src-main/service/store/postgres/database.ts'
import { createPrepared } from '../../src-main/service/store/postgres/prepared.ts'
import { locationOf, newSchemaUrl, noPostgres } from '../support/postgres/postgres-url.ts'
import { noPgbouncer, startPgbouncer } from '../support/postgres/start-pgbouncer.ts'
import { messageRecord } from '../support/service/records.ts'
import { taken } from '../support/taken.ts'

const NAMED = 'SELECT count(*) AS n FROM pg_prepared_statements'

const openAt = (port: number, keepMs?: number): Database => {
  const url = new URL(locationOf(newSchemaUrl()).connection)
  url.port = String(port)
  const prepared = createPrepared(keepMs)
  // One connection, so that each statement comes to the one before.
  const pool = new pg.Pool({ connectionString: url.href, max: 1, onConnect: prepared.greet })
  return createDatabase(pool, (text) => text, { prepared })
}

describe.skipIf(noPostgres)('the names of statements', () => {
  const port = Number(new URL(newSchemaUrl()).port)
  let database: Database
  beforeAll(() => {
    database = openAt(port)
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
    const own = openAt(port, 0)
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
    const own = openAt(port)
    expect(Number((await own.ask(NAMED)).rows[0]?.n)).toBe(1)
    await own.ask('DEALLOCATE ALL')
    expect((await own.view((ask) => ask(NAMED))).rows).toEqual([{ n: '0' }])
    expect((await own.ask('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    expect((await own.ask(NAMED)).rows).toEqual([{ n: '0' }])
    await own.close()
  })

  test.skipIf(noPgbouncer)('behind PgBouncer no statement has a name', async () => {
    const pooler = await startPgbouncer(port)
    const pooled = openAt(pooler.port)
    for (let n = 0; n < 3; n++) expect((await pooled.ask(NAMED)).rows).toEqual([{ n: '0' }])
    await pooled.close()
    await pooler.stop()
  })
})
