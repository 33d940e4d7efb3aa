import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Data } from '../../src-main/sdk/client.ts'
import { startTestBench, type TestBench } from '../support/bench.ts'
import { authenticationResponse, makeSoftKey, registrationResponse } from '../support/service/soft-key.ts'
import { type Callers, callersOf } from './callers.ts'
import * as world from './cast.ts'
import type { WireAnswer } from './wire.ts'

/** Everything arrives in the same instant, over sockets, at a whole bench; then everybody must tell the same story. */
let bench: TestBench
let callers: Callers
let phone: world.Device

beforeEach(async () => {
  bench = await startTestBench({ seed: 1, seedData: world.seedData })
  callers = callersOf({ port: bench.bench.port, token: bench.bench.token, key: world.KEY })
  phone = await world.signIn(callers, 'Li Wei')
})
afterEach(async () => {
  await bench.close()
  expect(bench.log.filter(({ level }) => level === 'error')).toEqual([])
})

const codes = (answers: readonly WireAnswer[]): readonly number[] =>
  answers.map(({ status, json }) => json?.code ?? status)
const count = <T>(values: readonly T[], value: T): number => values.filter((one) => one === value).length
const message = (msg_id: string): Promise<Data<'messages.get'>> =>
  bench.client.call('messages.get', { params: { id: msg_id } })
const events = async (kind: string, msg_id: string) =>
  (await bench.client.call('events.list', { query: { kind, msg_id, limit: 10_000 } })).events as unknown as readonly {
    readonly to?: string
    readonly state?: string
    readonly device_id?: string
  }[]
const attest = (id: string, response: unknown, device = phone) =>
  callers.app(device.token, 'POST', `/messages/${id}/attestation`, { response })
const assertion = (id: string, response: unknown, device = phone) =>
  callers.app(device.token, 'POST', `/messages/${id}/assertion`, { response })

const finished = async (): Promise<string> => {
  const id = await world.openRegistration(callers, 'u1')
  const response = registrationResponse(makeSoftKey(), await world.bind(callers, phone, id))
  world.good(await callers.send(attest(id, response)))
  return id
}

test('[messages.one-reader] reading a result: of 200 readers in one instant exactly one gets it, and the control interface saw one delivery', async () => {
  const id = await finished()
  const read = callers.rp('GET', `/rp/attestation/result?msg_id=${id}`)
  const heard = await callers.all(Array.from({ length: 200 }, () => read))
  const got = heard.filter(({ json }) => json.code === 0)
  expect(got.map(({ json }) => json.data.status)).toEqual(['success'])
  expect(count(codes(heard), 41001)).toBe(199)
  expect((await events('delivery', id)).map(({ state }) => state)).toEqual(['success'])
  expect(await message(id)).toMatchObject({ state: 'success', delivered_at: expect.any(Number) })
})

test('scanning: of 50 phones in one instant one binds, the others are refused, and the one can still finish', async () => {
  const phones = await Promise.all(Array.from({ length: 50 }, (_, i) => world.signIn(callers, `P${i}`)))
  const id = await world.openRegistration(callers, 'u1')
  const heard = await callers.all(phones.map(({ token }) => callers.app(token, 'POST', `/messages/${id}/bind`, {})))
  expect([count(codes(heard), 0), count(codes(heard), 40301)]).toEqual([1, 49])
  const winner = heard.findIndex(({ json }) => json.code === 0)
  const device = phones[winner] as world.Device
  expect(await message(id)).toMatchObject({ state: 'bind', device: device.id })
  expect((await events('message', id)).map(({ to, device_id }) => [to, device_id])).toEqual([
    ['init', undefined],
    ['bind', device.id],
  ])
  const response = registrationResponse(makeSoftKey(), heard[winner]?.json.data.public_key)
  expect((await callers.send(attest(id, response, device))).json.data).toEqual({ status: 'success', error: '' })
})

const bound = async (user_id: string) => {
  const id = await world.openAuthentication(callers, user_id)
  return { id, options: await world.bind(callers, phone, id) }
}
const final = async (id: string) =>
  (await events('message', id)).flatMap(({ to = '' }) => (['init', 'bind'].includes(to) ? [] : [to]))

