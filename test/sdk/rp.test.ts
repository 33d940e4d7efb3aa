import { Agent, request as httpRequest } from 'node:http'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { startHandset } from '../../src-main/sdk/index.ts'
import { createRpClient, exchange, explainMismatch, type RpClient } from '../../src-main/sdk/rp-client.ts'
import { signRequest } from '../../src-main/sdk/sign-request.ts'
import { openWorkspaces } from '../support/open-workspaces.ts'
import { serveBriefly } from '../support/serve-briefly.ts'
import { taken } from '../support/taken.ts'

const { shared } = openWorkspaces()
const clients: RpClient[] = []
afterAll(() => {
  for (const client of clients) client.close()
})

const client = (more: Partial<Parameters<typeof createRpClient>[0]> = {}): RpClient => {
  const { baseUrl, rp } = shared.bench.bench
  const made = createRpClient({
    baseUrl,
    accessKeyId: rp?.accessKeyId ?? '',
    secretKey: rp?.secretKey ?? '',
    now: () => Date.now(),
    ...more,
  })
  clients.push(made)
  return made
}

test('signed headers go out as UTF-8, and the service computes the same from them', async () => {
  const { baseUrl, rp } = shared.bench.bench
  const { host, hostname, port, pathname } = new URL(baseUrl)
  const target = `${pathname}/rp/credentials?user_id=u`
  const headers = [['X-Note', ' Zoë  中\t'] as const, ['X-Empty', ''] as const]
  const key = { accessKeyId: rp?.accessKeyId ?? '', secretKey: rp?.secretKey ?? '' }
  const signed = taken(signRequest({ method: 'GET', host, target, body: new Uint8Array(0), headers }, key, Date.now()))
  expect(signed.canonicalRequest).toContain('\nx-note:Zoë 中\n')
  const status = await new Promise((resolve) => {
    const sent = httpRequest({ hostname, port, path: target, headers: signed.headers.flat(), setHost: false })
    sent.on('response', (response) => resolve(response.resume().statusCode)).end()
  })
  expect(status).toBe(200)
})

const listed = (rp: RpClient) => rp.credentials('u')
type Unsent = readonly [string, Partial<Parameters<typeof createRpClient>[0]>, (rp: RpClient) => Promise<object>]
const UNSENT: readonly Unsent[] = [
  ['an identifier with a newline', { scopeIdentifier: 'a\nb' }, listed],
  ['an access key ID beyond ASCII', { accessKeyId: 'schlüssel' }, listed],
  ['a secret that is no Unicode', { secretKey: '\udfff' }, listed],
  ['a user ID that is no Unicode', {}, (rp) => rp.credentials('\ud800')],
  ['a message ID that is no Unicode', {}, (rp) => rp.registrationResult('\ud800')],
  ['a path beyond ASCII', {}, (rp) => rp.send('GET', '/rp/café')],
  ['a method that is no word', {}, (rp) => rp.send('GET /', '/rp/credentials')],
]
test.each(UNSENT)('%s cannot be sent: a refusal that says so, and nothing is thrown', async (_, options, call) => {
  const answer = await call(client(options))
  const problem = { code: expect.stringMatching(/^not_(unicode|signable)$/) }
  expect(answer).toMatchObject({ ok: false, error: { code: 0, httpStatus: 0, problem } })
  expect(JSON.stringify(answer)).not.toContain('dfff')
})

test.each([
  ['X-Note', 'a\r\nX-Evil: 1', 'header_value'],
  ['X-Note', 'a\u0000b', 'header_value'],
  ['X-Note', '\ud800', 'header_value'],
  ['X Note', 'a', 'header_name'],
  ['X-Nöte', 'a', 'header_name'],
  ['', 'a', 'header_name'],
])('the header %j: %j is refused by the signer', (name, value, code) => {
  expect(signRequest({ ...request, headers: [[name, value]] }, key, 0)).toMatchObject({ ok: false, error: { code } })
})

test('what cannot be signed is a code, and never repeats the secret', () => {
  const problemOf = (change: object, other: object = {}) =>
    signRequest({ ...request, ...change }, { ...key, ...other }, 0)
  const refused = [
    problemOf({ host: 'café' }),
    problemOf({ method: 'GET /' }),
    problemOf({ target: '/a b' }),
    problemOf({ target: '/a?b=%zz' }),
    ...['a/b', ''].map((accessKeyId) => problemOf({}, { accessKeyId })),
    ...['a,b', '\ud800'].map((scopeIdentifier) => problemOf({}, { scopeIdentifier })),
    problemOf({}, { secretKey: 'hush\ud800' }),
  ]
  const ids = ['access_key_id', 'access_key_id', 'scope_identifier', 'scope_identifier']
  const codes = ['host', 'method', 'target', 'query', ...ids, 'secret_key']
  expect(refused).toMatchObject(codes.map((code) => ({ ok: false, error: { code } })))
  expect(JSON.stringify(refused)).not.toContain('hush')
})

