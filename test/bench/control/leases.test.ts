import { expect, test } from 'vitest'
import { type ControlClient, createControlClient } from '../../../src-main/sdk/client.ts'
import type { Workspace } from '../../../src-main/sdk/index.ts'
import { openLease } from '../../../src-main/sdk/lease.ts'
import { codeOf } from '../../support/bench.ts'
import { openWorkspaces } from '../../support/open-workspaces.ts'

/** What is made with a lease goes when it ends or expires, exactly that. */
const { shared, open } = openWorkspaces()

const ALICE = { user_id: 'u-1', username: 'alice' }
const BOB = { user_id: 'u-2', username: 'bob' }

const whatIsThere = async (client: ControlClient) => {
  const { messages } = await client.call('messages.list')
  return {
    phones: (await client.call('phones.list')).phones.map(({ name }) => name),
    accounts: (await client.call('accounts.list')).accounts.map(({ name }) => name),
    devices: (await client.call('devices.list')).devices.map(({ name }) => name),
    users: (await client.call('credentials.list')).credentials.map(({ user_id }) => user_id),
    underWay: messages.filter(({ state }) => state === 'init' || state === 'bind').map(({ user_id }) => user_id),
  }
}

const NOTHING = { phones: [], accounts: [], devices: [], users: [], underWay: [] }
const BOBS = { phones: ['Bob'], accounts: ['Bob'], devices: ['Bob'], users: ['u-2'] }

/** An unheld lease ends at once. */
const unheld = async (client: ControlClient, body: { readonly ttl_ms: number } = { ttl_ms: 86_400_000 }) =>
  (await client.call('leases.create', { body })).id

const expiry = (workspace: Workspace, after: number) =>
  workspace.waitFor({ kind: 'setting', subject: 'lease', change: 'expired' }, { after })

test('a lease that ends takes with it what its phones made and were asked, and nothing of others', async () => {
  const workspace = await open()
  const rp = await workspace.rp()
  await workspace.phone({ name: 'Bob', passkeys: [BOB] })
  const others = [await rp.signIn({ ...BOB, method: 'push' }), await rp.register({ user_id: 'u-3', username: 'carl' })]
  const lease = await workspace.lease({ name: 'A test' })
  const alice = await lease.phone({ name: 'Alice', passkeys: [{ ...ALICE, storage: 'cloud' }] })
  await lease.phone({ name: 'Alice’s other phone', same_account_as: alice.id })
  const asked = [
    await rp.signIn({ ...ALICE, method: 'push' }),
    await rp.signIn({ ...ALICE, method: 'qrcode' }),
    await rp.register({ user_id: 'u-4', username: 'dora' }),
  ]
  await alice.scan(asked[2]?.url ?? '')
  await lease.end()
  expect(await whatIsThere(workspace.client)).toEqual({ ...BOBS, underWay: ['u-3', 'u-2'] })
  for (const message of asked) expect(await message.result()).toMatchObject({ status: 'timeout' })
  for (const { msg_id } of others) {
    expect(await workspace.client.call('messages.get', { params: { id: msg_id } })).toMatchObject({ state: 'init' })
  }
  expect(await workspace.client.call('leases.list')).toEqual({ leases: [] })
})

test('a lease that ends leaves an account that others use, and a credential and a message of a user whom others serve as well', async () => {
  const { phone, lease, rp, client } = await open()
  const shop = await rp()
  const leased = await lease()
  const mine = await leased.phone({ name: 'Alice', account: { name: 'Shared', phone: '13800000001' } })
  await phone({
    name: 'Bob',
    account: { name: 'Shared', phone: '13800000001' },
    same_account_as: mine.id,
    passkeys: [{ ...BOB, storage: 'chip' }],
  })
  const message = await shop.register(BOB)
  await mine.scan(message.url)
  await mine.approve({ storage: 'chip' })
  await message.verified()
  await shop.signIn({ ...BOB, method: 'push' })
  await leased.end()
  expect(await whatIsThere(client)).toEqual({ ...BOBS, accounts: ['Shared'], underWay: ['u-2'] })
})

test('a lease that ends says what it removed, and is not there any more', async () => {
  const { client, phone, lastSeq, waitFor } = await open()
  const after = await lastSeq()
  const lease = await unheld(client)
  await phone({ lease, passkeys: [ALICE] })
  const removed = {
    faults: 0,
    conditions: 0,
    phones: 1,
    devices: 0,
    messages: 0,
    credentials: 1,
    accounts: 1,
    workspaces: 0,
  }
  expect(await client.call('leases.delete', { params: { id: lease } })).toEqual({ removed })
  expect(await waitFor({ kind: 'setting', subject: 'lease' }, { after })).toMatchObject({
    change: 'ended',
    id: lease,
    detail: removed,
  })
  expect(await codeOf(client.call('leases.get', { params: { id: lease } }))).toBe(40404)
  expect(await codeOf(client.call('leases.delete', { params: { id: lease } }))).toBe(40404)
  expect(await codeOf(client.hold(lease, AbortSignal.timeout(5000)))).toBe(40404)
  await expect(phone({ lease })).rejects.toMatchObject({ code: 40404 })
  expect(await whatIsThere(client)).toEqual(NOTHING)
})