test('answering: an answer that races the expiry ends in exactly one of the two, a hundred times, and everybody says so', async () => {
  const key = await world.registered(callers, phone, 'u1')
  const alone = await bound('u1')
  const started = performance.now()
  world.good(await callers.send(assertion(alone.id, authenticationResponse(key, alone.options))))
  const took = performance.now() - started
  const ends: string[] = []
  for (let round = 0; round < 100; round++) {
    const { id, options } = await bound('u1')
    const poll = callers.rp('GET', `/rp/assertion/result?msg_id=${id}`)
    const contest = [
      assertion(id, authenticationResponse(key, options)),
      callers.control('POST', '/clock/advance', { ms: 180_000 }),
      poll,
    ]
    // Each order of the three, and the first one ahead by anything from nothing to twice what an answer takes, or to its end.
    const first = round % 3
    const order = [first, (first + 1 + (round % 2)) % 3, (first + 2 - (round % 2)) % 3]
    const heard = await callers.all(
      order.flatMap((i) => contest[i] ?? []),
      { lead: round % 10 === 9 ? 'answered' : ((round % 10) / 4) * took },
    )
    const [answer, moved, polled] = [0, 1, 2].map((i) => heard[order.indexOf(i)]) as [
      WireAnswer,
      WireAnswer,
      WireAnswer,
    ]
    world.good(moved)
    const { state } = await message(id)
    ends.push(state)
    expect(codes([answer])).toEqual([state === 'success' ? 0 : 41002])
    expect(await final(id)).toEqual([state])
    // The poll in between saw it open, or as it ended; a success that it saw is not told again.
    const seen = world.good(polled).json.data.status
    expect(['bind', state]).toContain(seen)
    const again = (await callers.send(poll)).json
    if (state === 'timeout') expect(again.data.status).toBe('timeout')
    else expect(again.code).toBe(seen === 'success' ? 41001 : 0)
  }
  expect(new Set(ends)).toEqual(new Set(['success', 'timeout']))
})

test.each([
  ['right', {}, 'success', /^$/],
  ['wrong', { challenge: 'AAAA' }, 'fail', /^challenge_mismatch: /],
] as const)(
  'answering: the same %s answer 30 times in one instant: one verdict, told 30 times',
  async (_, change, end, error) => {
    const key = await world.registered(callers, phone, 'u1')
    const { id, options } = await bound('u1')
    const upload = assertion(id, authenticationResponse(key, { ...options, ...change }))
    const heard = await callers.all(Array.from({ length: 30 }, () => upload))
    expect(new Set(heard.map(({ text }) => text)).size).toBe(1)
    expect(heard[0]?.json.data).toEqual({ status: end, error: expect.stringMatching(error) })
    expect(await events('verdict', id)).toHaveLength(1)
    expect(await final(id)).toEqual([end])
  },
)

test('answering: right and wrong answers and rejections in one instant: the first of them, and only that', async () => {
  const key = await world.registered(callers, phone, 'u1')
  for (let round = 0; round < 10; round++) {
    const { id, options } = await bound('u1')
    const three = [
      assertion(id, authenticationResponse(key, options)),
      assertion(id, authenticationResponse(key, options, { origin: 'https://evil.example' })),
      callers.app(phone.token, 'POST', `/messages/${id}/reject`, {}),
    ]
    const heard = await callers.all(three.map((_, i) => three[(i + round) % 3] as (typeof three)[number]))
    expect([count(codes(heard), 0), count(codes(heard), 40903)]).toEqual([1, 2])
    const { state } = await message(id)
    expect(heard.find(({ json }) => json.code === 0)?.json.data.status).toBe(state)
    expect(await final(id)).toEqual([state])
  }
})

test('answering: one counter for ten messages in one instant signs in once', async () => {
  const key = await world.registered(callers, phone, 'u1')
  const waiting = await Promise.all(Array.from({ length: 10 }, () => bound('u1')))
  const heard = await callers.all(
    waiting.map(({ id, options }) => assertion(id, authenticationResponse(key, options, { counter: 7 }))),
  )
  const told = heard.map(({ json }) => (json.data.status === 'success' ? 'success' : json.data.error.split(':')[0]))
  expect([count(told, 'success'), count(told, 'counter_regression')]).toEqual([1, 9])
})

