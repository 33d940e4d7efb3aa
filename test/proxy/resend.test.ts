import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ALICE } from '../support/bench.ts'
import { rpAt, startProxy, startTarget } from '../support/proxy.ts'
import { taken } from '../support/taken.ts'

test('a request that is sent again goes the way of every request of the proxy: to its target, signed for it', async () => {
  const target = await startTarget()
  const proxy = await startProxy({ baseUrl: target.bench.baseUrl, appUrl: target.bench.appUrl })
  taken(await rpAt(proxy.bench.baseUrl).register(ALICE))
  const { events } = await proxy.client.call('events.list', { query: { kind: 'exchange' } })
  const params = { seq: String(events[0]?.seq) }
  const again = await proxy.client.call('events.resend', { params, body: {} })
  expect(again).toMatchObject({ status: 200, code: 0 })
  const [last] = (await proxy.client.call('events.list', { query: { after: Number(again.seq) - 1, limit: 1 } })).events
  expect(last).toMatchObject({ answered_by: 'target', resent: { from: events[0]?.seq } })
  const wrong = await proxy.client.call('events.resend', { params, body: { signing: 'other_secret' } })
  expect(wrong).toMatchObject({ status: 401, code: 40104 })
  expect((await target.client.call('messages.list', { query: {} })).messages).toHaveLength(2)
})

test('a target that stays silent ends it with a code, not with a wait for ever', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  onTestFinished(() => void silent.close())
  await once(silent, 'listening')
  const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/fido`
  const proxy = await startProxy({ baseUrl, patienceMs: 200 })
  await rpAt(proxy.bench.baseUrl).register(ALICE)
  const { events } = await proxy.client.call('events.list', { query: { kind: 'exchange' } })
  const again = await proxy.client.call('events.resend', { params: { seq: String(events[0]?.seq) }, body: {} })
  expect(again).toMatchObject({ status: 504, code: 50402 })
})
