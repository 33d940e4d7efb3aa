import { expect, test } from 'vitest'
import { ask } from '../support/service/raw-http.ts'
import { rpClient } from '../support/service/rp-client.ts'
import { phone, rp, running, serveEachTest, shop } from '../support/service/serve-each-test.ts'
import { taken } from '../support/taken.ts'

const wall = { now: Date.UTC(2026, 2, 4) }
serveEachTest({ wall })

const set = async (part: object) => taken(await running.admin.profile.patch('main', part))
const options = '/rp/attestation/options'
const plain = (method: string, target: string) =>
  ask({ port: running.port, method, target, headers: [['Host', `localhost:${running.port}`]] })

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/jsonx',
  'text/json',
  'application/json; charset=latin1',
])('[errors.json] [errors.not-json] [interface.json] the body as %s: 41501', async (type) => {
  const call = { method: 'POST', target: options, body: { user_id: 'u', username: 'u' } }
  expect((await rp.call({ ...call, headers: [['Content-Type', type]] })).json.code).toBe(41501)
})

test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
  '[errors.json] the body as %s is read',
  async (type) => {
    const call = { method: 'POST', target: options, body: { user_id: 'u', username: 'u' } }
    expect((await rp.call({ ...call, headers: [['Content-Type', type]] })).json.code).toBe(0)
  },
)

test('[errors.json] [errors.not-json] the body: a POST without body and type: 41501', async () => {
  expect((await rp.call({ method: 'POST', target: options })).json.code).toBe(41501)
})

test('[errors.json] [errors.body-size] the body: phones may send 64 KiB, as RPs may', async () => {
  const body = (size: number) => `{"x":"${'x'.repeat(size - 8)}"}`
  const code = async (size: number) => (await phone.call('POST', '/messages/none/bind', body(size))).json.code
  expect([await code(64 * 1024), await code(64 * 1024 + 1)]).toEqual([40402, 41301])
})

test.each([
  ['OPTIONS', '/fido/rp/credentials', 'GET, HEAD, DELETE'],
  ['POST', '/fido/m', 'GET, HEAD'],
  ['DELETE', '/fido/openapi.json', 'GET, HEAD'],
  ['DELETE', '/app/openapi.json', 'GET, HEAD'],
  ['PUT', '/app/inbox', 'GET, HEAD'],
])('[errors.order] [errors.method] %s %s is 40501 with Allow, signed or not', async (method, path, allow) => {
  const answer = await plain(method, path)
  expect([answer.json.code, answer.headers.allow]).toEqual([40501, allow])
})

test('[errors.rate] the rate limit counts each key for itself, in whole minutes of real time, and says when to come back', async () => {
  await set({ rate_limit_per_minute: 2 })
  const other = rpClient(running, await running.makeRp('main', 'Other'))
  wall.now = Date.UTC(2026, 2, 4, 0, 0, 45)
  expect([(await rp.list('u')).json.code, (await rp.list('u')).json.code]).toEqual([0, 0])
  const refused = await rp.list('u')
  expect([refused.json.code, refused.headers['retry-after']]).toEqual([42901, '15'])
  expect((await other.list('u')).json.code).toBe(0)
  wall.now += 15_000
  expect((await rp.list('u')).json.code).toBe(0)
})

test('[addresses.page] what everybody may see: a message address in a browser is a page without script and without anything from elsewhere', async () => {
  const page = await plain('GET', '/fido/m')
  expect(page.status).toBe(200)
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  expect(page.text).not.toMatch(/<script|src=|href=|url\(/)
  expect(page.text).toContain('phone')
  expect((await plain('HEAD', '/fido/m')).status).toBe(200)
})

test('[app.rp-no-cors] what everybody may see: RP endpoints send no CORS headers, whatever the origin', async () => {
  const answer = await rp.call({
    method: 'GET',
    target: '/rp/credentials?user_id=u',
    headers: [['Origin', 'https://shop.example']],
  })
  expect(answer.json.code).toBe(0)
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
})

test('[app.no-cookies] what everybody may see: nothing sets a cookie', async () => {
  for (const { headers } of [await rp.list('u'), await plain('GET', '/fido/m'), phone.signedIn]) {
    expect(headers['set-cookie']).toBeUndefined()
  }
})

test('what everybody may see: every request leaves one exchange event and one log line with its id', async () => {
  await rp.register('u1')
  await plain('GET', '/fido/nowhere')
  const [first, second] = running.events('exchange').slice(-2)
  expect(first).toMatchObject({
    interface: 'rp',
    actor: { kind: 'rp', id: shop.rp.id },
    rp_id: shop.rp.id,
    access_key_id: shop.key.id,
    request: { method: 'POST', target: `/fido${options}`, route: `/fido${options}` },
    response: { status: 200, code: 0 },
  })
  expect(second).toMatchObject({ response: { status: 404, code: 40401 } })
  const lines = running.log.filter(({ event }) => event === 'rp request')
  expect(lines.map(({ request }) => request)).toEqual([first?.request.id, second?.request.id])
})

test('what everybody may see: what a request set off names it as cause, and comes before its exchange', async () => {
  await rp.register('u1')
  const { events } = running.recorder.read('main', {})
  const [message, exchange] = events.slice(-2)
  expect([message?.kind, exchange?.kind]).toEqual(['message', 'exchange'])
  expect(exchange?.kind === 'exchange' && exchange.request.id).toBe(message?.cause)
})
