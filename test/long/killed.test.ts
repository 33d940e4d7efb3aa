import { afterEach, expect, test } from 'vitest'
import { type ControlClient, createControlClient } from '../../src-main/sdk/client.ts'
import { connectHandset, type Handset } from '../../src-main/sdk/index.ts'
import { type Served, serve } from '../robustness/served.ts'
import { startTestBench } from '../support/bench.ts'
import { recorderIn } from '../support/recorded-events.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** What a bench in a process of its own keeps that is killed and started again. */
let served: Served | undefined
afterEach(() => served?.kill())

const startIn = (data: string) => async () => {
  served = await serve({ args: ['--data', data] })
  const door = { controlUrl: `http://localhost:${served.port}/control/v1`, token: served.token }
  return { served, door, client: createControlClient(door) }
}

test('[clock.kept] what was acknowledged of a clock survives SIGKILL in the next moment', async () => {
  const start = startIn(temporaryFolder())
  const { client: first } = await start()
  const frozen = await first.call('clock.put', { body: { frozen: true } })
  await served?.kill()
  const { client: second } = await start()
  expect(await second.call('clock.get')).toEqual(frozen)
  await second.call('clock.put', { body: { now: Date.UTC(2030, 0, 1), frozen: false, speed: 1000 } })
  await served?.kill()
  const { client: third } = await start()
  const running = await third.call('clock.get')
  expect(running).toMatchObject({ frozen: false, speed: 1000 })
  expect(running.now).toBeGreaterThan(Date.UTC(2030, 0, 1))
})

const ALICE = { user_id: 'u-1', username: 'alice' }
const BOB = { user_id: 'u-2', username: 'bob' }

const whatIsThere = async ({ client }: Handset) => ({
  phones: (await client.call('phones.list')).phones.map(({ name }) => name),
  accounts: (await client.call('accounts.list')).accounts.map(({ name }) => name),
  users: (await client.call('credentials.list')).credentials.map(({ user_id }) => user_id),
  underWay: (await client.call('messages.list', { query: { state: 'init' } })).messages.map(({ user_id }) => user_id),
  faults: (await client.call('service.faults')).faults.length,
  scoped: (await client.call('conditions.get')).scoped?.map(({ scope }) => scope),
})

/** Of a process that is gone, as its bench will be. */
test('leases of a bench that is killed run out after the next start, and take what they own and nothing else', async () => {
  const startBench = startIn(temporaryFolder())
  const start = async (): Promise<Handset> => connectHandset((await startBench()).door)
  const first = await start()
  const lasting = await first.client.call('leases.create', { body: { name: 'Lasting', ttl_ms: 86_400_000 } })
  await first.phone({ name: 'Bob', passkeys: [BOB] })
  const rp = await first.rp()
  const leased = await first.lease({ name: 'A test', ttlMs: 0 })
  await leased.phone({ name: 'Alice', passkeys: [ALICE] })
  await leased.service.arm('body-empty', { scope: { user_id: 'u-1' }, only: ['credentials.list'] })
  await leased.conditions.set({ rp: { latency_ms: 1 }, scope: { user_id: 'u-1' } })
  for (const user of [ALICE, BOB]) await rp.signIn({ ...user, method: 'push' })
  await served?.kill()
  const second = await start()
  const leases = async () => (await second.client.call('leases.list')).leases.map(({ id }) => id)
  await expect.poll(leases).toEqual([lasting.id])
  expect(await whatIsThere(second)).toEqual({
    ...{ phones: ['Bob'], accounts: ['Bob'], users: ['u-2'], underWay: ['u-2'], faults: 0, scoped: undefined },
  })
  await second.client.call('leases.delete', { params: { id: lasting.id } })
})

const profile = (client: ControlClient, message_ttl_s: number) =>
  client.call('profile.patch', { body: { message_ttl_s } })

test('[events.kept] events outlive SIGKILL and a clean stop, and a stream goes on where it was', async () => {
  const data = temporaryFolder()
  const start = startIn(data)
  const first = await startTestBench({ data })
  for (const seconds of [61, 62, 63]) await profile(first.client, seconds)
  await first.client.call('workspaces.create', { body: { id: 'gone' } })
  await profile(first.client.workspace('gone'), 64)
  await first.client.call('workspaces.close', { params: { id: 'gone' } })
  const { events: before } = await first.client.call('events.list')
  expect(before.length).toBeGreaterThan(2)
  await first.close()

  const killed = await start()
  const { events: kept } = await killed.client.call('events.list')
  expect(kept.slice(0, before.length)).toEqual(before)
  expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, n) => n + 1))
  await profile(killed.client, 65)
  const { last_seq: heard } = await killed.client.call('overview')
  await killed.served.kill()

  const { client, served: last } = await start()
  const { events: afterKill, last_seq } = await client.call('events.list')
  expect(afterKill.slice(0, before.length)).toEqual(before)
  expect(last_seq).toBeGreaterThanOrEqual(heard)
  await profile(client, 66)
  const [changed] = (await client.call('events.list', { query: { after: heard, kind: 'setting' } })).events
  expect(changed).toMatchObject({ subject: 'profile' })
  for await (const event of client.events({ after: heard, kind: 'setting' })) {
    expect(event).toEqual(changed)
    break
  }
  await client.call('workspaces.create', { body: { id: 'gone' } })
  const { events: anew } = await client.workspace('gone').call('events.list')
  expect(anew).not.toContainEqual(expect.objectContaining({ subject: 'profile' }))
  const { events: all } = await client.call('events.list')
  expect(await last.stop()).toBe(0)
  expect(last.stderr()).toBe('')
  const { recorder, close } = recorderIn(data)
  expect(recorder.read('main').events.slice(0, all.length)).toEqual(all)
  await close()
})
