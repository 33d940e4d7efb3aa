import { request } from 'node:http'
import { expect, test } from 'vitest'
import { openSession } from '../../../src-main/sdk/client.ts'
import { ALICE, cast, START } from '../../support/bench.ts'
import { benchOfFile } from '../../support/open-workspaces.ts'

const bench = benchOfFile()

type Sent = { method?: string; path: string; headers?: Record<string, string>; body?: string }

/** Raw, because fetch would not let a test choose Host and Origin. */
const send = ({ method = 'GET', path, headers = {}, body }: Sent) =>
  new Promise<{
    status: number
    headers: Record<string, unknown>
    json: { code: number; error: string; data: unknown }
  }>((resolve, reject) => {
    const { hostname, port } = new URL(bench.bench.controlUrl)
    const sent = request({ hostname, port, method, path: `/control/v1${path}`, headers }, (response) => {
      let text = ''
      response.on('data', (part) => {
        text += part
      })
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          json: text === '' ? undefined : JSON.parse(text),
        } as never),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })

const token = () => ({ authorization: `Bearer ${bench.bench.token}` })
const json = () => ({ ...token(), 'content-type': 'application/json' })

test('a Host that is not ours is refused before the token is looked at', async () => {
  const answer = await send({ path: '/overview', headers: { ...token(), host: 'evil.example' } })
  expect(answer.json.code).toBe(40302)
})

test('a preflight is answered without a token', async () => {
  const headers = { origin: `http://localhost:${bench.bench.port}`, 'access-control-request-method': 'POST' }
  const answer = await send({ method: 'OPTIONS', path: '/phones', headers })
  expect(answer.status).toBe(204)
})

test.each([
  ['POST', '/phones', '{"name":7}', 40002, 'name'],
  ['POST', '/phones', '{"name":"A","account":{"name":"Alice"}}', 40003, 'account.phone'],
  ['GET', '/events?limit=many', undefined, 40002, 'limit'],
  ['GET', '/events?kind=message,mesage', undefined, 40002, 'kind'],
  ['GET', '/events?limit=1&limit=2', undefined, 40004, 'limit'],
  ['GET', '/overview?x=1', undefined, 40002, 'x'],
])('%s %s with %s is refused with %i, and data names the parameter', async (method, path, body, code, parameter) => {
  const answer = await send({ method, path, headers: json(), ...(body === undefined ? {} : { body }) })
  expect(answer.json).toMatchObject({ code, data: { parameter } })
})

test('a body without its type and a method that a route has not are refused', async () => {
  const plain = await send({ method: 'POST', path: '/phones', headers: token(), body: '{"name":"a"}' })
  const put = await send({ method: 'PUT', path: '/overview', headers: json(), body: '{}' })
  expect([plain.json.code, put.json.code]).toEqual([41501, 40501])
})

test('a call without inputs may come without a body', async () => {
  expect((await send({ method: 'POST', path: '/profile/reset', headers: token() })).json.code).toBe(0)
})

test('a code is for the page of the workspace that is named, and an unknown workspace gets none', async () => {
  await bench.client.call('workspaces.create', { body: { id: 'paged' } })
  const { url, code } = await bench.client.call('session.invite', { body: { workspace: 'paged' } })
  expect(url).toBe(`${bench.bench.uiUrl}w/paged/#code=${code}`)
  expect(await openSession({ controlUrl: bench.bench.controlUrl, code })).toBe(bench.bench.token)
  await bench.client.call('workspaces.close', { params: { id: 'paged' } })
  const closed = bench.client.call('session.invite', { body: { workspace: 'paged' } })
  await expect(closed).rejects.toMatchObject({ code: 40404 })
})

test('what concerns the whole bench is only at its own address', async () => {
  await bench.client.call('workspaces.create', { body: { id: 'w1' } })
  await expect(bench.client.workspace('w1').call('bench.info')).rejects.toMatchObject({ code: 40401 })
  await bench.client.call('workspaces.close', { params: { id: 'w1' } })
})

test('the document of the interface is there for every reader, and for no other method', async () => {
  expect((await send({ path: '/openapi.json' })).status).toBe(200)
  expect((await send({ method: 'HEAD', path: '/openapi.json' })).status).toBe(200)
  const posted = await send({ method: 'POST', path: '/openapi.json', headers: json(), body: '{}' })
  expect([posted.json.code, posted.headers.allow]).toEqual([40501, 'GET, HEAD'])
})