test('a lease that ends disarms its faults of the service and sets its conditions back, and nothing of others', async () => {
  const { client, lease, service, conditions } = await open()
  const leased = await lease()
  await service.arm('body-empty', { scope: { user_id: 'u-2' } })
  await conditions.set({ rp: { latency_ms: 1 } })
  await conditions.set({ rp: { latency_ms: 2 }, scope: { user_id: 'u-2' } })
  await leased.service.arm('body-empty', { times: 5 })
  await leased.conditions.set({ rp: { latency_ms: 3 }, scope: { user_id: 'u-1' } })
  await leased.conditions.set({ app: { latency_ms: 4 }, scope: { user_id: 'u-3' } })
  await leased.conditions.clear({ user_id: 'u-3' })
  const id = (await client.call('leases.list')).leases[0]?.id ?? ''
  const { removed } = await client.call('leases.delete', { params: { id } })
  expect(removed).toMatchObject({ faults: 1, conditions: 1 })
  expect((await service.armed()).map(({ scope }) => scope)).toEqual([{ user_id: 'u-2' }])
  expect(await client.call('conditions.get')).toMatchObject({
    rp: { latency_ms: 1 },
    scoped: [{ scope: { user_id: 'u-2' }, rp: { latency_ms: 2 } }],
  })
})

test('a lease that ends leaves the conditions of a scope that were set again since', async () => {
  const { client, lease, conditions } = await open()
  const [first, second] = [await lease(), await lease()]
  const [one, two] = [{ user_id: 'u-1' }, { user_id: 'u-2' }]
  await first.conditions.set({ rp: { latency_ms: 1 }, scope: one })
  await first.conditions.set({ rp: { latency_ms: 1 }, scope: two })
  await second.conditions.set({ rp: { latency_ms: 2 }, scope: one })
  await conditions.set({ rp: { latency_ms: 3 }, scope: two })
  await first.end()
  expect((await client.call('conditions.get')).scoped).toMatchObject([
    { scope: one, rp: { latency_ms: 2 } },
    { scope: two, rp: { latency_ms: 3 } },
  ])
  await second.end()
  expect((await client.call('conditions.get')).scoped).toMatchObject([{ scope: two }])
})

test('a lease that ends takes no conditions for everybody, and nothing when it is not there', async () => {
  const { client } = await open()
  const lease = await unheld(client)
  expect(await codeOf(client.call('conditions.put', { body: { lease, rp: { latency_ms: 1 } } }))).toBe(40003)
  const scope = { user_id: 'u-1' }
  const gone = { lease: 'lease_gone', scope }
  expect(await codeOf(client.call('conditions.patch', { body: { ...gone, rp: { latency_ms: 1 } } }))).toBe(40404)
  expect(await codeOf(client.call('service.arm', { body: { ...gone, fault: 'body-empty' } }))).toBe(40404)
  expect(await client.call('service.faults')).toEqual({ faults: [] })
  expect((await client.call('conditions.get')).scoped).toBeUndefined()
})

test('a lease that ends minds nothing that was removed before it', async () => {
  const { client, lease, rp } = await open()
  const leased = await lease()
  const [gone, wiped] = [await leased.phone({ passkeys: [ALICE] }), await leased.phone({ passkeys: [BOB] })]
  const shop = await rp()
  const held = await shop.credentials('u-2')
  await shop.deleteCredentials(
    'u-2',
    held.map(({ credential_id }) => credential_id),
  )
  await gone.remove()
  expect((await client.call('leases.list')).leases).toMatchObject([{ phones: [wiped.id] }])
  await client.call('phones.wipe', { params: { id: wiped.id }, body: {} })
  await leased.end()
  expect(await whatIsThere(client)).toEqual(NOTHING)
  const again = await lease()
  await again.phone({ passkeys: [ALICE] })
  await client.call('workspace.reset', { body: { settings: true } })
  await again.end()
  expect(await whatIsThere(client)).toEqual(NOTHING)
})

test.each([
  ['has no network', { network: 'offline' }, undefined],
  ['is met by an outage', {}, { app: { fail_percent: 100 } }],
] as const)('a lease that ends removes a phone that %s, with its device', async (_, change, outage) => {
  const { client, lease, conditions } = await open()
  const leased = await lease()
  const phone = await leased.phone({ passkeys: [ALICE] })
  await phone.change(change)
  if (outage !== undefined) await conditions.set(outage)
  await leased.end()
  expect(await whatIsThere(client)).toEqual(NOTHING)
})

