import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Body } from '../../../src-main/core/contract/control/routes.ts'
import { type ControlClient, createControlClient, openSession } from '../../../src-main/sdk/client.ts'
import { codeOf, startTestBench } from '../../support/bench.ts'
import { benchOfFile } from '../../support/open-workspaces.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Tokens that are limited to workspaces: what each of them must refuse. */
const bench = benchOfFile()
beforeAll(async () => {
  await bench.client.call('workspaces.create', { body: { id: 'ours' } })
})

const REFUSED = { token: 40111, limited: 40304, quota: 40907, notFound: 40404 }

const speakingWith = (token: string, { bench: { controlUrl } } = bench): ControlClient =>
  createControlClient({ controlUrl, token })

const limitedTo = async (body: Body<'tokens.create'>) => {
  const { token, secret } = await bench.client.call('tokens.create', { body })
  onTestFinished(() =>
    bench.client.call('tokens.revoke', { params: { id: token.id } }).then(undefined, () => undefined),
  )
  return { id: token.id, secret, client: speakingWith(secret) }
}

const firstKey = async (client: ControlClient) => {
  const rp = (await client.call('rps.list')).rps[0]?.id ?? ''
  const key = (await client.call('keys.list', { params: { rp } })).keys[0]?.id ?? ''
  return { rp, key }
}

test('[control.limited] each reveal of a secret is an event that names the token', async () => {
  const ours = bench.client.workspace('ours')
  const { rp, key } = await firstKey(ours)
  const reading = await limitedTo({ workspaces: ['ours'], reveal_secrets: true })
  const reveals = async () =>
    (await ours.call('events.list', { query: { kind: 'setting' } })).events.flatMap((event) =>
      event.kind === 'setting' && /^(revealed|exported)$/.test(event.change)
        ? [{ by: event.actor.id, id: event.id }]
        : [],
    )
  const before = await reveals()
  const reveal = (client: ControlClient) =>
    client.workspace('ours').call('keys.reveal', { params: { rp, key }, body: {} })
  const { secret } = await reveal(reading.client)
  await reading.client.workspace('ours').call('workspace.export')
  await reveal(bench.client)
  expect((await reveals()).slice(before.length)).toEqual([
    { by: reading.id, id: key },
    { by: reading.id, id: undefined },
    { by: undefined, id: key },
  ])
  expect(JSON.stringify((await ours.call('events.list')).events)).not.toContain(secret)
})

test('[control.limited] a seed, from which secrets can be drawn again, is for tokens that may read them', async () => {
  const { id } = await bench.client.call('workspaces.create', { body: { seed: 7 } })
  onTestFinished(async () => void (await bench.client.call('workspaces.close', { params: { id } })))
  const seedsFor = async (client: ControlClient) => [
    (await client.workspace(id).call('overview')).seed,
    (await client.call('workspaces.get', { params: { id } })).seed,
    (await client.call('workspaces.list')).workspaces.find((one) => one.id === id)?.seed,
  ]
  const blind = await limitedTo({ workspaces: [id], may_open: 1 })
  const reading = await limitedTo({ workspaces: [id], reveal_secrets: true })
  expect(await seedsFor(blind.client)).toEqual([null, null, null])
  expect(await seedsFor(reading.client)).toEqual([7, 7, 7])
  expect(await codeOf(blind.client.call('workspaces.create', { body: { seed: 8 } }))).toBe(REFUSED.limited)
})

test('[control.limited] a token is kept as its hash alone: it is in no list, no event and no log line', async () => {
  const { id, secret } = await limitedTo({ workspaces: ['ours'], name: 'ci' })
  expect((await bench.client.call('tokens.list')).tokens.find((token) => token.id === id)?.name).toBe('ci')
  const [, hidden = ''] = secret.split('.')
  const told = [await bench.client.call('tokens.list'), await bench.client.call('events.list'), bench.log]
  expect(hidden).not.toBe('')
  expect(JSON.stringify(told)).not.toContain(hidden)
})

test('[control.limited] a revoked token is refused from then on, and its streams, waits and page codes end at once', async () => {
  const { id, client } = await limitedTo({ workspaces: ['ours'] })
  const ours = client.workspace('ours')
  const stream = ours.events({ retry: async () => false })
  const next = stream.next()
  const { code } = await client.call('session.invite', { body: { workspace: 'ours' } })
  const began = performance.now()
  const waiting = codeOf(ours.call('events.wait', { body: { match: { kind: 'verdict' }, timeout_ms: 60_000 } }))
  expect(await codeOf(ours.call('events.wait', { body: { match: { kind: 'verdict' }, timeout_ms: 1 } }))).toBe(40905)
  await bench.client.call('tokens.revoke', { params: { id } })
  expect(await codeOf(client.call('bench.info'))).toBe(REFUSED.token)
  expect(await waiting).toBe(REFUSED.token)
  expect(performance.now() - began).toBeLessThan(60_000)
  expect((await next).done).toBe(true)
  expect(await codeOf(openSession({ controlUrl: bench.bench.controlUrl, code }))).toBe(REFUSED.token)
  expect(await codeOf(bench.client.call('tokens.revoke', { params: { id } }))).toBe(REFUSED.notFound)
})

