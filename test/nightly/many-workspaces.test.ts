import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cast, register, startTestBench, type TestBench } from '../support/bench.ts'
import { heldMemory } from '../support/held-memory.ts'

let bench: TestBench
beforeAll(async () => {
  bench = await startTestBench()
})
afterAll(() => bench.close())

/** Opens a workspace and registers its one user at its one phone, both named as the workspace. */
const openWith = async (id: string) => {
  await bench.client.call('workspaces.create', { body: { id } })
  const client = bench.client.workspace(id)
  // All accounts have one phone number: what went by that alone would meet the others.
  const who = await cast(client, { name: `Phone of ${id}`, account: { name: `Owner of ${id}`, phone: '13812345678' } })
  return { id, client, result: await register(client, who) }
}

it('1,000 workspaces opened, used and closed leave no memory behind', async () => {
  const round = async (name: string, count: number): Promise<void> => {
    for (let i = 0; i < count; i += 10) {
      const ids = Array.from({ length: 10 }, (_, k) => `${name}-${i + k}`)
      await Promise.all(ids.map(openWith))
      await Promise.all(ids.map((id) => bench.client.call('workspaces.close', { params: { id } })))
    }
    // The log is the test's own.
    bench.log.length = 0
  }
  /** Closed sockets and what hangs on them go in the turns after; what is left for good stays. */
  const settled = async (): Promise<number> => {
    const sizes: number[] = []
    for (let turn = 0; turn < 40; turn++) {
      await setTimeout(50)
      sizes.push(heldMemory())
    }
    return Math.min(...sizes)
  }
  await round('first', 100)
  const before = await settled()
  await round('then', 900)
  const left = async (): Promise<number> => ((await settled()) - before) / 900
  await expect.poll(left, { timeout: 60_000 }).toBeLessThan(4096)
})
