import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openStore } from '../../src-main/service/store/open-store.ts'
import type { Store } from '../../src-main/service/store/store.ts'
import * as tables from '../../src-main/service/store/tables.ts'
import { locationOf, newSchemaUrl, noPostgres } from '../support/postgres/postgres-url.ts'
import { credentialRecord, deviceRecord, messageRecord, rpRecord } from '../support/service/records.ts'
import { taken } from '../support/taken.ts'

/** In each table, divided among this many workspaces, of which `main` is one. */
const ROWS = 12_000
const WORKSPACES = 20

type Values = { readonly [column: string]: string }

/** Where a column of a test row points to, so that joins and lookups find something. */
const VALUES: Values = {
  rp: "'rp' || i % 60 / 20",
  account: "'account' || i / 40",
  device: "'device' || i / 40",
  user_id: "'user' || i / 40",
  value: "'{}'",
  msg_id: "'messages' || i",
  state: "CASE WHEN i % 60 < 20 THEN 'init' ELSE 'success' END",
}

const fillSql = (schema: string, table: tables.TableName): string => {
  const sqlOf = (column: string): string => {
    if (tables.integerColumns(table).includes(column)) return 'i'
    if (tables.encodeValue(table, column, []) === '[]') return "'[]'"
    return column === 'id' ? `'${table}' || i` : (VALUES[column] ?? `'${column}' || i`)
  }
  const columns = tables.columnsOf(table)
  return `INSERT INTO ${schema}.${table} (workspace, ${columns.join(', ')})
    SELECT '#' || i % ${WORKSPACES} + 1, ${columns.map(sqlOf).join(', ')} FROM generate_series(1, ${ROWS}) AS i`
}

type Statement = { readonly text: string; readonly values: readonly unknown[] }
const isStatement = (asked: unknown): asked is Statement =>
  typeof asked === 'object' && asked !== null && 'text' in asked && 'values' in asked

type Plan = { readonly 'Node Type': string; readonly 'Relation Name'?: string; readonly Plans?: readonly Plan[] }

const wholeReads = (plan: Plan): readonly string[] => [
  ...(plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : []),
  ...(plan.Plans ?? []).flatMap(wholeReads),
]

const { id, ...answer } = { id: 'messages41', error: '', answer_hash: 'h', verdict: {}, now: 1, device: 'device1' }
const found = { ...answer, credential_id: 'credentials41', rp: 'rp2', counter_was: 41, counter: 42 }

