import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { realClock } from '../../src-main/bench/harness/clock.ts'
import { createRandom } from '../../src-main/bench/harness/random.ts'
import { createService } from '../../src-main/service/service.ts'
import { openStore } from '../../src-main/service/store/open-store.ts'
import { atPort, locationOf, newSchemaUrl, noPostgres } from '../support/postgres/postgres-url.ts'
import { noHaproxy } from '../support/postgres/start-haproxy.ts'
import { type Processes, startProcesses } from '../support/postgres/start-processes.ts'
import { type PostgresProxy, startProxy } from '../support/postgres/start-proxy.ts'
import { msgIdOf, type RpClient, rpClient } from '../support/service/rp-client.ts'
import { softPhone } from '../support/service/soft-phone.ts'
import { taken } from '../support/taken.ts'

describe.skipIf(noPostgres || noHaproxy)('with notifications that come 5 s late', () => {
  let proxy: PostgresProxy
  let all: Processes
  let rp: RpClient
  beforeAll(async () => {
    const url = newSchemaUrl()
    proxy = await startProxy(Number(new URL(url).port))
    proxy.delayNotifications(5_000)
    all = await startProcesses(atPort(url, proxy.port))
    rp = rpClient(all.running, all.rp)
  })
  afterAll(async () => {
    await all.stop()
    await proxy.stop()
  })

  /** What each process answers to the next requests. */
  const everywhere = async (count = 9) =>
    new Set((await Promise.all(Array.from({ length: count }, () => rp.list('u1')))).map(({ json }) => json.code))

  type Call = Processes['client']['call']
  type Setting = {
    readonly name: string
    readonly set: (call: Call) => Promise<unknown>
    readonly code: number
    readonly undo: (call: Call) => Promise<unknown>
  }
  const keyState = (state: 'active' | 'disabled') => async (call: Call) => {
    const { rps } = await call('rps.list')
    return call('keys.patch', { params: { rp: rps[0]?.id ?? '', key: all.rp.key.id }, body: { state } })
  }
  const settings: readonly Setting[] = [
    {
      name: 'a profile',
      set: (call) => call('profile.patch', { body: { authorization_forms: ['short'] } }),
      code: 40102,
      undo: (call) => call('profile.reset', {}),
    },
    { name: 'a key', set: keyState('disabled'), code: 40103, undo: keyState('active') },
    {
      name: 'conditions',
      set: (call) => call('conditions.patch', { body: { rp: { fail_percent: 100, fail_code: 50301 } } }),
      code: 50301,
      undo: (call) => call('conditions.delete', {}),
    },
    {
      name: 'a fault of the service',
      set: (call) => call('service.arm', { body: { fault: 'list-refused', probability: 1 } }),
      code: 50001,
      undo: (call) => call('service.disarm-all', {}),
    },
    {
      name: 'a clock',
      set: async (call) => {
        await call('profile.patch', { body: { skew_clock: 'bench' } })
        await call('clock.put', { body: { now: 946_684_800_000, frozen: true } })
      },
      code: 40106,
      undo: async (call) => {
        await call('clock.put', { body: { now: realClock.now(), frozen: false } })
        await call('profile.reset', {})
      },
    },
  ]
  test.each(settings)('$name and its end count in every process at the next request', async ({ set, code, undo }) => {
    for (let round = 0; round < 3; round++) {
      await set(all.client.call)
      expect(await everywhere()).toEqual(new Set([code]))
      await undo(all.client.call)
      expect(await everywhere()).toEqual(new Set([0]))
    }
  })

  test('a push is there for the phone before its notification, and an approval for the RP’s next poll', async () => {
    const phone = await softPhone(all.running)
    await phone.register(msgIdOf(await rp.register('u1')))
    const inbox = await phone.inbox()
    const id = msgIdOf(await rp.authenticate('u1', 'push'))
    expect(await inbox.next()).toMatchObject({ data: { msg_id: id } })
    expect((await phone.authenticate(id)).json.data.status).toBe('success')
    expect((await rp.authenticationResult(id)).json.data.status).toBe('success')
    inbox.close()
  })
})

test.skipIf(noPostgres)('a workspace that another process closed is forgotten without a request for it', async () => {
  const url = newSchemaUrl('&notifications=off')
  const elsewhere = taken(await openStore({ kind: 'postgres', database: locationOf(url) }))
  const store = taken(await openStore({ kind: 'postgres', database: locationOf(url) }))
  await elsewhere.workspaces.insert({ id: 'before', created_at: 1 })
  const ended: string[] = []
  const clock = { now: () => 1, at: () => () => undefined }
  const service = await createService({
    store,
    clock: () => clock,
    wall: clock,
    random: createRandom({ boot: 0 }),
    observe: () => undefined,
    log: () => undefined,
    sweepMs: 10,
    addresses: { baseUrl: () => '', appUrl: () => '', isOurHost: () => true, isOurOrigin: () => true },
    follow: { begin: async () => undefined, end: (workspace) => void ended.push(workspace) },
  })
  await elsewhere.workspaces.insert({ id: 'since', created_at: 1 })
  expect(await service.workspaceExists('since')).toBe(true)
  const open = (): readonly boolean[] => ['main', 'before', 'since'].map(service.isOpen)
  expect(open()).toEqual([true, true, true])
  await elsewhere.workspaces.delete('before')
  await elsewhere.workspaces.delete('since')
  await expect.poll(open).toEqual([true, false, false])
  expect(ended.toSorted()).toEqual(['before', 'since'])
  await service.close()
  await store.close()
  await elsewhere.close()
})