test.each([
  ['a refusal', {}, { code: 40403, httpStatus: 404 }],
  ['a wrong secret', { secretKey: 'wrong' }, { code: 40104, problem: { code: 'signed_alike' } }],
  [
    'a service that is not there',
    { baseUrl: 'http://127.0.0.1:9/fido' },
    { code: 0, httpStatus: 0, problem: { code: 'not_answered' } },
  ],
])('%s is a value with its code', async (_, options, error) => {
  const answer = await client(options).authenticate({ user_id: 'nobody', username: 'x', method: 'qrcode' })
  expect(answer).toMatchObject({ ok: false, error })
})

test('an answer that is not JSON is a refusal, and one that never comes is too', async () => {
  const baseUrl = await serveBriefly((request, response) => {
    if (request.url?.includes('html')) response.end('<html>')
  })
  expect(await client({ baseUrl }).send('GET', '/html')).toMatchObject({
    ok: false,
    error: { code: 0, httpStatus: 200, problem: { code: 'answer_no_envelope', params: { status: 200 } } },
  })
  const hasty = client({ baseUrl, timeoutMs: 50 })
  expect(await hasty.send('GET', '/silence')).toMatchObject({
    ok: false,
    error: { code: 0, httpStatus: 0, problem: { code: 'answer_late', params: { ms: 50 } } },
  })
})

test('a path that HTTP does not have is an error, and leaves no timer', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const before = timers()
  const to = { base: new URL('http://127.0.0.1:1'), agent: new Agent(), timeoutMs: 600_000 }
  const asked = exchange({ ...to, method: 'GET', target: '/a\tb', headers: [], body: new Uint8Array(0) })
  expect(timers()).toBe(before)
  await expect(asked).rejects.toThrow('unescaped characters')
})

test.each([
  ['goes on too long', 1, { timeoutMs: 50 }, { code: 'answer_late', params: { ms: 50 } }],
  ['is too large', 64 * 1024, {}, { code: 'answer_too_large', params: { bytes: 8_388_608 } }],
])('an answer that %s is a refusal, although something comes all the time', async (_, bytes, options, problem) => {
  const piece = Buffer.alloc(bytes, ' ')
  const baseUrl = await serveBriefly((_request, response) => {
    const send = (): void => {
      if (response.destroyed) return
      response.write(piece)
      setImmediate(send)
    }
    send()
  })
  const rp = client({ baseUrl, ...options })
  expect(await rp.credentials('u')).toMatchObject({ ok: false, error: { code: 0, httpStatus: 0, problem } })
})

const begun = (rp: RpClient) => rp.register({ user_id: 'u', username: 'x' })
test.each([
  ['a list of credentials', '5', listed, { field: 'total', got: 'nothing' }],
  ['a list of credentials', '{"total":1,"list":null}', listed, { field: 'list', got: 'null' }],
  ['a list of credentials', '{"total":1,"list":{}}', listed, { field: 'list', got: 'object' }],
  ['a list of credentials', '{"total":1,"list":[null]}', listed, { field: 'list', got: 'list' }],
  ['the address of a message', '{"url":1}', begun, { field: 'url', expected: 'string', got: 'number' }],
])('%s that is none, in %s, is a refusal that names the field', async (_, data, call, params) => {
  const baseUrl = await serveBriefly((_, response) => void response.end(`{"code":0,"data":${data},"error":""}`))
  const problem = { code: 'answer_unfit', params }
  expect(await call(client({ baseUrl }))).toMatchObject({ ok: false, error: { code: 0, httpStatus: 200, problem } })
})

test('connections are kept open', async () => {
  const sockets = new Set<unknown>()
  const baseUrl = await serveBriefly((request, response) => {
    sockets.add(request.socket)
    response.end('{"code":0,"data":{},"error":""}')
  })
  const rp = client({ baseUrl })
  for (let i = 0; i < 5; i++) await rp.send('GET', '/x')
  expect(sockets.size).toBe(1)
})

const request = {
  method: 'GET',
  host: 'localhost:7420',
  target: '/fido/rp/credentials?user_id=1',
  body: new Uint8Array(0),
}
const key = { accessKeyId: 'ak_1', secretKey: 's' }