test('a lease that ends takes a phone along that is just being made', async () => {
  const { client, phone } = await open()
  const lease = await unheld(client)
  const [made, ended] = await Promise.allSettled([
    phone({ lease }),
    client.call('leases.delete', { params: { id: lease } }),
    client.call('leases.delete', { params: { id: lease } }),
  ])
  expect([made.status, ended?.status]).toContain('fulfilled')
  expect(await whatIsThere(client)).toEqual(NOTHING)
})

test('a lease that ends knows a phone by each device that it was', async () => {
  const { client, lease } = await open()
  const leased = await lease()
  const phone = await leased.phone({ passkeys: [ALICE] })
  const params = { id: phone.id }
  await client.call('phones.sign-out', { params, body: {} })
  await client.call('phones.sign-in', { params, body: {} })
  await leased.end()
  expect(await whatIsThere(client)).toEqual(NOTHING)
})

test('an unheld lease expires when its stream ends, while a message is under way', async () => {
  const workspace = await open()
  const after = await workspace.lastSeq()
  const lease = await unheld(workspace.client, { ttl_ms: 60_000 })
  const short = await holdAndLose(workspace.client)
  const phone = await workspace.phone({ lease: short.id, passkeys: [ALICE] })
  const message = await (await workspace.rp()).signIn({ ...ALICE, method: 'push' })
  await phone.waitForPush()
  short.lose()
  await expiry(workspace, after)
  expect(await message.result()).toMatchObject({ status: 'timeout' })
  expect(await whatIsThere(workspace.client)).toEqual(NOTHING)
  expect((await workspace.client.call('leases.list')).leases).toMatchObject([{ id: lease, held: false }])
})

test('an unheld lease stays while another stream holds it, and ends the streams that hold it', async () => {
  const { client, controlUrl } = await open()
  const short = await holdAndLose(client)
  const opened = Promise.withResolvers<void>()
  const answering: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init)
    opened.resolve()
    return answer
  }
  const second = createControlClient({ controlUrl, token: shared.handset.token, fetch: answering })
  const holding = second.hold(short.id, AbortSignal.timeout(60_000))
  await opened.promise
  short.lose()
  expect((await client.call('leases.get', { params: { id: short.id } })).held).toBe(true)
  await client.call('leases.delete', { params: { id: short.id } })
  await holding
})

test('an unheld lease closes the workspaces that were made with it', async () => {
  const lease = await unheld(shared.handset.client)
  const { id, phone } = await shared.handset.workspace({ lease })
  await phone()
  await shared.handset.client.call('leases.delete', { params: { id: lease } })
  expect((await shared.handset.client.call('workspaces.list')).workspaces.map((each) => each.id)).not.toContain(id)
  await expect(shared.handset.workspace({ lease })).rejects.toMatchObject({ code: 40404 })
})

test('an unheld lease closes no workspace that was opened since under the id of one that was made with it', async () => {
  const { client } = shared.handset
  const lease = await unheld(client)
  for (const body of [{ id: 'again', lease }, { id: 'again' }]) {
    await codeOf(client.call('workspaces.close', { params: { id: 'again' } }))
    await client.call('workspaces.create', { body })
  }
  await client.call('leases.delete', { params: { id: lease } })
  expect(await codeOf(client.call('workspaces.close', { params: { id: 'again' } }))).toBe(0)
})

test('an unheld lease is over with its workspace', async () => {
  const workspace = await shared.handset.workspace()
  const lease = await unheld(workspace.client)
  const holding = workspace.client.hold(lease, AbortSignal.timeout(10_000))
  await isHeld(workspace.client, lease)
  await workspace.close()
  await holding
})

test('a lease of the SDK is held again when its line breaks', async () => {
  const { client, controlUrl } = await open()
  let lines = 0
  const breaking: typeof fetch = (input, init) =>
    String(input).endsWith('/hold') && lines++ === 0 ? Promise.reject(new TypeError('broken')) : fetch(input, init)
  const unsteady = createControlClient({ controlUrl, token: shared.handset.token, fetch: breaking })
  const { id, end } = await openLease(unsteady)
  await isHeld(client, id)
  expect(lines).toBe(2)
  await end()
  await end()
})

const isHeld = (client: ControlClient, id: string) =>
  expect.poll(async () => (await client.call('leases.get', { params: { id } })).held).toBe(true)

/** A lease that expires as soon as its only stream breaks. */
const holdAndLose = async (client: ControlClient): Promise<{ readonly id: string; lose(): void }> => {
  const { id } = await client.call('leases.create', { body: { ttl_ms: 1000 } })
  const line = new AbortController()
  client.hold(id, line.signal).catch(() => undefined)
  await isHeld(client, id)
  return { id, lose: () => line.abort() }
}
