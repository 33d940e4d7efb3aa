import { expect, test } from 'vitest'
import { createRandom } from '../../src-main/harness/random.ts'
import { createService } from '../../src-main/service/service.ts'
import { openStore } from '../../src-main/service/store/open-store.ts'
import { locationOf, newSchemaUrl, noPostgres } from '../support/postgres/postgres-url.ts'
import { taken } from '../support/taken.ts'

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