/** Each function of the port, called as the service calls it. */
const calls = (store: Store): Readonly<Record<string, () => Promise<unknown>>> => ({
  'workspaces.list': () => store.workspaces.list(),
  'workspaces.insert': () => store.workspaces.insert({ id: 'new', created_at: 1 }),
  'settings.get': () => store.settings.get('main', 'name41'),
  'settings.set': () => store.settings.set('main', 'name41', {}),
  'settings.delete': () => store.settings.delete('main', 'name41'),
  'rps.list': () => store.rps.list('main'),
  'rps.get': () => store.rps.get('main', 'rps41'),
  'rps.insert': () => store.rps.insert('main', rpRecord('rp')),
  'rps.update': () => store.rps.update('main', 'rps41', { name: 'new' }),
  'accessKeys.list': () => store.accessKeys.list('main'),
  'accessKeys.get': () => store.accessKeys.get('main', 'access_keys41'),
  'accessKeys.withRp': () => store.accessKeys.withRp('main', 'access_keys41'),
  'accessKeys.insert': () =>
    store.accessKeys.insert('main', { id: 'k', rp: 'rps41', secret: 's', state: 'active', created_at: 1 }),
  'accessKeys.setState': () => store.accessKeys.setState('main', 'access_keys41', 'disabled'),
  'accessKeys.delete': () => store.accessKeys.delete('main', 'access_keys61'),
  'accounts.list': () => store.accounts.list('main'),
  'accounts.get': () => store.accounts.get('main', 'accounts41'),
  'accounts.byPhone': () => store.accounts.byPhone('main', 'phone41'),
  'accounts.insert': () => store.accounts.insert('main', { id: 'a', name: 'n', phone: 'p', created_at: 1 }),
  'accounts.delete': () => store.accounts.delete('main', 'accounts61'),
  'devices.list': async () => {
    await store.devices.list('main')
    await store.devices.list('main', { account: 'account1' })
  },
  'devices.get': () => store.devices.get('main', 'devices41'),
  'devices.byToken': () => store.devices.byToken('main', 'token_hash41'),
  'devices.insert': () => store.devices.insert('main', deviceRecord('d', { account: 'accounts41' })),
  'devices.delete': () => store.devices.delete('main', 'devices61'),
  'messages.get': () => store.messages.get('main', id),
  'messages.result': () => store.messages.result('main', id),
  'messages.list': async () => {
    for (const filter of [{}, { rp: 'rp2' }, { user_id: 'user1' }, { state: 'init' as const }]) {
      await store.messages.list('main', { ...filter, limit: 50 })
    }
  },
  'messages.insert': async () => {
    await store.messages.insert('main', messageRecord('m1', { rp: 'rps41' }), [])
    await store.messages.insert('main', messageRecord('m2', { rp: 'rps41' }), ['devices41'])
  },
  'messages.bind': () =>
    store.messages.bind('main', id, { device: 'd', account: 'a', svc_user: '', public_key: {}, now: 1 }),
  'messages.fail': () => store.messages.fail('main', id, answer),
  'messages.register': () =>
    store.messages.register('main', id, { ...answer, credential: credentialRecord('c', { rp: 'rp2' }), limit: 9 }),
  'messages.authenticate': () =>
    store.messages.authenticate('main', id, { ...found, backup_state: false, user_verified: true }),
  'messages.expire': () => store.messages.expire('main', id, 1),
  'messages.expireEarly': () => store.messages.expireEarly('main', id, 1),
  'messages.deliver': () => store.messages.deliver('main', id, 1),
  'messages.due': () => store.messages.due('main', 50),
  'messages.prune': () => store.messages.prune('main', 50),
  'messages.horizon': () => store.messages.horizon('main'),
  'credentials.list': async () => {
    await store.credentials.list('main')
    await store.credentials.list('main', { rp: 'rp2' })
    await store.credentials.list('main', { rp: 'rp2', user_id: 'user1' })
    await store.credentials.list('main', { user_id: 'user1' })
    await store.credentials.list('main', { account: 'account1' })
  },
  'credentials.get': () => store.credentials.get('main', 'rp2', 'credentials41'),
  'credentials.delete': () =>
    store.credentials.delete('main', { rp: 'rp2', user_id: 'user1', ids: ['credentials61', 'credentials81'] }),
  'credentials.insert': () => store.credentials.insert('main', credentialRecord('c2', { rp: 'rps41' })),
  'pushes.open': () => store.pushes.open('main', { device: 'device1', after: 0, now: 1 }),
  'pushes.markSent': () => store.pushes.markSent('main', { device: 'device1', n: 41, now: 1 }),
  'vault.list': () => store.vault.list('main', 'account1'),
  'vault.get': () => store.vault.get('main', 'account1', 'credential_id41'),
  'vault.put': async () => {
    const record = { account: 'account1', credential_id: 'credential_id41', etag: 'e', sealed: 's', updated_at: 1 }
    await store.vault.put('main', record, undefined)
    await store.vault.put('main', record, 'etag41')
  },
  'vault.delete': () => store.vault.delete('main', { account: 'account1', credential_id: 'credential_id41' }),
  'roots.list': () => store.roots.list('main'),
  'roots.insert': () => store.roots.insert('main', { id: 'r', name: 'n', certificate: 'c', created_at: 1 }),
  'roots.delete': () => store.roots.delete('main', 'roots41'),
  'snapshots.list': () => store.snapshots.list('main'),
  'snapshots.get': () => store.snapshots.get('main', 'snapshots41'),
  'snapshots.insert': () => store.snapshots.insert('main', { id: 's', name: 'n', created_at: 1, content: '' }),
  'snapshots.delete': () => store.snapshots.delete('main', 'snapshots41'),
  counts: () => store.counts('main'),
  rows: () => store.rows('main'),
  'shared.countBoot': async () => store.shared?.countBoot(),
  'shared.heads': async () => store.shared?.heads(['main']),
  'shared.changeSetting': async () => store.shared?.changeSetting('main', 'name61', () => ({})),
  'shared.bench.take': async () => store.shared?.bench.take({ host: 'h', pid: 1 }, 1),
  'shared.bench.release': async () => store.shared?.bench.release('nobody'),
  'shared.countRequest': async () => store.shared?.countRequest('main', { accessKey: 'k', minute: 1 }),
  'shared.expiries': async () => store.shared?.expiries(),
  'shared.withNews': async () => store.shared?.withNews([{ workspace: 'main', device: 'devices41', after: 0 }]),
  'shared.listeners.write': async () =>
    store.shared?.listeners.write({
      opened: [{ workspace: 'main', device: 'new' }],
      closed: [{ workspace: 'main', device: 'device41' }],
    }),
  'shared.listeners.stay': async () => store.shared?.listeners.stay(),
  'shared.listeners.of': async () => store.shared?.listeners.of('w3', 10),
  'shared.listeners.leave': async () => store.shared?.listeners.leave(),
  'shared.phones.know': async () => store.shared?.phones.know('main', [{ phone: 'ph_new', device: 'new' }]),
  'shared.phones.isDevice': async () => store.shared?.phones.isDevice('main', { phone: 'ph_41', device: 'device41' }),
  'shared.now': async () => store.shared?.now(),
  'shared.ping': async () => store.shared?.ping(),
  'shared.events.append': async () =>
    store.shared?.events.append([{ workspace: 'main', wall: 1, bench: 1, draft: '' }]),
  'shared.events.take': async () => store.shared?.events.take(100),
  replaceRows: () => store.replaceRows('main', { rps: [] }),
  clear: () => store.clear('main', tables.tableNames),
  'rps.delete': () => store.rps.delete('w1', 'rps20'),
  'workspaces.delete': () => store.workspaces.delete('w3'),
})