test('answering: one new credential for ten messages in one instant is registered once', async () => {
  const key = makeSoftKey()
  const ids = await Promise.all(Array.from({ length: 10 }, (_, i) => world.openRegistration(callers, `new ${i}`)))
  const uploads = await Promise.all(
    ids.map(async (id) => attest(id, registrationResponse(key, await world.bind(callers, phone, id)))),
  )
  const heard = await callers.all(uploads)
  const told = heard.map(({ json }) => json.data.status)
  expect([count(told, 'success'), count(told, 'fail')]).toEqual([1, 9])
  expect((await bench.client.call('credentials.list')).credentials).toHaveLength(1)
})

const options = (user_id: string, as?: { accessKeyId: string; secretKey: string }) =>
  callers.rp('POST', '/rp/attestation/options', { user_id, username: user_id }, as)

const makeRp = async () => {
  const rp = await bench.client.call('rps.create', {
    body: { name: 'Fleeting', rp_id: 'shop.example', origins: ['https://shop.example'] },
  })
  const made = await bench.client.call('keys.create', { params: { rp: rp.id }, body: {} })
  return { rp: rp.id, key: { accessKeyId: made.key.id, secretKey: made.secret } }
}

test('taking things away in the middle: an RP: requests under way are carried out or refused, and nothing of it is left', async () => {
  const { rp, key } = await makeRp()
  const gone = callers.control('DELETE', `/rps/${rp}`)
  const requests = (name: string) => many(60, (i) => options(`${name}${i}`, key))
  const heard = await callers.all([...requests('a'), gone, ...requests('b')])
  expect(codes(heard).filter((code) => code !== 0 && code !== 40103)).toEqual([])
  expect((await bench.client.call('messages.list', { query: { limit: 1000 } })).messages).toEqual([])
})

test('taking things away in the middle: a phone that signs out while it answers: the answer counts or the phone is a stranger', async () => {
  const key = await world.registered(callers, phone, 'u1')
  for (let round = 0; round < 10; round++) {
    const device = await world.signIn(callers, `guest ${round}`)
    const id = await world.openAuthentication(callers, 'u1')
    const answer = assertion(id, authenticationResponse(key, await world.bind(callers, device, id)), device)
    const leave = callers.app(device.token, 'DELETE', '/devices/self')
    const [first, second] = await callers.all(round % 2 === 0 ? [answer, leave] : [leave, answer])
    const told = (round % 2 === 0 ? first : second) as WireAnswer
    expect([0, 40110]).toContain(told.json.code)
    expect((await message(id)).state).toBe(told.json.code === 0 ? 'success' : 'bind')
    expect(codes([await callers.send(answer)])).toEqual([40110])
  }
})

test('taking things away in the middle: a workspace: it answers or does not exist, and the same name begins empty', async () => {
  await bench.client.call('workspaces.create', { body: { id: 'brief' } })
  const inside = bench.client.workspace('brief')
  const rp = (await inside.call('rps.list')).rps[0]?.id ?? ''
  const made = await inside.call('keys.create', { params: { rp }, body: {} })
  const key = { accessKeyId: made.key.id, secretKey: made.secret }
  const there = callersOf({ port: bench.bench.port, token: bench.bench.token, key, workspace: 'brief' })
  const request = (i: number) => there.rp('POST', '/rp/attestation/options', { user_id: `u${i}`, username: 'u' })
  const arrival = (i: number) =>
    there.app('', 'POST', '/devices', { account: { name: 'A', phone: `138${1000 + i}` }, device_name: 'P' })
  const heard = await callers.all([
    ...many(60, (i) => (i % 2 === 0 ? request(i) : arrival(i))),
    callers.control('DELETE', '/workspaces/brief'),
    ...many(60, (i) => (i % 2 === 0 ? request(i) : arrival(60 + i))),
  ])
  expect(codes(heard).filter((code) => ![0, 40103, 40110, 40401].includes(code))).toEqual([])
  expect(codes([await callers.send(request(1))])).toEqual([40401])
  await bench.client.call('workspaces.create', { body: { id: 'brief' } })
  expect((await inside.call('overview')).counts).toMatchObject({ messages: 0, credentials: 0, accounts: 0 })
  expect((await inside.call('devices.list')).devices).toEqual([])
})

const many = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i))
