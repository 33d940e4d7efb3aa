import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startTestBench, type TestBench } from '../support/bench.ts'
import { makeSoftKey, registrationResponse } from '../support/service/soft-key.ts'
import { type Callers, callersOf } from './callers.ts'
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
/** What comes back: the codes of the answers in their order, then whether the connection ended. */
const heard = async (octets: Uint8Array, how?: Parameters<typeof listenOn>[2]) => {
  const { answers, ended } = await listenOn(port, octets, how)
  return [...answers.map(({ status, json }) => json?.code ?? status), ended]
}
const signed = (body: string | Uint8Array): WireRequest =>
  callers.signedBytes('POST', '/rp/attestation/options', Buffer.from(body))

describe('large and deep bodies', () => {
  test('ten megabytes that come all the same are refused, or cut', async () => {
    const big = signed(Buffer.alloc(10 * 2 ** 20, 32))
    const [code = 41301, ended] = (await heard(requestBytes(big))).slice(-2)
    expect([code, ended]).toEqual([41301, 'ended'])
  })

  test('ten megabytes of spaces are not JSON where a picture may come, and too much elsewhere', async () => {
    const spaces = (path: string) =>
      requestBytes({ ...callers.control('POST', path, {}), body: Buffer.alloc(10 * 2 ** 20, 32) })
    expect(await heard(spaces('/phones/p/scan'))).toEqual([40001, 'open'])
    expect(await heard(spaces('/phones'))).toEqual([41301, 'ended'])
  })
})

describe('headers and targets', () => {
  const get = (target: string, ...headers: readonly string[]) =>
    text(`GET ${target} HTTP/1.1\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`)
  const lines = (request: WireRequest) => request.headers.map(([name, value]) => `${name}: ${value}`)
  const read = () => callers.rp('GET', `/rp/attestation/result?msg_id=${waiting.id}`)

  test('not one of many headers is overlooked, as long as they are within the limit', async () => {
    const request = read()
    const many = Array.from({ length: 900 }, () => 'A: b')
    expect(await heard(get(request.target, ...many, ...lines(request)))).toEqual([0, 'open'])
    const [authorization = ''] = lines(request).filter((line) => line.startsWith('Authorization'))
    expect(await heard(get(request.target, ...lines(request), ...many, authorization))).toEqual([40102, 'open'])
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
    const parts = changes().flatMap((request) => {
      const octets = requestBytes(request)
      const cuts = [1, 10, octets.indexOf('\r\n\r\n'), octets.indexOf('\r\n\r\n') + 4, octets.length - 1]
      return cuts.map((cut) => octets.subarray(0, cut))
    })
    for (const answer of await Promise.all(parts.map((part) => heard(part, how)))) expect(answer.at(-1)).toBe('ended')
    expect(await shape()).toEqual(before)
  })

  test('an answer without a reader is carried out once, and can be asked for again', async () => {
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
