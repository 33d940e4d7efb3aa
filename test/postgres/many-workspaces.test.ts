import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cast, register } from '../support/bench.ts'
import { heldMemory } from '../support/held-memory.ts'
import { isLong } from '../support/parts.ts'
import { newSchemaUrl, noPostgres } from '../support/postgres/postgres-url.ts'
import { type Processes, startProcesses } from '../support/postgres/start-processes.ts'

/** `HANDSET_TEST_LONG=yes npm run test:postgres -- test/postgres/many-workspaces.test.ts` has them all. */
const [AT_ONCE, CLOSED] = isLong ? [500, 5_000] : [30, 1_000]
const TOGETHER = 10

describe.skipIf(noPostgres)('many workspaces in three service processes', { timeout: 900_000 }, () => {
  let processes: Processes
  beforeAll(async () => {
    processes = await startProcesses(newSchemaUrl('&pool=4'))
  })
  afterAll(() => processes?.stop())

  /** Of three services and their bench, which all run in this process. */
  const memory = (): number => {
    processes.log.length = 0
    return heldMemory()
  }
  const open = (id: string) => processes.client.call('workspaces.create', { body: { id } })
  const close = (id: string) => processes.client.call('workspaces.close', { params: { id } })
  /** Every process has heard of it, and refuses the call. */
  const visit = async (id: string): Promise<void> => {
    for (const port of processes.ports) {
      const { status } = await fetch(`http://localhost:${port}/w/${id}/fido/rp/credentials?user_id=a`)
      expect(status).toBe(401)
    }
  }
  const inBatches = async (ids: readonly string[], work: (id: string) => Promise<unknown>): Promise<void> => {
    for (let i = 0; i < ids.length; i += TOGETHER) await Promise.all(ids.slice(i, i + TOGETHER).map(work))
  }
  const named = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}-${n}-of-many`)

  test(`${CLOSED} opened, heard of everywhere and closed leave no memory behind`, async () => {
    const round = (name: string, count: number) =>
      inBatches(named(name, count), async (id) => {
        await open(id)
        await visit(id)
        await close(id)
      })
    // What a process makes once, its compiled code above all, came to 1 to 2 MB here.
    await round('first', 200)
    // A process forgets what another one closed within ten seconds.
    await setTimeout(12_000)
    const before = memory()
    await round('then', CLOSED)
    const left = (): number => (memory() - before) / CLOSED
    await expect.poll(left, { timeout: 30_000, interval: 500 }).toBeLessThan(4096)
    console.log(`${(left() / 1024).toFixed(1)} KiB left of each of ${CLOSED} workspaces`)
  })

  test(`${AT_ONCE} at once: each has its own user, phone and events, and nothing of another`, async () => {
    const ids = named('side', AT_ONCE)
    const before = memory()
    await inBatches(ids, async (id) => {
      await open(id)
      const client = processes.client.workspace(id)
      // All accounts have one phone number: what went by that alone would meet the others.
      const account = { name: `Owner of ${id}`, phone: '13812345678' }
      expect((await register(client, await cast(client, { name: `Phone of ${id}`, account }))).status).toBe('success')
    })
    const perWorkspace = (memory() - before) / AT_ONCE / 1024
    console.log(
      `${perWorkspace.toFixed(0)} KiB for each of ${AT_ONCE} workspaces, in three services and a bench together`,
    )
    await inBatches(ids, async (id) => {
      const client = processes.client.workspace(id)
      const [{ events }, { credentials }, { accounts }, { phones }] = await Promise.all([
        client.call('events.list', { query: { limit: 1000 } }),
        client.call('credentials.list'),
        client.call('accounts.list'),
        client.call('phones.list'),
      ])
      expect([credentials.length, accounts.length, phones.length]).toEqual([1, 1, 1])
      const all = JSON.stringify([events, credentials, accounts, phones])
      expect([...new Set(all.match(/side-\d+-of-many/g))]).toEqual([id])
      await close(id)
    })
  })
})
