import { once } from 'node:events'
import { createServer } from 'node:http'
import { beforeEach, expect, it } from 'vitest'
import { realClock } from '../../../src-main/bench/harness/clock.ts'
import { createAppClient } from '../../../src-main/phones/phone/app-client.ts'
import type { PhoneState } from '../../../src-main/phones/phone/phone-state.ts'
import {
  bench,
  breaking,
  type Hinder,
  phoneBenchEachTest,
  refusedAs,
  saying,
  shows,
} from '../../support/phone-bench.ts'
import { listenBriefly } from '../../support/serve-briefly.ts'

phoneBenchEachTest()
let phone: PhoneState
beforeEach(async () => {
  phone = await bench.make({ storage: 'chip' })
})

const refusing = (code: number): Hinder =>
  saying(Math.floor(code / 100), JSON.stringify({ code, data: {}, error: 'No.' }))

const half: Hinder = (req, res) => {
  res.writeHead(200, { 'Content-Length': '100' }).write('{"code":0,')
  setImmediate(() => req.socket.destroy())
  return 'answered'
}

it.each([
  ['another phone was first', refusing(40301), 'bound_elsewhere'],
  ['no such message', refusing(40402), 'message_not_found'],
  ['expired', refusing(41002), 'expired'],
  ['a state of its own', refusing(40902), 'wrong_state'],
  ['a code the phone does not know', refusing(42901), 'service_refused'],
  ['text', saying(200, 'hello'), 'garbled'],
  ['a list', saying(200, '[]'), 'garbled'],
  ['no code', saying(200, '{"data":{},"error":""}'), 'garbled'],
  ['data that is no object', saying(200, '{"code":0,"data":null,"error":""}'), 'garbled'],
  ['octets that are no text', saying(200, '\ud800'), 'garbled'],
  ['a message without public_key', saying(200, '{"code":0,"data":{"kind":"registration"},"error":""}'), 'garbled'],
  ['more than a phone reads', saying(200, `"${'x'.repeat(2 ** 21)}"`), 'garbled'],
  ['nothing at all', breaking, 'unreachable'],
  ['half an answer', half, 'unreachable'],
])('when the service answers a scan with %s, the phone says so', async (_, act, word) => {
  bench.service.hinder(/bind$/, act)
  const { url } = await bench.service.registration()
  expect(await bench.scan(phone, { url })).toMatchObject({ ok: false, error: { word } })
  expect(bench.stateOf(phone.id)).toMatchObject({ prompts: [], screen: { kind: 'problem', word } })
})

it('when the service answers a scan with silence, the phone gives up in the end', async () => {
  bench.service.hinder(/bind$/, () => 'answered')
  const scanning = bench.scan(phone, await bench.service.registration())
  await bench.ringPatience()
  expect(await scanning).toMatchObject(refusedAs('timed_out'))
})

const scan = async () => {
  const message = await bench.scanned(phone, 'registration')
  return { message, ref: bench.asked(phone) }
}

it('an answer whose verdict was lost is sent again as it was, and gets the first verdict', async () => {
  const { message, ref } = await scan()
  bench.service.hinder(/attestation$/, () => 'answer lost')
  expect(await bench.phones.approve(ref)).toMatchObject(refusedAs('unreachable'))
  expect(message.state).toBe('success')
  expect(bench.stateOf(phone.id)).toMatchObject({ prompts: [{}], screen: { kind: 'problem', word: 'unreachable' } })
  expect(await bench.phones.approve(ref)).toMatchObject(shows({ screen: { kind: 'success' } }))
  const bodies = bench.service.calls.filter(({ target }) => target.endsWith('attestation')).map(({ body }) => body)
  expect(new Set(bodies).size).toBe(1)
  expect(bench.stateOf(phone.id).credentials).toHaveLength(1)
})

it.each([
  [40903, 'answered_differently'],
  [41002, 'expired'],
  [40902, 'wrong_state'],
])('an answer refused with %i ends the prompt as %s, and takes the credential back', async (code, word) => {
  const { ref } = await scan()
  bench.service.hinder(/attestation$/, refusing(code))
  expect(await bench.phones.approve(ref)).toMatchObject({ ok: false, error: { word, code } })
  expect(bench.stateOf(phone.id)).toMatchObject({ prompts: [], credentials: [], screen: { kind: 'problem', word } })
})

