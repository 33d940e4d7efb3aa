import { request } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { codeOf } from '../support/bench.ts'
import { benchOfFile } from '../support/open-workspaces.ts'

const bench = benchOfFile()

const openClient = async () => bench.client.workspace((await bench.client.call('workspaces.create', {})).id)
const ALICE = { name: 'Alice', account: { name: 'Alice Chen', phone: '13812345678' } }

describe('an exported workspace', () => {
  it('is refused with broken phones or broken rows, and then nothing of the workspace is lost', async () => {
    const client = await openClient()
    await client.call('phones.create', { body: ALICE })
    const exported = await client.call('workspace.export')
    const before = await client.call('phones.list')
    for (const phones of [{}, { phones: [{}] }, { phones: 'none' }, 7]) {
      expect(await codeOf(client.call('workspace.import', { body: { ...exported, phones } }))).toBe(40002)
    }
    for (const service of [{}, { ...(exported.service as object), tables: { rps: [{ colour: 'red' }] } }]) {
      expect(await codeOf(client.call('workspace.import', { body: { ...exported, service } }))).toBe(40002)
    }
    expect(await client.call('phones.list')).toEqual(before)
    expect(await codeOf(client.call('workspace.import', { body: exported }))).toBe(0)
    expect((await client.call('phones.list')).phones.map(({ name }) => name)).toEqual(['Alice'])
  })
})

describe('[import.slices] an import', () => {
  const imported = async (workspace: string, body: Part): Promise<number> =>
    codeOf(bench.client.workspace(workspace).call('workspace.import', { body }))
  const rowsOf = async (workspace: string): Promise<number> =>
    (await bench.client.workspace(workspace).call('overview')).counts.accounts
  const accounts = (document: Part, count: number): Part => {
    const { service } = document as Exported
    const account = (n: number) => ({
      id: `acc_${n}`,
      name: 'A',
      phone: `13${String(n).padStart(9, '0')}`,
      proof_hash: null,
      created_at: 1,
    })
    const tables = { ...service.tables, accounts: Array.from({ length: count }, (_, n) => account(n)), devices: [] }
    return { ...document, phones: { phones: [] }, service: { ...service, tables } }
  }

  it('of two at once is wholly one of them', async () => {
    const { id } = await bench.client.call('workspaces.create', { body: { rp: 'none' } })
    const document = await bench.client.workspace(id).call('workspace.export')
    expect(await Promise.all([200, 300].map((count) => imported(id, accounts(document, count))))).toEqual([0, 0])
    expect([200, 300]).toContain(await rowsOf(id))
  })

  it('into a workspace that is closed meanwhile leaves nothing in the next one of its name', async () => {
    const { id } = await bench.client.call('workspaces.create', { body: { rp: 'none' } })
    const document = accounts(await bench.client.workspace(id).call('workspace.export'), 500)
    const [code] = await Promise.all([
      imported(id, document),
      bench.client.call('workspaces.close', { params: { id } }),
    ])
    expect([0, 40401, 40404]).toContain(code)
    await bench.client.call('workspaces.create', { body: { id, rp: 'none' } })
    expect(await rowsOf(id)).toBe(0)
  })

  it('from a client that leaves before the end of its document changes nothing', async () => {
    const { id } = await bench.client.call('workspaces.create', { body: { rp: 'none' } })
    const document = JSON.stringify(accounts(await bench.client.workspace(id).call('workspace.export'), 500))
    const path = `/w/${id}/control/v1/import`
    const headers = {
      Authorization: `Bearer ${bench.bench.token}`,
      'Content-Type': 'application/json',
      'Content-Length': document.length,
    }
    const asked = request({ port: bench.bench.port, method: 'POST', path, headers })
    const gone = new Promise((resolve) => asked.once('error', resolve).once('close', resolve))
    await new Promise((resolve) => asked.write(document.slice(0, -1), resolve))
    asked.destroy()
    await gone
    expect(await rowsOf(id)).toBe(0)
  })
})

