import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Body } from '../../src-main/contract/control/routes.ts'
import { type ControlClient, createControlClient, openSession } from '../../src-main/sdk/client.ts'
import { codeOf, startTestBench, type TestBench } from '../support/bench.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Tokens that are limited to workspaces: what each of them must refuse. */
let bench: TestBench
beforeAll(async () => {
  bench = await startTestBench()
  for (const id of ['ours', 'theirs']) await bench.client.call('workspaces.create', { body: { id } })
})
afterAll(() => bench.close())

const REFUSED = { token: 40111, limited: 40304, quota: 40907, noRoute: 40401, notFound: 40404 }

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

test('[control.limited] a limited token sees its workspaces and no other, which are as if they were not there', async () => {
  const { client } = await limitedTo({ workspaces: ['ours'] })
  expect((await client.call('workspaces.list')).workspaces.map(({ id }) => id)).toEqual(['ours'])
  expect((await client.call('bench.info')).workspaces).toEqual(['ours'])
  expect((await client.workspace('ours').call('overview')).workspace).toBe('ours')
  for (const id of ['theirs', 'main', 'nowhere']) {
    const there = client.workspace(id)
    expect(await codeOf(there.call('overview'))).toBe(REFUSED.noRoute)
    expect(await codeOf(there.call('events.list'))).toBe(REFUSED.noRoute)
    expect(await codeOf(there.call('workspace.export'))).toBe(REFUSED.noRoute)
    expect(await codeOf(there.events().next())).toBe(REFUSED.noRoute)
    expect(await codeOf(client.call('workspaces.get', { params: { id } }))).toBe(REFUSED.notFound)
    expect(await codeOf(client.call('workspaces.patch', { params: { id }, body: { owner: 'me' } }))).toBe(
      REFUSED.notFound,
    )
    expect(await codeOf(client.call('workspaces.close', { params: { id } }))).toBe(REFUSED.notFound)
    expect(await codeOf(client.call('session.invite', { body: { workspace: id } }))).toBe(REFUSED.notFound)
  }
})

test('[control.limited] a limited token makes no tokens, opens no workspace, closes none that it did not open, and sets no quota', async () => {
  const { client, id } = await limitedTo({ workspaces: ['ours'] })
  expect(await codeOf(client.call('tokens.list'))).toBe(REFUSED.limited)
  expect(await codeOf(client.call('tokens.create', { body: { reveal_secrets: true } }))).toBe(REFUSED.limited)
  expect(await codeOf(client.call('tokens.revoke', { params: { id } }))).toBe(REFUSED.limited)
  expect(await codeOf(client.call('workspaces.create'))).toBe(REFUSED.limited)
  expect(await codeOf(client.call('workspaces.close', { params: { id: 'ours' } }))).toBe(REFUSED.limited)
  const raise = { params: { id: 'ours' }, body: { quota: null } }
  expect(await codeOf(client.call('workspaces.patch', raise))).toBe(REFUSED.limited)
})

test('[control.limited] a secret is only for tokens that may read it, and each reveal is an event that names the token', async () => {
  const ours = bench.client.workspace('ours')
  const { rp, key } = await firstKey(ours)
  const blind = await limitedTo({ workspaces: ['ours'] })
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
  expect(await codeOf(reveal(blind.client))).toBe(REFUSED.limited)
  expect(await codeOf(blind.client.workspace('ours').call('keys.create', { params: { rp }, body: {} }))).toBe(
    REFUSED.limited,
  )
  expect(await codeOf(blind.client.workspace('ours').call('workspace.export'))).toBe(REFUSED.limited)
  expect(await reveals()).toEqual(before)
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

test('[control.limited] what only resembles a token is refused', async () => {
  const { id, secret } = await limitedTo({ workspaces: ['ours'] })
  for (const wrong of [
    id,
    `${id}.`,
    `${id}.x`,
    secret.slice(0, -1),
    `${secret}x`,
    `tok_nobody.${secret.split('.')[1]}`,
  ]) {
    expect(await codeOf(speakingWith(wrong).call('bench.info')), wrong).toBe(REFUSED.token)
  }
})

test('[control.limited] a revoked token is refused from then on, its streams end, and what waits gets nothing more', async () => {
  const { id, client } = await limitedTo({ workspaces: ['ours'] })
  const ours = client.workspace('ours')
  const stream = ours.events({ retry: async () => false })
  const next = stream.next()
  const waiting = codeOf(
    ours.call('events.wait', { body: { match: { kind: 'setting', change: 'disabled' }, timeout_ms: 60_000 } }),
  )
  const sees = bench.client.workspace('ours')
  const { rp, key } = await firstKey(sees)
  await bench.client.call('tokens.revoke', { params: { id } })
  expect(await codeOf(client.call('bench.info'))).toBe(REFUSED.token)
  await sees.call('keys.patch', { params: { rp, key }, body: { state: 'disabled' } })
  await sees.call('keys.patch', { params: { rp, key }, body: { state: 'active' } })
  expect(await waiting).toBe(REFUSED.token)
  expect((await next).done).toBe(true)
  expect(await codeOf(bench.client.call('tokens.revoke', { params: { id } }))).toBe(REFUSED.notFound)
})

test('[control.limited] a page that a limited token invites has that token’s rights and no more', async () => {
  const { client, secret } = await limitedTo({ workspaces: ['ours'] })
  const { code } = await client.call('session.invite', { body: { workspace: 'ours' } })
  expect(await openSession({ controlUrl: bench.bench.controlUrl, code })).toBe(secret)
})

describe('workspaces of a token', () => {
  test('are as many as it may open, also when it asks for all of them at once', async () => {
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

  test('use no lease of a workspace that the token does not see', async () => {
    const { id: lease } = await bench.client.call('leases.create')
    const { client } = await limitedTo({ may_open: 1 })
    expect(await codeOf(client.call('workspaces.create', { body: { lease } }))).toBe(REFUSED.notFound)
  })
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
