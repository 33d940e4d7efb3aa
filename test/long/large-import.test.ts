import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cast, register, startTestBench, type TestBench } from '../support/bench.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const REGISTRATIONS = 4500

let folder: string
const running: TestBench[] = []
const start = async (data?: string): Promise<TestBench> => {
  const bench = await startTestBench(data === undefined ? {} : { data })
  running.push(bench)
  return bench
}
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(async () => {
  for (const bench of running.splice(0)) await bench.close()
})

const inFile = (file: string, work: (db: Database.Database) => void): void => {
  const db = new Database(join(folder, file))
  db.function('id_of', (n) => Buffer.from(String(n).padStart(16, '0')).toString('base64url'))
  work(db)
  db.close()
}

const NUMBERS = `WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${REGISTRATIONS - 1})`

/** One registration, made again under other ids: message, credential and key. */
const multiply = (): void => {
  inFile('handset.db', (db) => {
    for (const [table, id] of [
      ['whole_messages', 'id'],
      ['credentials', 'id'],
    ] as const) {
      const columns = db.pragma(`table_info(${table})`) as readonly { readonly name: string }[]
      const names = columns.map(({ name }) => name).filter((name) => name !== 'rowid')
      const values = names.map((name) => (name === id || name === 'credential_id' ? 'id_of(n)' : name))
      db.exec(`${NUMBERS} INSERT INTO ${table} (${names}) SELECT ${values} FROM n, (SELECT * FROM ${table} LIMIT 1)`)
    }
  })
  inFile('phones.db', (db) =>
    db.exec(`${NUMBERS} INSERT INTO chip_credentials (workspace, phone_id, id, json)
      SELECT workspace, phone_id, id_of(n), json_set(json, '$.credential.id', id_of(n))
      FROM n, (SELECT * FROM chip_credentials LIMIT 1)`),
  )
}

test('[import.large] the export of 4,500 registrations goes into another workspace and into another bench', async () => {
  const first = await start(folder)
  await register(first.client, await cast(first.client, { storage: 'chip' }))
  await first.close()
  running.pop()
  multiply()
  const { client } = await start(folder)
  const exported = await client.call('workspace.export')
  const { id } = await client.call('workspaces.create', { body: { rp: 'none' } })
  for (const target of [client.workspace(id), (await start()).client]) {
    await target.call('workspace.import', { body: exported })
    expect((await target.call('overview')).counts).toMatchObject({ credentials: REGISTRATIONS })
    const { phones } = await target.call('phones.list')
    expect(phones).toMatchObject([{ credentials_total: REGISTRATIONS }])
  }
})
