import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startTestBench, type TestBench } from '../support/bench.ts'
import { makeSoftKey, registrationResponse } from '../support/service/soft-key.ts'
import { type Callers, callersOf, hostOf } from './callers.ts'
import { bind, type Device, good, KEY, openRegistration, seedData, signIn } from './cast.ts'
import { listenOn } from './listen-on.ts'
import { requestBytes, type WireRequest } from './wire.ts'

/** Whatever comes over a socket: the right code, or the end of the connection, and nothing is lost. */
let bench: TestBench
let port: number
let callers: Callers
let phone: Device
/** A message that waits for the phone, and a good answer to it: what the strange requests must leave as it is. */
let waiting: { readonly id: string; readonly response: unknown }

beforeEach(async () => {
  bench = await startTestBench({ seed: 1, seedData })
  port = bench.bench.port
  callers = callersOf({ port, token: bench.bench.token, key: KEY })
  phone = await signIn(callers, 'Li Wei')
  const id = await openRegistration(callers, 'u1')
  waiting = { id, response: registrationResponse(makeSoftKey(), await bind(callers, phone, id)) }
})
afterEach(async () => {
  const answer = callers.app(phone.token, 'POST', `/messages/${waiting.id}/attestation`, { response: waiting.response })
  expect((await callers.send(answer)).json.data).toEqual({ status: 'success', error: '' })
  await bench.close()
  expect(bench.log.filter(({ level }) => level === 'error')).toEqual([])
})

const text = (octets: string): Buffer => Buffer.from(octets, 'latin1')
const host = () => `Host: ${hostOf(port)}\r\n`
const RESULT = '/fido/rp/attestation/result'
const OPTIONS = '/fido/rp/attestation/options'
/** What comes back: the codes of the answers in their order, then whether the connection ended. */
const heard = async (octets: Uint8Array, how?: Parameters<typeof listenOn>[2]) => {
  const { answers, ended } = await listenOn(port, octets, how)
  return [...answers.map(({ status, json }) => json?.code ?? status), ended]
}
const signed = (body: string | Uint8Array): WireRequest =>
  callers.signedBytes('POST', '/rp/attestation/options', Buffer.from(body))