type Part = Record<string, unknown>
type Rows = Record<string, readonly Part[]>
type Exported = Part & {
  readonly service: Part & { readonly tables: Rows }
  readonly phones: Part & { phones: Part[] }
}

describe('[import.named] a document that no export made', () => {
  const withTables = (document: Exported, change: (tables: Rows) => Rows): Part => ({
    ...document,
    service: { ...document.service, tables: change(document.service.tables) },
  })
  const twice =
    (table: string, changed: Part = {}) =>
    (document: Exported): Part =>
      withTables(document, (tables) => {
        const rows = tables[table] ?? []
        return { ...tables, [table]: [...rows, { ...rows[0], ...changed }] }
      })
  const withPhone = (document: Exported, change: Part): Part => ({
    ...document,
    phones: { ...document.phones, phones: document.phones.phones.map((phone) => ({ ...phone, ...change })) },
  })

  let document: Exported
  beforeAll(async () => {
    const client = await openClient()
    await client.call('phones.create', { body: ALICE })
    document = (await client.call('workspace.export')) as Exported
  })

  it.each<[string, string, (document: Exported) => Part]>([
    ['another format', 'format', (good) => ({ ...good, format: 'x' })],
    ['a newer version', 'version', (good) => ({ ...good, version: 2 })],
    ['a member that is not known', 'random', (good) => ({ ...good, random: {} })],
    ['a clock that is none', 'clock.now', (good) => ({ ...good, clock: { now: 'noon', speed: 1 } })],
    ['a clock of more', 'clock.zone', (good) => ({ ...good, clock: { now: 0, speed: 1, zone: 'UTC' } })],
    ['no service', 'service', ({ service: _, ...good }) => good],
    ['a newer service', 'service.version', (good) => ({ ...good, service: { ...good.service, version: 2 } })],
    ['a service of more', 'service.nonsense', (good) => ({ ...good, service: { ...good.service, nonsense: 1 } })],
    [
      'a table that is not known',
      'service.tables.dragons',
      (good) => withTables(good, (all) => ({ ...all, dragons: [] })),
    ],
    [
      'a position that is none',
      'service.random.a b',
      (good) => ({ ...good, service: { ...good.service, random: { 'a b': -1 } } }),
    ],
    ['phones of more', 'phones.tablets', (good) => ({ ...good, phones: { ...good.phones, tablets: [] } })],
    ['a phone of more', 'phones.phones[0].colour', (good) => withPhone(good, { colour: 'red' })],
    ['an RP twice', 'service.tables.rps[1].id', twice('rps')],
    ['a device twice', 'service.tables.devices[1].id', twice('devices')],
    ['a token twice', 'service.tables.devices[1].token_hash', twice('devices', { id: 'dev_2' })],
    ['a phone number twice', 'service.tables.accounts[1].phone', twice('accounts', { id: 'acc_2' })],
  ])('is refused with %s, and %s is named', async (_what, parameter, change) => {
    const imported = bench.client.call('workspace.import', { body: change(document) })
    await expect(imported).rejects.toMatchObject({ code: 40002, data: { parameter } })
  })
})

describe('a wiped phone', () => {
  it('signs in again with the account of another phone', async () => {
    const client = bench.client
    const first = await client.call('phones.create', {
      body: { name: 'First', account: { name: 'Bo Li', phone: '13900001111' } },
    })
    const second = await client.call('phones.create', { body: { name: 'Second', same_account_as: first.id } })
    await client.call('phones.wipe', { params: { id: second.id } })
    expect(await codeOf(client.call('phones.sign-in', { params: { id: second.id } }))).not.toBe(0)
    const again = await client.call('phones.sign-in', {
      params: { id: second.id },
      body: { same_account_as: first.id },
    })
    expect(again.signed_in).toBe(true)
  })
})
