import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Body } from '../../src-main/contract/control/routes.ts'
import type { ExchangeFact } from '../../src-main/contract/events.ts'
import { ALICE, cast, codeOf, startTestBench, type TestBench } from '../support/bench.ts'

let bench: TestBench
let rp: string
/** A registration that the demo RP asked for, signed as it should be. */
let honest: string
let secret: string

const lastSeq = async (): Promise<string> => {
  const { events } = await bench.client.call('events.list', { query: { kind: 'exchange', limit: 1, latest: true } })
  return String(events[0]?.seq)
}

const eventOf = async (seq: number | undefined): Promise<ExchangeFact & { readonly seq: number }> => {
  const { events } = await bench.client.call('events.list', { query: { after: Number(seq) - 1, limit: 1 } })
  const [event] = events
  if (event?.kind !== 'exchange') throw new Error(`${seq} is no exchange`)
  return event
}

const resend = (body: Body<'events.resend'> = {}, seq = honest) =>
  bench.client.call('events.resend', { params: { seq }, body })

beforeAll(async () => {
  bench = await startTestBench({ seed: 24 })
  rp = (await cast(bench.client)).rp
  await bench.client.call('simulator.register', { params: { rp }, body: { ...ALICE, poll: false } })
  honest = await lastSeq()
  const { access_key_id: key = '' } = await eventOf(Number(honest))
  secret = (await bench.client.call('keys.reveal', { params: { rp, key }, body: {} })).secret
})
afterAll(() => bench.close())

it('a request that is sent again is signed again, accepted, and says what it came from', async () => {
  const again = await resend()
  expect(again).toMatchObject({ status: 200, code: 0 })
  const event = await eventOf(again.seq)
  expect(event.resent).toEqual({ from: Number(honest), edited: [], signing: 'anew' })
  expect(event.rp_id).toBe(rp)
  expect((await eventOf(Number(honest))).resent).toBeUndefined()
})

it.each([
  ['before_edits', 40104],
  ['other_secret', 40104],
  ['unknown_key', 40103],
  ['old_date', 40106],
  ['no_date', 40105],
  ['none', 40101],
] as const)('signed wrong on purpose (%s), it is refused with %i', async (signing, code) => {
  const body = JSON.stringify({ ...ALICE, username: 'mallory' })
  const again = await resend({ signing, body })
  expect(again).toMatchObject({ status: 401, code })
  expect((await eventOf(again.seq)).resent).toEqual({ from: Number(honest), edited: ['body'], signing })
  expect(JSON.stringify(again)).not.toContain(secret)
})

it('with its old signature it is accepted while nothing is edited, and refused when something is', async () => {
  expect(await resend({ signing: 'kept' })).toMatchObject({ code: 0 })
  expect(await resend({ signing: 'kept', body: '{}' })).toMatchObject({ code: 40104 })
})

it('method, path, query, headers and body are edited, and what the original signed is signed again', async () => {
  const got = await resend({ method: 'GET', target: '/fido/rp/credentials?user_id=u%2D1', body: '', headers: [] })
  expect(got).toMatchObject({ status: 200, code: 0 })
  const { request, resent } = await eventOf(got.seq)
  expect(request).toMatchObject({ method: 'GET', target: '/fido/rp/credentials?user_id=u%2D1', body: '' })
  expect(resent?.edited).toEqual(['method', 'target', 'headers', 'body'])
  const wrong = await resend({ headers: [{ name: 'Content-Type', value: 'text/plain; note="é中"' }] })
  expect(wrong).toMatchObject({ status: 415 })
  const { headers } = (await eventOf(wrong.seq)).request
  expect(headers).toContainEqual(['Content-Type', Buffer.from('text/plain; note="é中"').toString('latin1')])
})

it('the secret is in no answer and no event', async () => {
  const { events } = await bench.client.call('events.list', { query: { limit: 10_000 } })
  expect(JSON.stringify(events)).not.toContain(secret)
})

describe('what cannot be sent is refused before anything is', () => {
  const refusedWith = async (body: unknown, seq = honest): Promise<number> => {
    const before = (await bench.client.call('overview')).last_seq
    const code = await codeOf(resend(body as Body<'events.resend'>, seq))
    expect((await bench.client.call('overview')).last_seq).toBe(before)
    return code
  }

  it.each([
    ['another host', { target: 'http://example.com/fido/rp/credentials' }],
    ['another host without a scheme', { target: '//example.com/fido/rp/credentials' }],
    ['the control interface', { target: '/control/v1/rps' }],
    ['another workspace', { target: '/w/other/fido/rp/credentials' }],
    ['a path that leads out', { target: '/fido/rp/../../control/v1/rps' }],
    ['an encoded path that leads out', { target: '/fido/rp/%2E%2e/m' }],
    ['a page of the service', { target: '/fido/m' }],
    ['a header about the connection', { headers: [{ name: 'Transfer-Encoding', value: 'chunked' }] }],
    ['a length', { headers: [{ name: 'content-length', value: '3' }] }],
    ['a header of two lines', { headers: [{ name: 'X-A', value: 'a\r\nX-B: b' }] }],
    ['a header without a name', { headers: [{ name: '', value: 'a' }] }],
    ['a method that opens a tunnel', { method: 'CONNECT' }],
    ['a body over the limit', { body: 'x'.repeat(128 * 1024 + 1) }],
    ['an unknown way of signing', { signing: 'twice' }],
    ['a query that cannot be signed', { target: '/fido/rp/credentials?user_id=%zz' }],
  ])('%s', async (_, body) => {
    expect(await refusedWith(body)).toBe(40002)
  })

  it('a key that is not there', async () => {
    expect(await refusedWith({ access_key_id: 'ak_nobody' })).toBe(40404)
  })

  it('an event that is no longer kept, and one that is no RP’s request', async () => {
    expect(await refusedWith({}, '999999')).toBe(40404)
    const { events } = await bench.client.call('events.list', { query: { kind: 'exchange' } })
    const ofApp = events.find((event) => event.kind === 'exchange' && event.interface === 'app')
    expect(await refusedWith({}, String(ofApp?.seq))).toBe(40902)
  })

  it('a call far over every limit', async () => {
    expect(await refusedWith({ body: '\u0001'.repeat(300 * 1024) })).toBe(41301)
  })
})

it('a body over the service’s own limit arrives there and is refused there', async () => {
  const again = await resend({ body: JSON.stringify({ ...ALICE, note: 'x'.repeat(70_000) }) })
  expect(again).toMatchObject({ status: 413, code: 41301 })
})

it('an answer that breaks off is said to have broken off, and its exchange is there', async () => {
  await bench.client.call('conditions.patch', { body: { rp: { lose_next: 1 } } })
  const again = await resend()
  expect(again).toMatchObject({ status: 0, code: 0, unanswered: { code: 'not_answered' } })
  expect((await eventOf(again.seq)).conditions).toMatchObject({ lost: true })
})
