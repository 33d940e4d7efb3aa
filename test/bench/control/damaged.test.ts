import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startBench } from '../../../src-main/bench/assembly/bench.ts'
import { DEMO_RP } from '../../../src-main/bench/control/seed-data.ts'
import { ALICE, cast, codeOf, register, startTestBench, type TestBench } from '../../support/bench.ts'
import { folderOfFile, temporaryFolder } from '../../support/temporary-folder.ts'

const rowsFolder = folderOfFile()
const BO = { name: 'Bo', phone: '13900001111' }
let bench: TestBench
let db: Database.Database
let made: Awaited<ReturnType<typeof cast>>
let cloud: string
let snapshot: string
beforeAll(async () => {
  bench = await startTestBench({ data: rowsFolder })
  made = await cast(bench.client, { storage: 'chip' })
  await register(bench.client, made)
  const phone = { name: 'Cloud', model: 'cloud-pebble', storage: 'cloud', account: BO } as const
  cloud = (await bench.client.call('phones.create', { body: phone })).id
  await register(bench.client, { rp: made.rp, phone: cloud })
  snapshot = (await bench.client.call('snapshots.create', { body: {} })).id
  db = new Database(join(rowsFolder, 'handset.db'))
})
afterAll(async () => {
  db.close()
  await bench.close()
})

const restart = async (): Promise<void> => {
  await bench.close()
  bench = await startTestBench({ data: rowsFolder })
}

/** Damages a column of every row, calls, and puts back what is still there. */
const withDamaged = async <T>(column: string, value: string, call: () => Promise<T>): Promise<T> => {
  const [table, name] = column.split('.')
  db.exec(`CREATE TEMP TABLE kept AS SELECT rowid AS n, ${name} AS value FROM ${table}`)
  db.exec(`UPDATE ${table} SET ${name} = ${value}`)
  try {
    return await call()
  } finally {
    const before = `SELECT value FROM kept WHERE n = ${table}.rowid`
    db.exec(`UPDATE ${table} SET ${name} = (${before}) WHERE rowid IN (SELECT n FROM kept)`)
    db.exec('DROP TABLE kept')
  }
}

const damagedRows = (): readonly string[] =>
  bench.log
    .splice(0)
    .flatMap((line) =>
      line.event === 'row damaged' ? [`${line.workspace} ${line.table}.${line.column} ${line.id}`] : [],
    )
const ask = (method: 'push' | 'qrcode') =>
  bench.client.call('simulator.sign-in', { params: { rp: made.rp }, body: { ...ALICE, method, poll: false } })
const scan = (url: string) => bench.client.call('phones.scan', { params: { id: made.phone }, body: { url } })
const approve = () => bench.client.call('phones.approve', { params: { id: made.phone }, body: {} })

describe('[store.damaged] a row that cannot be what was written', () => {
  test('of the credentials lacks what is damaged, and signs in all the same', async () => {
    damagedRows()
    for (const bad of ['{', '', '5']) {
      await withDamaged('credentials.transports', `'${bad}'`, async () => {
        const { credentials } = await bench.client.call('credentials.list')
        expect(credentials).toHaveLength(2)
        await scan((await ask('qrcode')).url)
        expect((await approve()).screen.kind).toBe('success')
      })
    }
    // Each is told once, however often it is read.
    const ids = db.prepare('SELECT id FROM credentials ORDER BY rowid').pluck().all()
    expect(damagedRows()).toEqual(ids.map((id) => `main credentials.transports ${id}`))
  })

  test.each(['{', '5', '{"a":1}'])('of the messages cannot be answered any more, and times out: %j', async (bad) => {
    const { url, msg_id } = await ask('qrcode')
    await scan(url)
    await withDamaged('messages.public_key', `'${bad}'`, async () => {
      // Until the process ends, an open message is remembered as it was written.
      await restart()
      expect((await bench.client.call('messages.list')).messages.length).toBeGreaterThan(2)
      expect(await codeOf(approve())).toBe(40906)
      const message = await bench.client.call('messages.get', { params: { id: msg_id } })
      expect(message).toMatchObject({ state: 'bind' })
      expect((await ask('push')).msg_id).not.toBe(msg_id)
      const { message_ttl_s } = (await bench.client.call('profile.get')).profile
      await bench.client.call('clock.advance', { body: { ms: Number(message_ttl_s) * 1000 } })
      expect((await bench.client.call('messages.get', { params: { id: msg_id } })).state).toBe('timeout')
    })
    expect(damagedRows().some((line) => line.includes(msg_id))).toBe(bad === '{')
  })

  test('of the accounts is proved by nothing', async () => {
    const params = { id: cloud }
    const signIn = () => codeOf(bench.client.call('phones.sign-in', { params, body: {} }))
    await bench.client.call('phones.sign-out', { params, body: {} })
    await withDamaged('accounts.proof_hash', "'x'", async () => {
      expect(await codeOf(bench.client.call('accounts.list'))).toBe(0)
      expect(await signIn()).toBe(40906)
    })
    expect(await signIn()).toBe(0)
  })

  test.each([
    ['devices.name', "''", ['devices.list']],
    ['devices.token_hash', "id || ' x'", ['devices.list']],
    ['vault.etag', "'a' || char(13, 10) || 'b'", []],
    ['vault.sealed', "'?'", []],
    ['pushes.sent_at', '-5', []],
    ['verdicts.verdict', "'{'", ['messages.list']],
  ] as const)('with %s = %s makes no error of the service', async (column, value, lists) => {
    const codes = await withDamaged(column, value, async () => {
      const calls = [
        ...lists.map((list) => bench.client.call(list)),
        bench.client.call('phones.sync', { params: { id: cloud } }),
        ask('push'),
        bench.client.call('workspace.export'),
      ]
      return Promise.all(calls.map(codeOf))
    })
    expect(codes.filter((code) => code >= 50000)).toEqual([])
  })

  test.each(['{', '{}', '{"export":{"format":"handset-workspace","version":1,"tables":{"rps":[{}]},"random":{}}}'])(
    'of the snapshots is not restored, and nothing is lost: %s',
    async (content) => {
      const restored = () => bench.client.call('snapshots.restore', { params: { id: snapshot }, body: {} })
      await withDamaged('snapshots.content', `'${content}'`, async () => {
        expect(await codeOf(restored())).toBe(40902)
        expect((await bench.client.call('phones.list')).phones).toHaveLength(2)
      })
      expect(await codeOf(restored())).toBe(0)
    },
  )
})