test('the first difference is named', () => {
  const { canonicalRequest: signed } = taken(signRequest(request, key, 0))
  const changed = (from: string, to: string) => explainMismatch(signed, signed.replace(from, to))
  expect(explainMismatch(signed, signed)).toEqual({ code: 'signed_alike' })
  expect(changed('GET', 'POST')).toEqual({
    code: 'signed_otherwise',
    params: { part: 'method', signed: 'GET', computed: 'POST' },
  })
  const partOf = (from: string, to: string) => changed(from, to) as { readonly params: object }
  expect(partOf('/fido/rp', '/rp').params).toMatchObject({ part: 'path' })
  expect(partOf('user_id=1', 'user_id=2').params).toMatchObject({ part: 'query' })
  expect(partOf('localhost:7420', 'proxy').params).toMatchObject({ part: 'header', header: 'host' })
  expect(partOf('host;x-svc-date', 'host').params).toMatchObject({ part: 'signed_headers' })
  expect(partOf('e3b0', 'ffff').params).toMatchObject({ part: 'body_hash' })
})

const ADA = { user_id: 'u-1', username: 'ada' }
const delivery = (msg_id: string) => shared.handset.waitFor({ kind: 'delivery', msg_id }, { after: 0 })

test('an RP polls until the result is final, through refusals that pass', async () => {
  const [rp, phone] = [await shared.handset.rp(), await shared.handset.phone()]
  const message = await rp.register(ADA)
  await shared.handset.conditions.set({ rp: { fail_next: 2, lose_next: 0 } })
  const result = message.verified({ intervalMs: 1 })
  await shared.handset.waitFor({ kind: 'exchange', response: { code: 0 } }, { after: await shared.handset.lastSeq() })
  await phone.scan(message.url)
  await phone.approve()
  expect(await result).toMatchObject({ status: 'success' })
  expect(await delivery(message.msg_id)).toMatchObject({ msg_id: message.msg_id })
})

test('a status that there is not ends no polling', async () => {
  const [rp, phone] = [await shared.handset.rp(), await shared.handset.phone()]
  const message = await rp.register({ user_id: 'u-7', username: 'bob' })
  await shared.handset.service.arm('status-unknown', { scope: { user_id: 'u-7' } })
  const result = message.verified({ intervalMs: 1 })
  await shared.handset.waitFor({ kind: 'exchange', msg_id: message.msg_id, response: { code: 0 } }, { after: 0 })
  await phone.scan(message.url)
  await phone.approve()
  expect(await result).toMatchObject({ status: 'success' })
})

test('polling ends when its signal says so, and the result stays to be read', async () => {
  const [rp, phone] = [await shared.handset.rp(), await shared.handset.phone()]
  const message = await rp.register(ADA)
  const stop = new AbortController()
  const cancelled = message.result({ signal: stop.signal, intervalMs: 600_000 })
  stop.abort(new Error('enough'))
  await expect(cancelled).rejects.toThrow('enough')
  await phone.scan(message.url)
  await phone.approve()
  await expect(message.result({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
  expect(await message.result()).toMatchObject({ status: 'success' })
  await expect(message.result()).rejects.toMatchObject({ name: 'RpError', code: 41001 })
})

test('an RP lists and deletes the credentials of a user', async () => {
  const rp = await shared.handset.rp()
  const user_id = 'ü 1&=+/?#'
  await shared.handset.phone({ passkeys: [{ user_id }] })
  const [credential] = await rp.credentials(user_id)
  expect(await rp.deleteCredentials(user_id, [credential?.credential_id ?? ''])).toBe(1)
  expect(await rp.credentials(user_id)).toEqual([])
})

test('with fake timers an RP signs with the real time, polls, and phones wait, as without', async () => {
  vi.useFakeTimers({ now: 0 })
  onTestFinished(() => void vi.useRealTimers())
  const handset = await startHandset()
  onTestFinished(() => handset.close())
  const rp = await handset.rp()
  const lease = await handset.lease({ name: 'A test with fake timers' })
  const phone = await lease.phone({ passkeys: [{ user_id: 'u-1' }] })
  const message = await rp.signIn({ user_id: 'u-1', username: 'u-1', method: 'push' })
  const result = message.verified({ intervalMs: 10 })
  await handset.waitFor({ kind: 'exchange', interface: 'rp' }, { after: await handset.lastSeq() })
  await phone.waitForPush()
  await phone.approve()
  expect(await result).toMatchObject({ status: 'success' })
  await expect(phone.waitForPush({ timeoutMs: 20 })).rejects.toMatchObject({ name: 'WaitError' })
  await lease.end()
  expect(Date.now()).toBe(0)
})