it('an answer cannot be given offline; online again it can', async () => {
  const { message, ref } = await scan()
  await bench.phones.patch(bench.ref(phone), { network: 'offline' })
  expect(await bench.phones.approve(ref)).toMatchObject(refusedAs('offline'))
  expect(await bench.phones.reject(ref)).toMatchObject(refusedAs('offline'))
  expect(bench.stateOf(phone.id).prompts).toHaveLength(1)
  await bench.phones.patch(bench.ref(phone), { network: 'online' })
  await bench.phones.approve(ref)
  expect(message.state).toBe('success')
})

const changing = (from: string, to: string) => bench.service.hinder(/bind$/, () => (answer) => answer.replace(from, to))
it.each([
  [
    'to algorithms that the phone does not have',
    () => bench.setProfile({ algorithms: ['PS512'] }),
    'unsupported_algorithm',
  ],
  ['for an RP without an origin', () => changing('"https://shop.example"', ''), 'no_origin'],
  ['for an RP ID that is not its origin’s', () => changing('https://shop.', 'https://evil.'), 'cannot_authenticate'],
])('an answer: %s is declined', async (_, prepare, word) => {
  await prepare()
  await bench.phones.patch(bench.ref(phone), { behaviour: { answer: 'approve' } })
  const message = await bench.service.registration()
  expect(await bench.scan(phone, message)).toMatchObject(shows({ screen: { kind: 'refused', word }, credentials: [] }))
  expect(message.error).toBe(word)
})

it.each([
  ['a token that fits no header', '{"device_id":"dev_1","device_token":"a\\nb"}'],
  ['no token', '{"device_id":"dev_1"}'],
  ['no device', '{"device_token":"t"}'],
])('signing in with %s makes no phone', async (_, data) => {
  bench.service.hinder(/devices$/, saying(200, `{"code":0,"data":${data},"error":""}`))
  const made = await bench.phones.create('main', { name: 'Phone B' })
  expect(made).toMatchObject(refusedAs('garbled'))
  expect(bench.storage.phones('main')).toHaveLength(1)
})

it('without a service: no phone can be made', async () => {
  await bench.service.close()
  const made = await bench.phones.create('main', { name: 'Phone B' })
  expect(made).toMatchObject(refusedAs('unreachable'))
  expect(bench.phones.list('main')).toHaveLength(1)
})

it('without a service: a phone that is there signs out all the same', async () => {
  await bench.service.close()
  expect(await bench.phones.signOut(bench.ref(phone))).toMatchObject(shows({ signed_in: false }))
})

it('without a service: commands after close are refused', async () => {
  await bench.phones.close()
  const { url } = await bench.service.registration()
  expect(await bench.scan(phone, { url })).toMatchObject(refusedAs('closed'))
  expect(await bench.phones.create('main', { name: 'B' })).toMatchObject(refusedAs('closed'))
})

it('secrets are in no fact that is told', async () => {
  await bench.phones.patch(bench.ref(phone), { behaviour: { answer: 'approve' } })
  await bench.scan(phone, await bench.service.registration())
  await bench.scan(phone, await bench.service.authentication())
  const stored = JSON.parse(bench.storage.phones('main')[0]?.json ?? '') as {
    account: { secret: string; phone: string }
    device: { token: string }
  }
  const [kept] = bench.storage.chip({ workspace: 'main', phoneId: phone.id })
  const { credential } = JSON.parse(kept?.json ?? '') as { credential: { privateKey: { d: string } } }
  const told = JSON.stringify([bench.facts, bench.phones.list('main')])
  for (const secret of [stored.account.secret, stored.account.phone, stored.device.token, credential.privateKey.d]) {
    expect(secret.length).toBeGreaterThan(5)
    expect(told).not.toContain(secret)
  }
})

it('a connection that the service is about to close is closed by the phones before', async () => {
  const server = createServer((_, response) =>
    response.setHeader('Keep-Alive', 'timeout=2').end('{"code":0,"data":{},"error":""}'),
  )
  // This server itself never closes one.
  server.keepAliveTimeout = 0
  const port = await listenBriefly(server)
  const connected = once(server, 'connection')
  const client = createAppClient(realClock)
  expect(await client.exchange({ method: 'GET', url: `http://127.0.0.1:${port}/` })).toMatchObject({ ok: true })
  const [socket] = await connected
  await once(socket, 'close')
  client.close()
})
