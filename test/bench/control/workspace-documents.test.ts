import { beforeAll, describe, expect, it, onTestFinished, test } from 'vitest'
import { CLOCK_SPEED } from '../../../src-main/core/contract/clock.ts'
import type { MaxLengthKey } from '../../../src-main/core/contract/input-by-profile.ts'
import { type ProfileSetting, profileSettings } from '../../../src-main/core/contract/profile.ts'
import { CLOCK_END, DAY_MS } from '../../../src-main/core/protocol/time.ts'
import type { Body } from '../../../src-main/sdk/client.ts'
import { cast, codeOf, register, startTestBench, type TestBench } from '../../support/bench.ts'
import { benchOfFile } from '../../support/open-workspaces.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const bench = benchOfFile()

const openClient = async () => bench.client.workspace((await bench.client.call('workspaces.create', {})).id)
const ALICE = { name: 'Alice', account: { name: 'Alice Chen', phone: '13812345678' } }

it('an exported workspace is refused with broken phones or broken rows, and then nothing of the workspace is lost', async () => {
  const client = await openClient()
  await client.call('phones.create', { body: ALICE })
  const exported = await client.call('workspace.export')
  const before = await client.call('phones.list')
  const [phone] = (exported.phones as { phones: readonly { json: string }[] }).phones
  const deep = `"id":${'['.repeat(60_000)}${']'.repeat(60_000)}`
  const tooDeep = { ...phone, json: phone?.json.replace(/"id":"[^"]*"/, deep) }
  for (const phones of [{}, { phones: [{}] }, { phones: [tooDeep] }, { phones: 'none' }, 7]) {
    expect(await codeOf(client.call('workspace.import', { body: { ...exported, phones } }))).toBe(40002)
  }
  for (const service of [{}, { ...(exported.service as object), tables: { rps: [{ colour: 'red' }] } }]) {
    expect(await codeOf(client.call('workspace.import', { body: { ...exported, service } }))).toBe(40002)
  }
  expect(await client.call('phones.list')).toEqual(before)
  expect(await codeOf(client.call('workspace.import', { body: exported }))).toBe(0)
  expect((await client.call('phones.list')).phones.map(({ name }) => name)).toEqual(['Alice'])
})

test('[import.slices] of two documents that come at once a workspace is wholly one of them', async () => {
  const client = await openClient()
  const { service, ...rest } = (await client.call('workspace.export')) as Exported
  const account = (n: number) => ({
    ...{ id: `acc_${n}`, name: 'A', phone: `13${String(n).padStart(9, '0')}`, proof_hash: null, created_at: 1 },
  })
  const importing = (count: number) => {
    const tables = { ...service.tables, accounts: Array.from({ length: count }, (_, n) => account(n)), devices: [] }
    const body = { ...rest, phones: { phones: [] }, service: { ...service, tables } }
    return codeOf(client.call('workspace.import', { body }))
  }
  expect(await Promise.all([200, 300].map(importing))).toEqual([0, 0])
  expect([200, 300]).toContain((await client.call('overview')).counts.accounts)
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

/** Where a name of each kind is given. A setting that is new belongs here; where it is stored, also into row-rules.ts. */
const FIELDS: Readonly<Record<MaxLengthKey, string>> = {
  user_id_max: 'user_id',
  username_max: 'username',
  display_name_max: 'display_name',
  credential_name_max: 'credential_name',
}

test('names as long as any profile allows can be exported and imported again', async () => {
  const longest = Object.entries<ProfileSetting>(profileSettings).flatMap(([key, { rule }]) =>
    Object.hasOwn(FIELDS, key) && rule.kind === 'number' ? [[key, rule.max] as const] : [],
  )
  const client = await openClient()
  const { rp, phone } = await cast(client)
  await client.call('profile.patch', { body: Object.fromEntries(longest) })
  // All four of four octets a character would be more than a request may hold.
  const names = longest.map(([key, max]) => [
    FIELDS[key as MaxLengthKey],
    (FIELDS[key as MaxLengthKey] === 'user_id' ? 'u' : '🦦').repeat(max),
  ])
  const body = { ...Object.fromEntries(names), poll: false } as { user_id: string; username: string }
  const { url } = await client.call('simulator.register', { params: { rp }, body })
  await client.call('phones.scan', { params: { id: phone }, body: { url } })
  await client.call('phones.approve', { params: { id: phone }, body: {} })
  const document = await client.call('workspace.export')
  await client.call('workspace.import', { body: document as never })
  const { credentials } = await client.call('credentials.list')
  expect(credentials.map(({ user_id }) => user_id)).toEqual([body.user_id])
})

const startIn = async (data: string): Promise<TestBench> => {
  const bench = await startTestBench({ data })
  onTestFinished(bench.close)
  return bench
}

/** Whatever a workspace does with its time: rows, phones, snapshots, exports, and another process that goes on. */
const everythingWorks = async (first: TestBench, folder: string): Promise<void> => {
  const { client } = first
  const snapshot = await client.call('snapshots.create', { body: { name: 'here' } })
  await client.call('snapshots.restore', { params: { id: snapshot.id } })
  const exported = await client.call('workspace.export')
  await client.call('workspace.import', { body: exported })
  const before = await client.call('clock.get')
  await first.close()
  const second = await startIn(folder)
  const after = await second.client.call('clock.get')
  expect(after).toMatchObject({ frozen: before.frozen, speed: before.speed })
  expect(after.now).toBeGreaterThanOrEqual(before.now)
  if (before.frozen) expect(after.now).toBe(before.now)
  expect((await second.client.call('credentials.list')).credentials).toHaveLength(1)
}

const START = Date.UTC(2030, 0, 1)

test.each<[string, Body<'clock.put'>]>([
  ['a fraction of a millisecond', { now: START + 0.5 }],
  ['the smallest fraction', { now: 5e-324 }],
  ['a time before 1970', { now: -1 }],
  ['a time after 9999', { now: CLOCK_END + 1 }],
  ['a number without end', { now: 1e300 }],
  ['a speed of nothing', { speed: 0 }],
  ['a speed that goes back', { speed: -1 }],
  ['a speed without end', { speed: 1e300 }],
  ['the smallest speed', { speed: 5e-324 }],
])('[clock.exact] a clock is not set to %s', async (_what, body) => {
  expect(await codeOf(bench.client.call('clock.put', { body }))).toBe(40002)
})

test.each([0.5, 1e-9, -1, 1e300, Number.MAX_SAFE_INTEGER])('[clock.exact] no clock advances by %s ms', async (ms) => {
  expect(await codeOf(bench.client.call('clock.advance', { body: { ms } }))).toBe(40002)
})

test.each<[string, Body<'clock.put'>, readonly number[]]>([
  ['frozen in 1970', { now: 0, frozen: true }, []],
  ['frozen at the end of 9999', { now: CLOCK_END, frozen: true }, []],
  ['as fast as can be', { now: START, speed: CLOCK_SPEED.maximum }, [1]],
  ['as slow as can be', { now: START, speed: CLOCK_SPEED.minimum }, [1, 7]],
  ['at a speed that is no round number', { now: START, speed: 1 / 3 }, [1, DAY_MS]],
  ['at the next but longest speed', { now: START, speed: 99_999.999_999 }, []],
  ['advanced to its end', { now: START, frozen: true }, Array(82).fill(100 * 366 * DAY_MS)],
])('[clock.exact] a clock: %s can be worked with, exported and restarted', async (_what, body, advances) => {
  const folder = temporaryFolder()
  const bench = await startIn(folder)
  const { client } = bench
  // A request that lasts an hour is over in 36 ms of the fastest clock.
  const isSlow = (body.speed ?? 1) < 10
  if (!isSlow) await register(client, await cast(client))
  await client.call('clock.put', { body })
  for (const ms of advances) await client.call('clock.advance', { body: { ms } })
  if (isSlow) await register(client, await cast(client))
  await everythingWorks(bench, folder)
})
