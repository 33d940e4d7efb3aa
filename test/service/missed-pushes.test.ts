import { expect, test } from 'vitest'
import { StoreUnavailable } from '../../src-main/protocol/store-unavailable.ts'
import { type Position, sendMissed } from '../../src-main/service/inbox/missed-pushes.ts'
import { openStore } from '../../src-main/service/store/open-store.ts'
import { messageRecord, rpRecord } from '../support/service/records.ts'
import { taken } from '../support/taken.ts'

test('a push that was written before the store failed does not come again with the next look', async () => {
  const store = taken(await openStore({ kind: 'memory' }))
  await store.workspaces.insert({ id: 'main', created_at: 1 })
  await store.rps.insert('main', rpRecord('rp'))
  await store.accounts.insert('main', { id: 'acc', name: 'A', phone: '+1', created_at: 1 })
  const device = { id: 'dev', account: 'acc', name: 'dev', token_hash: 'h', push_count: 0, created_at: 1 }
  await store.devices.insert('main', device)
  for (const id of ['m1', 'm2', 'm3']) await store.messages.insert('main', messageRecord(id), ['dev'])
  let away = true
  const markSent: typeof store.pushes.markSent = async (workspace, which) => {
    if (away && which.n === 2) throw new StoreUnavailable('away', true)
    return store.pushes.markSent(workspace, which)
  }
  const addresses = { baseUrl: () => '', appUrl: () => '', isOurHost: () => true, isOurOrigin: () => true }
  const services = { store: { ...store, pushes: { ...store.pushes, markSent } }, addresses, observe: () => undefined }
  const context = { services, workspace: 'main', clock: { now: () => 1, at: () => () => undefined } }
  const ids: unknown[] = []
  const stream = { send: ({ id }: { readonly id?: string }) => ids.push(id) > 0 }
  const position: Position = { n: 0 }
  const look = () => sendMissed(context, 'dev', { stream, position })

  await expect(look()).rejects.toThrow(StoreUnavailable)
  away = false
  await look()
  await look()
  expect(ids).toEqual(['1', '2', '3'])
  await store.close()
})