describe('what is no HTTP', () => {
  test.each<[string, Buffer]>([
    ['a TLS greeting', Buffer.from('16030100c8010000c40303', 'hex')],
    ['the greeting of HTTP/2', text('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
    ['an SSH banner', text('SSH-2.0-OpenSSH_9.6\r\n\r\n')],
    ['a line of nothing', text('\0\0\0\0\r\n\r\n')],
    ['a megabyte of 0xff', Buffer.alloc(2 ** 20, 255)],
    ['a request of HTTP/0.9', text('GET /fido\r\n\r\n')],
    ['JSON', text('{"user_id":"u1"}\n\n')],
  ])('%s is told so, and the connection ends', async (_what, octets) => {
    expect(await heard(octets)).toEqual([40005, 'ended'])
  })

  test('nothing at all, and then the end: the connection ends', async () => {
    expect(await heard(Buffer.alloc(0), { end: true })).toEqual(['ended'])
  })
})

describe('large and deep bodies', () => {
  test('ten megabytes announced are refused before they come', async () => {
    const head = `POST ${OPTIONS} HTTP/1.1\r\n${host()}Content-Length: 10485760\r\n\r\n`
    expect(await heard(text(head))).toEqual([41301, 'ended'])
  })

  test('ten megabytes that come all the same are refused, or cut', async () => {
    const big = signed(Buffer.alloc(10 * 2 ** 20, 32))
    const [code = 41301, ended] = (await heard(requestBytes(big))).slice(-2)
    expect([code, ended]).toEqual([41301, 'ended'])
  })

  test('ten megabytes in chunks are refused', async () => {
    const chunk = `10000\r\n${' '.repeat(0x1_0000)}\r\n`
    const head = `POST ${OPTIONS} HTTP/1.1\r\n${host()}Transfer-Encoding: chunked\r\n\r\n`
    expect(await heard(text(head + chunk.repeat(160)))).toEqual([41301, 'ended'])
  })

  test('ten megabytes of spaces are not JSON where a picture may come, and too much elsewhere', async () => {
    const spaces = (path: string) =>
      requestBytes({ ...callers.control('POST', path, {}), body: Buffer.alloc(10 * 2 ** 20, 32) })
    expect(await heard(spaces('/phones/p/scan'))).toEqual([40001, 'open'])
    expect(await heard(spaces('/phones'))).toEqual([41301, 'ended'])
  })

  test.each<[string, string, number]>([
    ['sixty thousand brackets', '['.repeat(60_000), 40001],
    ['sixty thousand objects', '{"a":'.repeat(12_000), 40001],
    ['33 levels', `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`, 40001],
    ['half a surrogate pair', '{"user_id":"\\ud800","username":"u"}', 40001],
    ['half a surrogate pair as a name', '{"\\udfff":1,"user_id":"u","username":"u"}', 40001],
    ['a member twice', '{"user_id":"u","user_id":"v","username":"u"}', 40001],
    ['UTF-8 that is none', '{"user_id":"\xff","username":"u"}', 40001],
    ['an overlong UTF-8 slash', '{"user_id":"\xc0\xaf","username":"u"}', 40001],
    ['a surrogate as three octets', '{"user_id":"\xed\xa0\x80","username":"u"}', 40001],
    ['a byte order mark', '\xef\xbb\xbf{"user_id":"u","username":"u"}', 40001],
    ['a NUL in a name', '{"user_id":"a\\u0000","username":"u"}', 40002],
    ['a number of a thousand digits', `{"user_id":${'9'.repeat(1000)},"username":"u"}`, 40002],
    ['__proto__ as a member', '{"__proto__":{"user_id":"u"},"username":"u"}', 40003],
  ])('%s', async (_what, body, code) => {
    expect(await heard(requestBytes(signed(Buffer.from(body, 'latin1'))))).toEqual([code, 'open'])
  })
})

describe('headers and targets', () => {
  const get = (target: string, ...headers: readonly string[]) =>
    text(`GET ${target} HTTP/1.1\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`)
  const lines = (request: WireRequest) => request.headers.map(([name, value]) => `${name}: ${value}`)
  const read = () => callers.rp('GET', `/rp/attestation/result?msg_id=${waiting.id}`)

  test.each<[string, number, 'open' | 'ended']>([
    ['Host', 40005, 'open'],
    ['X-Svc-Date', 40105, 'open'],
    ['Authorization', 40102, 'open'],
  ])('%s twice', async (name, code, ended) => {
    const request = read()
    const again = lines(request).filter((line) => line.startsWith(name))
    expect(await heard(get(request.target, ...lines(request), ...again))).toEqual([code, ended])
  })

  test('headers that are not signed may be repeated', async () => {
    const request = read()
    expect(await heard(get(request.target, ...lines(request), 'X-A: 1', 'x-a: 2', 'Cookie: a', 'Cookie: b'))).toEqual([
      0,
      'open',
    ])
  })

  test('not one of many headers is overlooked, as long as they are within the limit', async () => {
    const request = read()
    const many = Array.from({ length: 900 }, () => 'A: b')
    expect(await heard(get(request.target, ...many, ...lines(request)))).toEqual([0, 'open'])
    const [authorization = ''] = lines(request).filter((line) => line.startsWith('Authorization'))
    expect(await heard(get(request.target, ...lines(request), ...many, authorization))).toEqual([40102, 'open'])
  })

  test.each<[string, (line: string) => Buffer, number]>([
    ['headers of 40 KiB', (line) => get(RESULT, line, `X: ${'x'.repeat(40_000)}`), 43101],
    ['2,500 headers', (line) => get(RESULT, line, ...Array.from({ length: 2500 }, () => 'A: b')), 43101],
    ['10,000 headers', (line) => get(RESULT, line, ...Array.from({ length: 10_000 }, (_, i) => `X-${i}: y`)), 43101],
    ['a target of 9 KiB', (line) => get(`${RESULT}?${'x'.repeat(9_000)}`, line), 41401],
    ['a target of a megabyte', (line) => get(`${RESULT}?${'x'.repeat(2 ** 20)}`, line), 41401],
  ])('%s', async (_what, octets, code) => {
    const [first] = await heard(octets(`Host: ${hostOf(port)}`))
    expect(first).toBe(code)
  })

  test.each<[string, number]>([
    ['/%zz', 40401],
    ['/fido/%zz', 40401],
    ['/fido/rp/credentials%00', 40401],
    [`/app/messages/%zz/bind`, 40401],
    [`/app/vault/%ff`, 40401],
    ['/fido/rp/../rp/credentials', 40401],
    ['//fido/rp/credentials', 40401],
    ['/FIDO/rp/credentials', 40401],
    ['/w/../fido', 40401],
    ['/w/nobody/fido/rp/credentials', 40401],
    ['/control/v1/%zz', 40401],
    [`${RESULT}?msg_id=%zz`, 40101],
    ['*', 40005],
  ])('the target %s', async (target, code) => {
    const method = target.startsWith('/app/messages') ? 'POST' : 'GET'
    const line = `${method} ${target} HTTP/1.1\r\n${host()}\r\n`
    expect((await heard(text(line)))[0]).toBe(code)
  })

  test('a signed query with a broken escape is no well-formed request', async () => {
    const request = read()
    const broken = { ...request, target: `${request.target}%zz` }
    expect(await heard(requestBytes(broken))).toEqual([40005, 'open'])
  })
})

describe('half a request', () => {
  /** Everything that would change something, if it were carried out. */
  const changes = (): readonly WireRequest[] => [
    callers.app(phone.token, 'POST', `/messages/${waiting.id}/reject`, {}),
    callers.app(phone.token, 'POST', `/messages/${waiting.id}/attestation`, { response: waiting.response }),
    callers.rp('POST', '/rp/attestation/options', { user_id: 'u2', username: 'u2' }),
    callers.app('', 'POST', '/devices', { account: { name: 'A', phone: '13900000000' }, device_name: 'P' }),
    callers.control('POST', '/rps', { name: 'Other', rp_id: 'other.example', origins: [] }),
  ]
  const shape = async () => (await bench.client.call('overview')).counts

  test.each([
    ['is left and the connection closed', { end: true }],
    ['is left and the connection cut', { cut: true }],
  ])('that %s changes nothing, wherever it breaks off', async (_what, how) => {
    const before = await shape()
    for (const request of changes()) {
      const octets = requestBytes(request)
      const cuts = [1, 10, octets.indexOf('\r\n\r\n'), octets.indexOf('\r\n\r\n') + 4, octets.length - 1]
      for (const cut of cuts) {
        const [code, ended] = (await heard(octets.subarray(0, cut), how)).slice(-2)
        expect(ended ?? code).toBe('ended')
      }
    }
    expect(await shape()).toEqual(before)
  })

  test('an answer that nobody waits for is carried out once, and can be asked for again', async () => {
    const request = callers.app(phone.token, 'POST', `/messages/${waiting.id}/attestation`, {
      response: waiting.response,
    })
    await listenOn(port, requestBytes(request), { cut: true })
    for (let i = 0; i < 3; i++) expect(good(await callers.send(request)).json.data.status).toBe('success')
    const { credentials } = await bench.client.call('credentials.list')
    expect(credentials).toHaveLength(1)
  })
})

describe('many at once on one connection', () => {
  test('two thousand requests in one go are answered in their order', async () => {
    const requests = Array.from({ length: 2000 }, (_, i) =>
      callers.rp('GET', `/rp/attestation/result?msg_id=${i % 2 === 0 ? waiting.id : 'nobody'}`),
    )
    const codes = await heard(Buffer.concat(requests.map(requestBytes)), { answers: 2000 })
    expect(codes).toEqual([...requests.map((_, i) => (i % 2 === 0 ? 0 : 40402)), 'open'])
  })
})
