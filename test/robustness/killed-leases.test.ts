import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connectHandset, type Handset } from '../../src-main/sdk/index.ts'
import { type Served, serve } from './served.ts'

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
  const data = mkdtempSync(join(tmpdir(), 'handset-killed-leases-'))
  let served: Served | undefined
  onTestFinished(async () => {
    await served?.kill()
    rmSync(data, { recursive: true, force: true })
  })
  const start = async (): Promise<Handset> => {
    served = await serve({ args: ['--data', data] })
    return connectHandset({ controlUrl: `http://localhost:${served.port}/control/v1`, token: served.token })
  }
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