/** What they are called, with the object that they are in; those that ask the database nothing are left out. */
const WITHOUT_STATEMENTS = [
  'rowKey',
  'close',
  'shared.pool',
  'shared.signals.send',
  'shared.signals.listen',
  'shared.signals.arrive',
  'shared.signals.close',
]
const functionsOf = (part: object, path = ''): readonly string[] =>
  Object.entries(part).flatMap(([name, value]) =>
    typeof value === 'function'
      ? [path + name]
      : typeof value === 'object' && value !== null
        ? functionsOf(value, `${path}${name}.`)
        : [],
  )

/** What is asked for is something of every workspace. */
const READS_ALL = ['workspaces.list', 'shared.expiries']

describe.skipIf(noPostgres)('plans of tables with more than 10,000 rows, after ANALYZE', () => {
  let client: pg.Client
  let store: Store
  let large: ReadonlySet<string>
  let statements: Statement[] = []
  const url = newSchemaUrl('&notifications=off')
  const { schema, connection } = locationOf(url)

  beforeAll(async () => {
    client = new pg.Client({ connectionString: connection })
    await client.connect()
    await (await taken(await openStore({ kind: 'postgres', database: locationOf(url) }))).close()
    await client.query(
      `INSERT INTO ${schema}.workspaces (id, created_at, row_key)
       SELECT CASE i WHEN 2 THEN 'main' ELSE 'w' || i END, 1, '#' || i FROM generate_series(1, ${ROWS}) AS i`,
    )
    await client.query(`SELECT setval('${schema}.row_keys', ${ROWS})`)
    for (const table of tables.tableNames) await client.query(fillSql(schema, table))
    await client.query(
      `INSERT INTO ${schema}.pending_events (workspace, wall, bench, draft)
       SELECT 'main', i, i, '' FROM generate_series(1, ${ROWS}) AS i`,
    )
    await client.query(
      `INSERT INTO ${schema}.request_counts SELECT '#' || i, 'key', 1, 1 FROM generate_series(1, ${ROWS}) AS i`,
    )
    await client.query(`INSERT INTO ${schema}.processes SELECT 'p' || i, now() FROM generate_series(1, 20) AS i`)
    await client.query(
      `INSERT INTO ${schema}.listeners SELECT 'w' || i % 50, 'device' || i, 'p' || i % 20
       FROM generate_series(1, ${ROWS}) AS i`,
    )
    await client.query(
      `INSERT INTO ${schema}.phone_devices SELECT 'w' || i % 50, 'device' || i, 'ph_' || i
       FROM generate_series(1, ${ROWS}) AS i`,
    )
    await client.query('VACUUM ANALYZE')
    const { rows } = await client.query(
      `SELECT relname FROM pg_class WHERE relnamespace = '${schema}'::regnamespace AND reltuples > 10000 AND relkind = 'r'`,
    )
    large = new Set(rows.map(({ relname }) => String(relname)))
    store = taken(await openStore({ kind: 'postgres', database: locationOf(url) }))
    const spied = pg.Client.prototype.query as (...args: unknown[]) => unknown
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: readonly unknown[]) {
      const [asked] = args
      if (this !== client && isStatement(asked)) statements.push(asked)
      return spied.apply(this, [...args]) as never
    })
  })
  afterAll(async () => {
    vi.restoreAllMocks()
    await store?.close()
    await client?.end()
  })

  const wholeReadsOf = async ({ text, values }: Statement): Promise<readonly string[]> => {
    if (!/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(text)) return []
    const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${text}`, [...values])
    return wholeReads(rows[0]['QUERY PLAN'][0].Plan).filter((table) => large.has(table))
  }

  test('every function of the store is among them', () => {
    const there = functionsOf(store).filter((name) => !WITHOUT_STATEMENTS.includes(name))
    expect(Object.keys(calls(store)).toSorted()).toEqual(there.toSorted())
  })

  test('each table that grows with its users is large', () => {
    const others = ['listeners', 'pending_events', 'phone_devices', 'request_counts', 'workspaces']
    expect([...large].toSorted()).toEqual([...tables.tableNames, ...others].toSorted())
  })

  test('no statement reads a whole table', async () => {
    const found: Record<string, readonly string[]> = {}
    let explained = 0
    for (const [name, call] of Object.entries(calls(store))) {
      statements = []
      await call()
      const asked = statements
      statements = []
      for (const statement of asked) {
        const whole = await wholeReadsOf(statement)
        explained += 1
        if (whole.length > 0) found[`${name}: ${statement.text}`] = whole
      }
    }
    const wanted = Object.fromEntries(
      Object.entries(found).filter(([name]) => !READS_ALL.includes(name.split(':')[0] ?? '')),
    )
    expect(wanted).toEqual({})
    expect(explained).toBeGreaterThan(Object.keys(calls(store)).length)
  })
})