test('[control.limited] however many page codes a token makes, those of others stay valid', async () => {
  const { client } = await limitedTo({ workspaces: ['ours'] })
  const code = new URL(bench.bench.invite()).hash.slice('#code='.length)
  const invite = () => client.call('session.invite', { body: { workspace: 'ours' } })
  const first = await invite()
  for (let n = 0; n < 100; n++) await invite()
  const { controlUrl } = bench.bench
  expect(await openSession({ controlUrl, code })).toBe(bench.bench.token)
  expect(await codeOf(openSession({ controlUrl, code: first.code }))).toBe(REFUSED.token)
})

test('[control.limited] a token is made only for workspaces that are there, and forgets those that are closed', async () => {
  const absent = bench.client.call('tokens.create', { body: { workspaces: ['ours', 'later'] } })
  expect(await codeOf(absent)).toBe(REFUSED.notFound)
  await bench.client.call('workspaces.create', { body: { id: 'later' } })
  const { client } = await limitedTo({ workspaces: ['ours', 'later'] })
  await bench.client.call('workspaces.close', { params: { id: 'later' } })
  await bench.client.call('workspaces.create', { body: { id: 'later' } })
  expect((await client.call('workspaces.list')).workspaces.map(({ id }) => id)).toEqual(['ours'])
})

test('workspaces of a token are as many as it may open, also when it asks for all of them at once', async () => {
  const { client } = await limitedTo({ may_open: 2, quota: { phones: 1 } })
  const codes = await Promise.all(Array.from({ length: 6 }, () => codeOf(client.call('workspaces.create'))))
  expect(codes.toSorted()).toEqual([0, 0, ...Array(4).fill(REFUSED.quota)])
  const { workspaces } = await client.call('workspaces.list')
  expect(workspaces.map(({ quota }) => quota)).toEqual([{ phones: 1 }, { phones: 1 }])
  const free = { body: { quota: { phones: 9 } } }
  expect(await codeOf(client.call('workspaces.create', free))).toBe(REFUSED.limited)
  for (const { id } of workspaces) expect(await codeOf(client.call('workspaces.close', { params: { id } }))).toBe(0)
  expect(await codeOf(client.call('workspaces.create'))).toBe(0)
})

test('workspaces of a token use no lease of a workspace that the token does not see', async () => {
  const { id: lease } = await bench.client.call('leases.create')
  const { client } = await limitedTo({ may_open: 1 })
  expect(await codeOf(client.call('workspaces.create', { body: { lease } }))).toBe(REFUSED.notFound)
})

test('workspaces of a token are no more once it is revoked, also of those that it has asked for', async () => {
  const { client, id } = await limitedTo({ may_open: 20 })
  const asked = Array.from({ length: 20 }, () => codeOf(client.call('workspaces.create', { body: { owner: id } })))
  await client.call('bench.info')
  await bench.client.call('tokens.revoke', { params: { id } })
  const { workspaces } = await bench.client.call('workspaces.list', { query: { owner: id } })
  await Promise.all(asked)
  const later = (await bench.client.call('workspaces.list', { query: { owner: id } })).workspaces
  expect(later.length - workspaces.length).toBeLessThanOrEqual(1)
  for (const each of later) await bench.client.call('workspaces.close', { params: { id: each.id } })
})

test('tokens outlive a restart, and a reset, import or restore of main brings none back that was revoked', async () => {
  const data = temporaryFolder()
  const first = await startTestBench({ data })
  const made = await first.client.call('tokens.create', { body: { workspaces: ['main'], name: 'kept' } })
  const gone = await first.client.call('tokens.create', { body: { workspaces: ['main'] } })
  const snapshot = await first.client.call('snapshots.create')
  const exported = await first.client.call('workspace.export')
  await first.client.call('tokens.revoke', { params: { id: gone.token.id } })
  await first.client.call('snapshots.restore', { params: { id: snapshot.id }, body: {} })
  await first.client.call('workspace.import', { body: exported })
  await first.client.call('workspace.reset', { body: { settings: true } })
  await first.close()
  const second = await startTestBench({ data })
  onTestFinished(() => second.close())
  expect((await second.client.call('tokens.list')).tokens).toEqual([made.token])
  expect((await speakingWith(made.secret, second).call('overview')).workspace).toBe('main')
  expect(await codeOf(speakingWith(gone.secret, second).call('overview'))).toBe(REFUSED.token)
})