describe('[import.damaged] a damaged workspace', () => {
  let folder: string
  let running: TestBench | undefined
  beforeEach(async () => {
    folder = temporaryFolder()
    running = await startTestBench({ data: folder })
    await cast(running.client)
    await running.client.call('workspaces.create', { body: { id: 'other' } })
    // The makers' roots are made when they are asked for.
    await running.client.workspace('other').call('roots.list')
    await running.client.call('profile.patch', { body: { user_id_max: 99 } })
    await running.close()
    running = undefined
  })
  afterEach(() => running?.close())

  const spoil = (file: string, sql: string): void => {
    const db = new Database(join(folder, file))
    expect(db.prepare(sql).run().changes).toBeGreaterThan(0)
    db.close()
  }

  test.each([
    ['handset.db', "INSERT INTO settings VALUES ('other', 'profile', '{')"],
    ['handset.db', "INSERT INTO settings VALUES ('other', 'clock', 'x')"],
    ['handset.db', "INSERT INTO settings VALUES ('other', 'conditions', '5')"],
    ['handset.db', "UPDATE rps SET origins = '5' WHERE workspace = 'other'"],
    ['handset.db', "UPDATE rps SET origins = '[' WHERE workspace = 'other'"],
    ['handset.db', "UPDATE roots SET certificate = 'AAAA' WHERE workspace = 'other'"],
    ['phones.db', "UPDATE workspaces SET makers = '{' WHERE workspace = 'other'"],
    ['phones.db', "INSERT INTO phones (workspace, id, json) VALUES ('other', 'phn_1', '{')"],
  ])('is named and set aside, and the others open: %s %s', async (file, sql) => {
    spoil(file, sql)
    running = await startTestBench({ data: folder })
    const { workspaces } = await running.client.call('workspaces.list')
    expect(workspaces.map(({ id, problem }) => [id, typeof problem])).toEqual([
      ['main', 'undefined'],
      ['other', 'object'],
    ])
    const named = running.log.filter(({ event }) => event === 'workspace damaged')
    expect(named).toMatchObject([{ level: 'error', workspace: 'other', problem: workspaces[1]?.problem }])
    expect((await running.client.call('profile.get')).profile).toMatchObject({ user_id_max: 99 })
    await running.client.call('workspaces.close', { params: { id: 'other' } })
    await running.client.call('workspaces.create', { body: { id: 'other' } })
    expect((await running.client.call('workspaces.list')).workspaces[1]).not.toHaveProperty('problem')
  })

  test.each([
    ['handset.db', "UPDATE settings SET value = '{' WHERE workspace = 'main'"],
    ['handset.db', "UPDATE rps SET origins = '5' WHERE workspace = 'main'"],
    ['phones.db', "UPDATE workspaces SET makers = '5' WHERE workspace = 'main'"],
    ['phones.db', "UPDATE phones SET json = '{' WHERE workspace = 'main'"],
  ])('that is main is refused, and named: %s %s', async (file, sql) => {
    spoil(file, sql)
    const started = await startBench({
      ...{ port: 0, hosts: [], prefix: '/fido', version: '0.0.0', pageFolder: '/nowhere', dataDirectory: folder },
      seedData: { rps: [DEMO_RP], phones: [] },
    })
    expect(started).toMatchObject({ ok: false, error: { code: 'main_damaged', params: { path: folder } } })
  })
})