test('one line for each call, with its id and without what it holds', async () => {
  const from = bench.log.length
  await send({ method: 'POST', path: '/session', headers: json(), body: '{"code":"nobody-knows"}' })
  await send({ path: '/clock', headers: token() })
  const lines = bench.log.slice(from).filter(({ event }) => event === 'control request')
  expect(lines).toMatchObject([
    { request: expect.stringMatching(/^req_/), call: 'session.open', status: 401, code: 40111 },
    { request: expect.stringMatching(/^req_/), call: 'clock.get', status: 200, code: 0, workspace: 'main' },
  ])
  for (const secret of ['nobody-knows', bench.bench.token]) expect(JSON.stringify(bench.log)).not.toContain(secret)
})

test('the next expiry is the earliest of all, however many messages are under way', async () => {
  const { rps } = await bench.client.call('rps.list')
  const ask = (n: number) =>
    bench.client.call('simulator.register', {
      params: { rp: rps[0]?.id ?? '' },
      body: { user_id: `u${n}`, username: 'x', poll: false },
    })
  await bench.client.call('clock.put', { body: { frozen: true } })
  const { expires_at } = await ask(0)
  await bench.client.call('clock.advance', { body: { ms: 5_000 } })
  for (let n = 1; n <= 3; n++) await ask(n)
  expect((await bench.client.call('clock.get')).next_expiry).toBe(expires_at * 1000)
  await bench.client.call('clock.advance', { body: { to: 'next-expiry' } })
  expect((await bench.client.call('clock.get')).next_expiry).toBe((expires_at + 5) * 1000)
  await bench.client.call('clock.put', { body: { real: true } })
})

test.each([
  [{ frozen: true }],
  [{ speed: 2, now: 1_900_000_000_000 }],
  [{ now: 1_900_000_000_000, frozen: false, speed: 1 }],
])('[errors.conflict] a clock cannot follow real time with %j: the refusal says so, nothing moves', async (setting) => {
  const inside = bench.client.workspace((await bench.client.call('workspaces.create', { body: {} })).id)
  const before = await inside.call('clock.put', { body: { now: START, frozen: true, speed: 3 } })
  await expect(inside.call('clock.put', { body: { ...setting, real: true } })).rejects.toMatchObject({
    code: 40004,
    data: { reason: { code: 'real_goes_alone', params: { others: Object.keys(setting) } } },
  })
  expect(await inside.call('clock.get')).toEqual(before)
})

test('a wait that runs out says what came instead', async () => {
  const { last_seq } = await bench.client.call('overview')
  await bench.client.call('profile.patch', { body: { message_ttl_s: 100 } })
  const waiting = bench.client.call('events.wait', {
    body: { match: { kind: 'delivery' }, after: last_seq, timeout_ms: 20 },
  })
  await expect(waiting).rejects.toMatchObject({
    code: 40905,
    data: {
      count: 1,
      came: [{ seq: last_seq + 1, kind: 'setting' }],
      reason: { code: 'waited', params: { timeout_ms: 20, match: '{"kind":"delivery"}', count: 1 } },
    },
  })
})

test('the event stream resumes by Last-Event-ID and keeps to its filter', async () => {
  const { last_seq } = await bench.client.call('overview')
  const { rp } = await cast(bench.client, { account: { name: 'Bo', phone: '13900000000' } })
  await bench.client.call('simulator.register', { params: { rp }, body: { ...ALICE, poll: false } })
  const stop = new AbortController()
  const response = await fetch(`${bench.bench.controlUrl}/events/stream?kind=message,credential`, {
    headers: { ...token(), 'last-event-id': String(last_seq) },
    signal: stop.signal,
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes('"to":"init"')) text += (await reader?.read())?.value ?? ''
  stop.abort()
  const kinds = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '').kind)
  expect(kinds).toEqual(['message'])
})

test('closing a workspace ends its event streams', async () => {
  await bench.client.call('workspaces.create', { body: { id: 'short' } })
  const events = bench.client.workspace('short').events({ after: 0, retry: async () => false })
  await events.next()
  const rest = (async () => {
    for await (const event of events) if (event.kind === 'workspace' && event.change === 'closed') return 'told'
    return 'ended'
  })()
  await bench.client.call('workspaces.close', { params: { id: 'short' } })
  expect(['told', 'ended']).toContain(await rest)
})

test('an RP whose keys are all disabled has nothing to sign with', async () => {
  const rp = await bench.client.call('rps.create', { body: { name: 'Keyless', rp_id: 'keyless.example' } })
  const refused = bench.client.call('simulator.register', { params: { rp: rp.id }, body: ALICE })
  await expect(refused).rejects.toMatchObject({ code: 40902 })
})

test('a wait for what comes after an event that is yet to come has seen no others', async () => {
  const body = { match: { kind: 'message' }, after: 1_000_000, timeout_ms: 1 }
  const answer = await send({ method: 'POST', path: '/wait', headers: json(), body: JSON.stringify(body) })
  expect(answer.json).toMatchObject({ code: 40905, data: { count: 0, came: [] } })
})
