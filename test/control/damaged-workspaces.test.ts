import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startBench } from '../../src-main/bench.ts'
import { DEMO_RP } from '../../src-main/control/seed-data.ts'
import { cast, startTestBench, type TestBench } from '../support/bench.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

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

describe('[import.damaged] a damaged workspace', () => {
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
