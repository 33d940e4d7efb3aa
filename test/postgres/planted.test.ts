import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callForEver, Gone } from '../robustness/crash-load.ts'
import { look } from '../robustness/crash-rounds.ts'
import { diceOf } from '../robustness/dice.ts'
import { emptyLedger } from '../robustness/ledger.ts'
import { watchPushes } from '../robustness/processes/watch-pushes.ts'
import { locationOf, newSchemaUrl, noPostgres } from '../support/postgres/postgres-url.ts'
import { noHaproxy } from '../support/postgres/start-haproxy.ts'
import { type Processes, startProcesses } from '../support/postgres/start-processes.ts'

/** What `npm run crash:processes` compares, each mistake planted into the rows by hand. */
describe.skipIf(noPostgres || noHaproxy)('what is compared after kills and restarts', () => {
  const url = newSchemaUrl('&pool=4')
  const { connection, schema } = locationOf(url)
  const ledger = emptyLedger()
  let all: Processes
  let db: Client
  let pushes: Awaited<ReturnType<typeof watchPushes>>
  let problems: () => Promise<readonly string[]>
  beforeAll(async () => {
    all = await startProcesses(url, { services: 2 })
    db = new Client({ connectionString: connection })
    await db.connect()
    await db.query(`SET search_path TO ${schema}`)
    const key = { accessKeyId: all.rp.key.id, secretKey: all.rp.key.secret }
    const service = { port: all.running.port, token: '', key }
    const bench = { port: all.bench.port, token: all.bench.token, key }
    problems = () => look(bench, ledger, service)
    let left = 60
    const heard = (): void => {
      left -= 1
      if (left === 0) throw new Gone('enough')
    }
    await callForEver({ name: 'w', site: service, ledger, dice: diceOf(1), heard }).catch((reason) => {
      if (!(reason instanceof Gone)) throw reason
    })
    pushes = await watchPushes(service)
    await pushes.send(() => pushes.acknowledged() >= 2)
  })
  afterAll(async () => {
    pushes.close()
    await db.end()
    await all.stop()
  })

  /** The id of one message that somebody read to the end. */
  const readMessage = (): string => [...ledger.messages].find(([, { read }]) => read)?.[0] ?? ''

  test('without a mistake nothing is told', async () => {
    expect(await problems()).toEqual([])
    expect(await pushes.problems()).toEqual([])
  })

  const there = (): string => [...ledger.credentials].find(([, presence]) => presence === 'there')?.[0] ?? ''
  const mistakes: readonly (readonly [what: string, sql: string, id: () => string, told: RegExp])[] = [
    ['a registration that is lost', 'DELETE FROM credentials WHERE id = $1', there, /was acknowledged and is gone/],
    ['a message that is lost', 'DELETE FROM messages WHERE id = $1', readMessage, /was acknowledged and is gone/],
    [
      'a result that is delivered a second time',
      'UPDATE messages SET delivered_at = NULL WHERE id = $1',
      readMessage,
      /a result was told twice|may be read again/,
    ],
    [
      'an impossible state',
      `UPDATE messages SET state = 'init' WHERE id = $1`,
      readMessage,
      /was bound and is in init|: init by/,
    ],
  ]
  test.each(mistakes)('%s is told', async (_what, sql, id, told) => {
    const table = sql.includes('credentials') ? 'credentials' : 'messages'
    const planted = id()
    const kept = (await db.query(`SELECT row_to_json(t) AS row FROM ${table} t WHERE id = $1`, [planted])).rows[0].row
    await db.query(sql, [planted])
    expect((await problems()).join('\n')).toMatch(told)
    await db.query(`DELETE FROM ${table} WHERE id = $1`, [planted])
    await db.query(`INSERT INTO ${table} SELECT * FROM json_populate_record(NULL::${table}, $1)`, [
      JSON.stringify(kept),
    ])
    expect(await problems()).toEqual([])
  })

  test('a push that comes twice is told', async () => {
    const { rows } = await db.query(`SELECT workspace, device, msg_id, n FROM pushes ORDER BY rowid DESC LIMIT 1`)
    const [{ workspace, device, msg_id, n }] = rows
    const next = Number(n) + 1
    await db.query(`INSERT INTO pushes (workspace, device, n, msg_id) VALUES ($1, $2, $3, $4)`, [
      workspace,
      device,
      next,
      msg_id,
    ])
    await db.query('UPDATE devices SET push_count = $1 WHERE id = $2', [next, device])
    await expect.poll(pushes.problems, { timeout: 20_000 }).toEqual([`push of ${msg_id} came twice`])
  })
})
