import { afterEach, expect, test } from 'vitest'
import type { BenchEvent } from '../../src-main/core/contract/events.ts'
import type { ControlClient } from '../../src-main/sdk/client.ts'
import { ALICE, cast, register, START, startTestBench, type TestBench } from '../support/bench.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const open: TestBench[] = []
const start = async (options?: Parameters<typeof startTestBench>[0]): Promise<TestBench> => {
  const bench = await startTestBench(options)
  open.push(bench)
  return bench
}
const close = async (bench: TestBench): Promise<void> => {
  open.splice(open.indexOf(bench), 1)
  await bench.close()
}
afterEach(async () => {
  for (const bench of open.splice(0)) await bench.close()
})

const eventsOf = async (client: ControlClient): Promise<readonly BenchEvent[]> =>
  (await client.call('events.list', { query: { limit: 10_000 } })).events

test('what a phone does late it does at its time, also when time is moved past it in one go', async () => {
  const { client } = await start({ seed: 2 })
  const { rp, phone } = await cast(client)
  await register(client, { rp, phone })
  const behaviour = { answer: 'approve', delay_ms: 60_000 } as const
  await client.call('phones.patch', { params: { id: phone }, body: { behaviour } })
  const { msg_id } = await client.call('simulator.sign-in', {
    params: { rp },
    body: { ...ALICE, method: 'push', poll: false },
  })
  const waits = { kind: 'phone', phone: { prompts: [{ msg_id, answers_at: START + 60_000 }] } }
  await client.call('events.wait', { body: { match: waits, after: 0 } })
  await client.call('clock.advance', { body: { ms: 170_000 } })
  expect(await client.call('messages.get', { params: { id: msg_id } })).toMatchObject({ state: 'success' })
  const moves = (await eventsOf(client)).filter((event) => event.kind === 'message' && event.msg_id === msg_id)
  expect(moves.map((event) => event.kind === 'message' && [event.to, event.bench - START])).toEqual([
    ['init', 0],
    ['bind', 0],
    ['success', 60_000],
  ])
})

test('a reset with settings begins again: under a seed with the same RP and key', async () => {
  const { client } = await start({ seed: 5 })
  const { rps } = await client.call('rps.list')
  const { keys } = await client.call('keys.list', { params: { rp: rps[0]?.id ?? '' } })
  await client.call('rps.create', { body: { name: 'Shop', rp_id: 'shop.example' } })
  await client.call('profile.patch', { body: { message_ttl_s: 30 } })
  await client.call('workspace.reset', { body: { settings: true } })
  expect((await client.call('rps.list')).rps.map(({ id }) => id)).toEqual(rps.map(({ id }) => id))
  const after = await client.call('keys.list', { params: { rp: rps[0]?.id ?? '' } })
  expect(after.keys.map(({ id }) => id)).toEqual(keys.map(({ id }) => id))
  expect((await client.call('profile.get')).changed).toEqual([])
})

test('an attempt polls by itself until it is final', async () => {
  const { client } = await start()
  const { rp, phone } = await cast(client)
  const attempt = await client.call('simulator.register', { params: { rp }, body: { ...ALICE, interval_ms: 1 } })
  expect(attempt.polling).toBe(true)
  await client.call('phones.scan', { params: { id: phone }, body: { url: attempt.url } })
  await client.call('phones.approve', { params: { id: phone }, body: {} })
  await client.call('events.wait', { body: { match: { kind: 'delivery', msg_id: attempt.msg_id }, after: 0 } })
  const read = { kind: 'exchange', rp_id: rp, response: { code: 0 } }
  await client.call('events.wait', { body: { match: read, after: 0 } })
  // The last answer is on its way to the RP: one more poll of ours would be told that it was read.
  for (;;) {
    const now = await client.call('simulator.attempt', { params: { rp, msg_id: attempt.msg_id } })
    if (now.polling) continue
    expect(now).toMatchObject({ status: 'success', refusal: null })
    break
  }
})

test('a data directory keeps what was committed', async () => {
  const data = temporaryFolder()
  const first = await start({ data })
  const who = await cast(first.client, { model: 'granite-one' })
  await register(first.client, who)
  const { rp } = first.bench
  await close(first)

  const later = await start({ data })
  expect(later.bench.rp).toMatchObject({ id: rp?.id, accessKeyId: rp?.accessKeyId, secretKey: rp?.secretKey })
  // The demo RP's page is at the bench's own address, which has another port now.
  expect(later.bench.rp?.origins).toEqual([`http://localhost:${later.bench.port}`])
  const { credentials } = await later.client.call('phones.get', { params: { id: who.phone } })
  expect(credentials).toHaveLength(1)
})

test('a seeded bench on an old data directory does not give out its old ids again', async () => {
  const data = temporaryFolder()
  const ids: string[] = []
  for (let boot = 0; boot < 2; boot++) {
    const bench = await start({ data, seed: 9 })
    const { rps } = await bench.client.call('rps.list')
    const rp = rps[0]?.id ?? ''
    const attempt = await bench.client
      .call('simulator.register', { params: { rp }, body: { ...ALICE, poll: false } })
      .catch(() => undefined)
    ids.push(attempt?.msg_id ?? '')
    await close(bench)
  }
  expect(ids[0]).not.toBe(ids[1])
  expect(ids).not.toContain('')
})

test('[cli.options] a key that was told is active at every start, and no key of another RP is taken', async () => {
  const data = temporaryFolder()
  const shop = { name: 'Shop', rp_id: 'shop.example', keys: [{ id: 'k1', secret: 'told' }] }
  const first = await start({ data, seedData: { rps: [shop], phones: [] } })
  const rp = first.bench.rp?.id ?? ''
  await first.client.call('keys.patch', { params: { rp, key: 'k1' }, body: { state: 'disabled' } })
  await close(first)
  const again = await start({ data, seedData: { rps: [shop], phones: [] } })
  const { keys } = await again.client.call('keys.list', { params: { rp } })
  expect(keys.map(({ id, state }) => [id, state])).toEqual([['k1', 'active']])
  expect(again.bench.rp).toMatchObject({ accessKeyId: 'k1', secretKey: 'told' })
  await close(again)
  const thief = start({ data, seedData: { rps: [{ ...shop, name: 'Thief' }], phones: [] } })
  await expect(thief).rejects.toThrow('"code":"key_of_another_rp"')
})
