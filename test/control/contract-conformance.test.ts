import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RouteId, routes } from '../../src-main/contract/control/routes.ts'
import type { Route } from '../../src-main/contract/route.ts'
import { findProblem } from '../../src-main/contract/validate.ts'
import type { ControlClient } from '../../src-main/sdk/client.ts'
import { createRpClient } from '../../src-main/sdk/rp.ts'
import { ALICE, cast, register, startTestBench, type TestBench } from '../support/bench.ts'

/** Calls every route there is on a running bench and holds every answer against the contract. */
let bench: TestBench
const seen = new Set<RouteId>()
let call: ControlClient['call']

beforeAll(async () => {
  bench = await startTestBench({ seed: 1 })
  const plain = bench.client.call as (id: RouteId, inputs: unknown) => Promise<unknown>
  call = (async (id: RouteId, inputs: unknown) => {
    const data = await plain(id, inputs)
    const wrong = findProblem(data, routes[id].data)
    expect(wrong === undefined ? undefined : `${id}: ${JSON.stringify(wrong)}`).toBeUndefined()
    seen.add(id)
    return data
  }) as ControlClient['call']
})
afterAll(() => bench.close())

test('every answer is as the contract says', async () => {
  const { rp, phone } = await cast(bench.client, { model: 'granite-one' })
  await call('bench.info')
  const invited = await call('session.invite', { body: {} })
  await call('session.open', { body: { code: invited.code } })
  await call('workspaces.create', { body: { id: 'second', seed: 5 } })
  await call('workspaces.get', { params: { id: 'second' } })
  await call('workspaces.list')
  const about = { owner: 'A team', labels: ['ci'], lease_ms: 60_000, quota: { phones: 5 } }
  await call('workspaces.patch', { params: { id: 'second' }, body: about })
  const limited = await call('tokens.create', { body: { workspaces: ['second'], quota: { messages: 3 } } })
  await call('tokens.list')
  await call('tokens.revoke', { params: { id: limited.token.id } })
  await call('workspaces.close', { params: { id: 'second' } })

  await call('simulator.register', { params: { rp }, body: { ...ALICE, poll: false } })
  expect((await register(bench.client, { rp, phone })).status).toBe('success')
  const attempt = await call('simulator.sign-in', {
    params: { rp },
    body: { ...ALICE, method: 'push', poll: false },
  })
  const { msg_id } = attempt
  await bench.client.call('events.wait', { body: { match: { kind: 'phone', change: 'pushed' }, after: 0 } })
  await call('simulator.patch', { params: { rp }, body: { care: 'careful' } })
  await call('simulator.get', { params: { rp } })
  await call('simulator.attempt', { params: { rp, msg_id } })
  await call('simulator.poll', { params: { rp, msg_id } })

  await call('phones.list')
  await call('phones.get', { params: { id: phone } })
  await call('phones.open', { params: { id: phone }, body: { msg_id } })
  await call('phones.fail-fingerprint', { params: { id: phone }, body: {} })
  await call('phones.approve', { params: { id: phone }, body: {} })
  await call('phones.home', { params: { id: phone }, body: {} })
  const second = await call('simulator.sign-in', {
    params: { rp },
    body: { ...ALICE, method: 'qrcode', poll: false },
  })
  await call('phones.scan', { params: { id: phone }, body: { url: second.url } })
  await call('phones.reject', { params: { id: phone }, body: {} })
  const third = await call('simulator.sign-in', {
    params: { rp },
    body: { ...ALICE, method: 'push', poll: false },
  })
  await bench.client.call('events.wait', {
    body: {
      match: { kind: 'phone', change: 'pushed', phone: { notifications: [{ msg_id: third.msg_id }] } },
      after: 0,
    },
  })
  await call('phones.dismiss', { params: { id: phone }, body: { msg_id: third.msg_id } })
  await call('phones.patch', { params: { id: phone }, body: { name: 'Alice’s old phone' } })
  await call('phones.sync', { params: { id: phone }, body: {} })
  const armed = await call('phones.arm', { params: { id: phone }, body: { fault: await aFault() } })
  await call('phones.disarm', { params: { id: phone, fault_id: armed.id } })
  await call('phones.disarm-all', { params: { id: phone } })
  const lie = await call('service.arm', { body: { fault: 'user-of-another', scope: { user_id: 'nobody' } } })
  await call('service.faults')
  await call('service.disarm', { params: { id: lie.id } })
  await call('service.disarm-all')
  await call('catalogue.service-faults')
  await call('catalogue.models')
  await call('catalogue.faults')

  await call('overview')
  await call('clock.get')
  await call('clock.advance', { body: { to: 'next-expiry' } })
  await call('clock.put', { body: { frozen: true, speed: 2 } })
  await call('profile.get')
  await call('profile.patch', { body: { message_ttl_s: 60 } })
  await call('profile.reset', { body: { keys: ['message_ttl_s'] } })
  await call('conditions.get')
  await call('conditions.put', { body: { rp: { latency_ms: 0 } } })
  await call('conditions.patch', { body: { app: { fail_next: 0 } } })
  await call('conditions.delete')
  await call('messages.list', { query: { limit: 5 } })
  await call('messages.get', { params: { id: msg_id } })
  const unanswered = await call('simulator.register', { params: { rp }, body: { ...ALICE, poll: false } })
  await call('messages.expire', { params: { id: unanswered.msg_id }, body: {} })
  await call('credentials.list', { query: { rp } })
  await call('accounts.list')
  const { devices } = await call('devices.list')
  const { roots } = await call('roots.list')
  const own = await call('roots.export')
  await call('roots.delete', { params: { id: roots[0]?.id ?? '' } })
  await call('roots.undelete', { params: { id: roots[0]?.id ?? '' }, body: {} })
  await call('roots.delete', { params: { id: roots[0]?.id ?? '' } })
  await call('roots.add', {
    body: { name: 'Again', certificate: own.pem.split(/(?<=-----END CERTIFICATE-----\n)/)[0] ?? '' },
  })

  await call('events.ceremonies', { query: { limit: 5, search: 'is:failed', language: 'zh' } })
  await call('events.list', { query: { after: 3, limit: 2, kind: 'exchange,message' } })
  await call('events.report')
  await call('events.agent-report')
  await call('events.trace')
  await call('events.scenario', { query: { after: 3, name: 'A recording' } })
  await call('events.wait', { body: { match: { kind: 'message' }, after: 0 } })

  const [stranger] = (await bench.client.call('keys.list', { params: { rp } })).keys
  const client = createRpClient({
    baseUrl: bench.bench.baseUrl,
    accessKeyId: stranger?.id ?? '',
    secretKey: 'not this one',
    now: () => Date.now(),
  })
  await client.credentials('u-1')
  client.close()
  const { last_seq } = await bench.client.call('events.list', { query: { kind: 'exchange', limit: 1, latest: true } })
  await call('events.signature', { params: { seq: String(last_seq) } })
  await call('events.resend', { params: { seq: String(last_seq) }, body: {} })
  const { events } = await bench.client.call('events.list', { query: { kind: 'verdict' } })
  const answered = events.find(({ kind }) => kind === 'verdict')?.seq ?? 0
  const after = await bench.client.call('events.wait', { body: { match: { kind: 'exchange' }, after: answered } })
  await call('events.answer', { params: { seq: String(after.seq) }, body: { edits: { flags: 0 } } })

  const snapshot = await call('snapshots.create', { body: { name: 'Here' } })
  await call('snapshots.list')
  await call('snapshots.restore', { params: { id: snapshot.id }, body: {} })
  await call('snapshots.delete', { params: { id: snapshot.id } })
  await call('snapshots.undelete', { params: { id: snapshot.id }, body: {} })
  const exported = await call('workspace.export')
  await call('workspace.import', { body: exported })

  const credentials = await call('credentials.list')
  const held = await bench.client.call('phones.get', { params: { id: phone } })
  const credential_id = held.credentials[0]?.id ?? ''
  await call('phones.forget-credential', { params: { id: phone, credential_id } })
  const registered = { id: credentials.credentials[0]?.id ?? '' }
  await call('credentials.delete', { params: registered })
  await call('credentials.undelete', { params: registered, body: {} })
  const mine = { user_id: ALICE.user_id }
  expect((await call('simulator.credentials', { params: { rp }, query: mine })).total).toBe(1)
  expect(await call('simulator.delete-credential', { params: { rp, ...registered }, query: mine })).toEqual({
    total: 1,
  })
  await call('phones.sign-out', { params: { id: phone }, body: {} })
  await call('phones.sign-in', { params: { id: phone }, body: {} })
  await call('phones.wipe', { params: { id: phone }, body: {} })
  const lease = await call('leases.create', { body: { name: 'A test' } })
  await call('phones.create', { body: { name: 'Bob’s phone' } })
  await call('phones.create', { body: { name: 'Carl’s phone', lease: lease.id } })
  await call('leases.list')
  await call('leases.get', { params: { id: lease.id } })
  await call('leases.delete', { params: { id: lease.id } })
  await call('phones.lose', { params: { id: phone }, body: {} })
  await call('phones.delete', { params: { id: phone } })
  await call('devices.sign-out', { params: { id: (await devicesNow(bench.client))[0] ?? devices[0]?.id ?? '' } })

  const made = await call('rps.create', { body: { name: 'Shop', rp_id: 'shop.example' } })
  await call('rps.list')
  await call('rps.get', { params: { rp: made.id } })
  await call('rps.patch', { params: { rp: made.id }, body: { origins: ['https://shop.example'] } })
  const key = await call('keys.create', { params: { rp: made.id }, body: {} })
  const params = { rp: made.id, key: key.key.id }
  await call('keys.list', { params: { rp: made.id } })
  await call('keys.reveal', { params, body: {} })
  await call('keys.patch', { params, body: { state: 'disabled' } })
  await call('keys.delete', { params })
  await call('keys.undelete', { params, body: {} })
  await call('rps.delete', { params: { rp: made.id } })
  await call('workspace.reset', { body: { settings: true } })

  const missed = Object.entries<Route>(routes).filter(([id, { stream }]) => stream !== true && !seen.has(id as RouteId))
  expect(missed.map(([id]) => id)).toEqual([])
  expect(bench.log.filter(({ level }) => level === 'error')).toEqual([])
})

const aFault = async (): Promise<string> => (await bench.client.call('catalogue.faults')).faults[0]?.name ?? ''

const devicesNow = async (client: ControlClient) => (await client.call('devices.list')).devices.map(({ id }) => id)

test('the OpenAPI document has every route and no other', async () => {
  const response = await fetch(`${bench.bench.controlUrl}/openapi.json`)
  const document = (await response.json()) as { paths: Record<string, Record<string, { operationId: string }>> }
  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
  )
  const there = Object.entries<Route>(routes).map(([id, { method, path }]) => `${id} ${method} ${path}`)
  expect(documented.sort()).toEqual(there.sort())
})
