import { afterAll, beforeAll, expect, test } from 'vitest'
import { cast, register, startTestBench, type TestBench } from '../support/bench.ts'

const NAME = `<img src=x onerror=alert(1)>&"'`

let bench: TestBench
let phone: string
let report: string
beforeAll(async () => {
  bench = await startTestBench()
  const { client } = bench
  const mine = await cast(client, { name: 'Mine' })
  const { rp } = mine
  phone = mine.phone
  await register(client, mine)
  const other = await client.call('phones.create', { body: { name: 'Somebody else’s' } })
  const body = { user_id: 'u-other', username: 'other', poll: false }
  const begun = await client.call('simulator.register', { params: { rp }, body })
  await client.call('phones.scan', { params: { id: other.id }, body: { url: begun.url } })
  await client.call('phones.arm', { params: { id: phone }, body: { fault: 'origin-wrong' } })
  const user = { user_id: 'u-1', username: NAME, method: 'qrcode' as const, poll: false }
  const signIn = await client.call('simulator.sign-in', { params: { rp }, body: user })
  await client.call('phones.scan', { params: { id: phone }, body: { url: signIn.url } })
  await client.call('phones.approve', { params: { id: phone }, body: {} })
  const others = await client.call('leases.create', { body: {} })
  await client.call('leases.delete', { params: { id: others.id } })
  report = (await client.call('events.report', { query: { title: NAME, phone_id: phone } })).html
})
afterAll(() => bench.close())

test('a report has the messages, exchanges, screens and the judge’s words of one phone', () => {
  for (const part of ['origin_mismatch', '7.2.12', '/rp/assertion/options', 'Mine', 'its clock', 'u-1']) {
    expect(report.toLowerCase()).toContain(part.toLowerCase())
  }
  expect(report).not.toContain('u-other')
  expect(report).not.toContain('lease')
})

test('a report of a workspace has everything in it', async () => {
  const { html } = await bench.client.call('events.report', { query: {} })
  expect(html).toContain('u-other')
  expect(html).toContain('lease')
})

test('a report since an event has nothing from before', async () => {
  const { last_seq } = await bench.client.call('events.list', { query: { latest: true, limit: 1 } })
  const { html } = await bench.client.call('events.report', { query: { after: last_seq } })
  expect(html).toContain('<p>Nothing.</p>')
})

test('a report runs nothing, loads nothing and holds no secret', async () => {
  expect(report).not.toMatch(/<(script|img|link|iframe|object|embed)\b|<[a-z][^>]*\son\w+=|url\(|@import/i)
  expect(report).toContain('&lt;img src=x onerror=alert(1)&gt;&amp;&quot;&#39;')
  expect(report).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`)
  const { rps } = await bench.client.call('rps.list')
  const params = { rp: rps[0]?.id ?? '' }
  const { keys } = await bench.client.call('keys.list', { params })
  const { secret } = await bench.client.call('keys.reveal', { params: { ...params, key: keys[0]?.id ?? '' }, body: {} })
  expect(report).not.toContain(secret)
  expect(report).not.toContain(bench.bench.token)
})
