import { afterAll, beforeAll, expect, it, test } from 'vitest'
import type { BenchEvent } from '../../../src-main/core/contract/events.ts'
import { createControlClient } from '../../../src-main/sdk/client.ts'
import { createRpClient, type RpClient } from '../../../src-main/sdk/rp-client.ts'
import { ALICE, cast, register } from '../../support/bench.ts'
import { benchOfFile } from '../../support/open-workspaces.ts'

const bench = benchOfFile()
let rp: string
let made: Awaited<ReturnType<typeof cast>>
let own: RpClient
beforeAll(async () => {
  made = await cast(bench.client)
  rp = made.rp
  const { key, secret } = await bench.client.call('keys.create', { params: { rp }, body: {} })
  own = createRpClient({ baseUrl: bench.bench.baseUrl, accessKeyId: key.id, secretKey: secret, now: Date.now })
})
afterAll(() => own.close())

/** Who asked for the RP's calls that came after this event, oldest first. */
const askers = async (after: number): Promise<readonly (string | undefined)[]> => {
  const { events } = await bench.client.call('events.list', { query: { after, kind: 'exchange' } })
  return (events as readonly BenchEvent[]).flatMap((event) =>
    event.kind === 'exchange' && event.interface === 'rp' ? [event.asked_by] : [],
  )
}

const seq = async () => (await bench.client.call('overview')).last_seq
const params = () => ({ rp })
const signIn = { user_id: 'nobody', username: 'nobody', method: 'qrcode', poll: false } as const

it('a call of the simulator carries the word of its caller, also when it is refused', async () => {
  const after = await seq()
  const body = { ...ALICE, poll: false, asked_by: 'page-one' } as const
  const { msg_id } = await bench.client.call('simulator.register', { params: params(), body })
  await bench.client.call('simulator.poll', { params: { rp, msg_id }, body: {} })
  const refused = bench.client.call('simulator.sign-in', {
    params: params(),
    body: { ...signIn, asked_by: 'page-two' },
  })
  await expect(refused).rejects.toMatchObject({ code: 40403 })
  expect(await askers(after)).toEqual(['page-one', 'page-one', 'page-two'])
})

it('a call that another client signs with a key of the same RP carries no word', async () => {
  const after = await seq()
  await own.register(ALICE)
  await fetch(`${bench.bench.baseUrl}/rp/credentials?user_id=alice`)
  expect(await askers(after)).toEqual([undefined, undefined])
})

it('a call of the simulator without a word says that the control interface asked, unlike the same request of another client', async () => {
  const after = await seq()
  await bench.client.call('simulator.credentials', { params: params(), query: { user_id: 'alice' } })
  const { events } = await bench.client.call('events.list', { query: { after, kind: 'exchange' } })
  const [first] = events as readonly BenchEvent[]
  if (first?.kind !== 'exchange') throw new Error('there is no exchange')
  const headers = first.request.headers.filter(([name]) => !/^(host|connection)$/i.test(name))
  const { origin } = new URL(bench.bench.baseUrl)
  const again = await fetch(origin + first.request.target, { headers: headers.map(([...pair]) => pair) })
  expect(again.status).toBe(200)
  expect(await askers(after)).toEqual(['control', undefined])
})

it('a word that could not stand in an event is refused', async () => {
  const asked = bench.client.call('simulator.credentials', {
    params: params(),
    query: { user_id: 'alice', asked_by: 'two words' },
  })
  await expect(asked).rejects.toMatchObject({ code: 40002 })
})

const LOOKALIKE = 'https://meridian-login.example'

const stage = async () => {
  const { client } = bench
  const rp = await client.call('rps.create', { body: { name: 'Meridian Bank', rp_id: 'meridian.example' } })
  await client.call('keys.create', { params: { rp: rp.id }, body: {} })
  const phone = await client.call('phones.create', { body: { name: 'Alice', storage: 'chip' } })
  const user = { user_id: 'alice', username: 'Alice', poll: false }
  const params = { id: phone.id }
  const scan = (url: string, seen_on?: string) =>
    client.call('phones.scan', { params, body: { url, ...(seen_on === undefined ? {} : { seen_on }) } })
  const approve = () => client.call('phones.approve', { params, body: {} })
  const register = () => client.call('simulator.register', { params: { rp: rp.id }, body: user })
  const signIn = () => client.call('simulator.sign-in', { params: { rp: rp.id }, body: { ...user, method: 'qrcode' } })
  const message = (id: string) => client.call('messages.get', { params: { id } })
  return { scan, approve, register, signIn, message }
}

it('a relayed code shows both sites, is signed for the page that showed it, and fails by its origin alone', async () => {
  const { scan, approve, register, signIn, message } = await stage()
  await scan((await register()).url)
  await approve()
  const { url, msg_id } = await signIn()
  const { screen } = await scan(url, LOOKALIKE)
  expect(screen).toMatchObject({ prompt: { origin: LOOKALIKE, rp: { origins: ['https://meridian.example'] } } })
  expect(await approve()).toMatchObject({ screen: { kind: 'refused', word: 'origin_mismatch' } })
  const { state, error, verdict } = await message(msg_id)
  expect({ state, error: error.split(':')[0] }).toEqual({ state: 'fail', error: 'origin_mismatch' })
  const failed = verdict?.steps.filter(({ outcome }) => outcome === 'failed')
  expect(failed?.map(({ word }) => word)).toEqual(['origin_mismatch'])

  const honest = await signIn()
  await scan(honest.url, 'https://meridian.example')
  await approve()
  expect(await message(honest.msg_id)).toMatchObject({ state: 'success' })
})

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`

/** Each call of this client belongs to the trace. */
const traced = (traceparent: string) =>
  createControlClient({
    controlUrl: bench.bench.controlUrl,
    token: bench.bench.token,
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init?.headers, traceparent } }),
  })

const exchangesSince = async (after: number) =>
  (await bench.client.call('events.list', { query: { after, kind: 'exchange' } })).events.flatMap((event) =>
    event.kind === 'exchange' ? [{ side: event.interface, traceparent: event.traceparent }] : [],
  )

test('[serve.log] what a command makes the RP and the phones call belongs to the command’s trace, in events and in the log', async () => {
  const { last_seq } = await bench.client.call('overview')
  const from = bench.log.length
  await register(traced(TRACEPARENT), made)
  const lines = bench.log.slice(from).filter(({ event }) => /^(rp|app|control) request$/.test(event))
  const exchanges = await exchangesSince(last_seq)
  expect(new Set(exchanges.map(({ side }) => side))).toEqual(new Set(['rp', 'app']))
  expect(new Set(exchanges.map(({ traceparent }) => traceparent))).toEqual(new Set([TRACEPARENT]))
  expect(new Set(lines.map(({ trace_id }) => trace_id))).toEqual(new Set([TRACE]))
})

test('a command in no trace, or in one that is none, brings none with it', async () => {
  const { last_seq } = await bench.client.call('overview')
  await register(traced('00-nonsense-01'), made)
  expect(new Set((await exchangesSince(last_seq)).map(({ traceparent }) => traceparent))).toEqual(new Set([undefined]))
})
