import { expect, onTestFinished, test } from 'vitest'
import type { ExchangeFact } from '../../src-main/core/contract/events.ts'
import type { RecordedExchange } from '../../src-main/service/forward/recorded-answers.ts'
import { ALICE, cast, register, startTestBench, type TestBench } from '../support/bench.ts'
import { checkService, FEWER_CASES, notPassed, TWO_RPS } from '../support/check-service.ts'
import { rpAt, startProxy, startTarget } from '../support/proxy.ts'
import { serveBriefly } from '../support/serve-briefly.ts'
import { refused, taken } from '../support/taken.ts'

const exchangesOf = async ({ client }: TestBench) => {
  const { events } = await client.call('events.list', { query: { kind: 'exchange' } })
  return events.filter(
    (event): event is typeof event & ExchangeFact & { kind: 'exchange' } => event.kind === 'exchange',
  )
}

/** A real service behind a proxy that has its key and its phones. */
const startBoth = async () => {
  const target = await startTarget()
  const { baseUrl, appUrl } = target.bench
  const proxy = await startProxy({ baseUrl, appUrl })
  return { target, proxy, rp: rpAt(proxy.bench.baseUrl) }
}

test('the cases of handset check pass through it, general form and short', async () => {
  const target = await startTestBench({ seedData: { rps: TWO_RPS, phones: [] } })
  onTestFinished(target.close)
  const proxy = await startTestBench({
    seedData: { rps: TWO_RPS, phones: [] },
    forward: { baseUrl: target.bench.baseUrl, appUrl: target.bench.appUrl, patienceMs: 5_000, keyed: true },
  })
  onTestFinished(proxy.close)
  const cases = await checkService({ baseUrl: proxy.bench.baseUrl, appUrl: proxy.bench.appUrl }, { cases: FEWER_CASES })
  const review = /^review a-url-is-the-base-url/
  expect(notPassed(cases).filter((line) => !line.startsWith('skipped') && !review.test(line))).toEqual([])
  expect(cases.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThanOrEqual(150)
})

test('phones of the bench sign in at the service behind it, by codes that name it otherwise than --target', async () => {
  const target = await startTarget()
  const [baseUrl, appUrl] = [target.bench.baseUrl, target.bench.appUrl].map((url) =>
    url.replace('localhost', '127.0.0.1'),
  )
  const proxy = await startProxy({ baseUrl: `${baseUrl}`, appUrl: `${appUrl}` })
  const who = await cast(proxy.client)
  const result = await register(proxy.client, who)
  expect(result.status).toBe('success')
  const credentials = await target.client.call('credentials.list', { query: {} })
  expect(credentials.credentials.map(({ user_id }) => user_id)).toEqual([ALICE.user_id])
})

test('what passes is an exchange like one of the bench, with the key, the scope and the message it is about', async () => {
  const { proxy, rp } = await startBoth()
  const message = taken(await rp.register(ALICE))
  taken(await rp.registrationResult(message.msg_id))
  const [begun, polled] = await exchangesOf(proxy)
  expect(begun).toMatchObject({
    interface: 'rp',
    ...{ access_key_id: 'proxied', scope: 'fido-server/', msg_id: message.msg_id },
    request: { method: 'POST', target: '/fido/rp/attestation/options', route: '/fido/rp/attestation/options' },
    response: { status: 200, code: 0 },
  })
  expect(begun?.request.headers).toContainEqual(['Host', new URL(proxy.bench.baseUrl).host])
  expect(polled).toMatchObject({ msg_id: message.msg_id, request: { method: 'GET' } })
})

test('what a poll says of a message is told once as what happened to it, whatever a fault makes of it', async () => {
  const { proxy, rp } = await startBoth()
  const who = await cast(proxy.client)
  const message = taken(await rp.register(ALICE))
  taken(await rp.registrationResult(message.msg_id))
  await proxy.client.call('phones.scan', { params: { id: who.phone }, body: { url: message.url } })
  await proxy.client.call('service.arm', { body: { fault: 'status-empty', times: 1 } })
  const path = `/rp/attestation/result?msg_id=${message.msg_id}`
  expect(taken(await rp.send('GET', path))).toMatchObject({ status: '' })
  expect(taken(await rp.send('GET', path))).toMatchObject({ status: 'bind' })
  await proxy.client.call('phones.approve', { params: { id: who.phone }, body: {} })
  taken(await rp.registrationResult(message.msg_id))
  const { events } = await proxy.client.call('events.list', { query: { kind: 'message,delivery' } })
  const rps = await proxy.client.call('rps.list')
  expect(events).toMatchObject([
    { kind: 'message', to: 'init', ...ALICE, ceremony: 'registration', rp_id: rps.rps[0]?.id, url: message.url },
    { kind: 'message', from: 'init', to: 'bind', svc_user: expect.stringContaining('Alice') },
    { kind: 'message', from: 'bind', to: 'success' },
    { kind: 'delivery', msg_id: message.msg_id, state: 'success' },
  ])
  expect(await exchangesOf(proxy)).toEqual(
    expect.arrayContaining([expect.objectContaining({ msg_id: message.msg_id, answered_by: 'target' })]),
  )
})

test('a refused signature is explained, for what the RP signed and not for what was passed on', async () => {
  const { proxy } = await startBoth()
  const wrong = rpAt(proxy.bench.baseUrl, { secretKey: 'quite another secret than the one it has' })
  expect(refused(await wrong.credentials('u-1'))).toMatchObject({ code: 40104 })
  const [exchange] = await exchangesOf(proxy)
  const explained = await proxy.client.call('events.signature', { params: { seq: String(exchange?.seq) } })
  expect(explained.outcome).toBe('unexplained')
})

test('a request that comes too late is signed again, so that the service says what it thinks of the time', async () => {
  const { proxy } = await startBoth()
  const late = rpAt(proxy.bench.baseUrl, { now: () => Date.now() - 3_600_000 })
  expect(refused(await late.credentials('u-1'))).toMatchObject({ code: 40106 })
})

test('a service that speaks https is reached by the certificates that are given, and by no other', async () => {
  const target = await startTarget({ tls: 'generated' })
  const { baseUrl, authority = '' } = target.bench
  const proxy = await startProxy({ baseUrl, ca: authority })
  expect(taken(await rpAt(proxy.bench.baseUrl).credentials('u-1'))).toMatchObject({ total: 0 })
  const stranger = await startProxy({ baseUrl })
  expect(refused(await rpAt(stranger.bench.baseUrl).credentials('u-1'))).toMatchObject({
    code: 50201,
    error: expect.stringContaining('CERT'),
  })
})

test('a request by another key than the one that is known keeps its Host', async () => {
  const target = await startTestBench({ seedData: { rps: TWO_RPS, phones: [] } })
  onTestFinished(target.close)
  const proxy = await startProxy({ baseUrl: target.bench.baseUrl })
  const [, two] = TWO_RPS
  const other = rpAt(proxy.bench.baseUrl, { accessKeyId: 'two', secretKey: two?.keys[0]?.secret ?? '' })
  expect(taken(await other.credentials('u-1'))).toMatchObject({ total: 0 })
})

test('with the key the path may be another one, too', async () => {
  const target = await startTarget()
  const proxy = await startProxy({ baseUrl: target.bench.baseUrl, prefix: '/somewhere/else' })
  expect(taken(await rpAt(proxy.bench.baseUrl).credentials('u-1'))).toMatchObject({ total: 0 })
})

test('a service whose paths begin with /rp is reached as well', async () => {
  const asked: (string | undefined)[] = []
  const origin = await serveBriefly((request, response) => {
    asked.push(request.url)
    response.end('{"code":0,"data":{"total":0,"list":[]},"error":""}')
  })
  const proxy = await startProxy({ baseUrl: origin, prefix: '' })
  expect(taken(await rpAt(proxy.bench.baseUrl).credentials('u-1'))).toMatchObject({ total: 0 })
  expect(asked).toEqual(['/rp/credentials?user_id=u-1'])
  const [exchange] = await exchangesOf(proxy)
  expect(exchange?.request.route).toBe('/rp/credentials')
})

test('a fault strikes what the real service answers, and the event has both', async () => {
  const { proxy, rp, target } = await startBoth()
  const who = await cast(proxy.client)
  await register(proxy.client, who)
  await proxy.client.call('service.arm', { body: { fault: 'list-of-another', times: 1 } })
  expect(taken(await rp.credentials(ALICE.user_id)).total).toBe(2)
  expect(taken(await rp.credentials(ALICE.user_id)).total).toBe(1)
  const struck = (await exchangesOf(proxy)).findLast(({ faults }) => faults !== undefined)
  expect(struck?.faults?.map(({ fault }) => fault)).toEqual(['list-of-another'])
  expect(JSON.parse(struck?.honest?.body ?? '')).toMatchObject({ data: { total: 1 } })
  const heard = (await exchangesOf(target)).at(-2)
  expect(JSON.parse(heard?.response.body ?? '')).toMatchObject({ data: { total: 1 } })
})

test('a fault that does something else than it was asked asks the real service for that, signed again', async () => {
  const { proxy, rp } = await startBoth()
  const who = await cast(proxy.client)
  await register(proxy.client, who)
  const [held] = taken(await rp.credentials(ALICE.user_id)).list
  await proxy.client.call('service.arm', { body: { fault: 'deletion-not-done', times: 1 } })
  const what = { user_id: ALICE.user_id, credential_ids: [held?.credential_id ?? ''] }
  expect(taken(await rp.deleteCredentials(what))).toEqual({ total: 1 })
  expect(taken(await rp.credentials(ALICE.user_id)).total).toBe(1)
  expect(taken(await rp.deleteCredentials(what))).toEqual({ total: 1 })
  expect(taken(await rp.credentials(ALICE.user_id)).total).toBe(0)
})

test('a fault that would have to sign is left armed where there is no key', async () => {
  const target = await startTarget()
  const proxy = await startProxy({ baseUrl: target.bench.baseUrl, keyed: false })
  await proxy.client.call('service.arm', { body: { fault: 'deletion-not-done', times: 1 } })
  const deleted = await rpAt(proxy.bench.baseUrl).deleteCredentials({ user_id: 'u-1', credential_ids: ['YQ'] })
  expect(taken(deleted)).toEqual({ total: 0 })
  const { faults } = await proxy.client.call('service.faults')
  expect(faults.map(({ left }) => left)).toEqual([1])
})

test('conditions refuse calls before they reach the service, and lose answers behind it', async () => {
  const { proxy, rp, target } = await startBoth()
  await proxy.client.call('conditions.put', { body: { rp: { fail_next: 1, fail_code: 50301 } } })
  expect(refused(await rp.credentials('u-1'))).toMatchObject({ code: 50301 })
  expect(await exchangesOf(target)).toEqual([])
  await proxy.client.call('conditions.put', { body: { rp: { lose_next: 1 } } })
  expect(refused(await rp.credentials('u-1'))).toMatchObject({ code: 0 })
  expect(await exchangesOf(target)).toHaveLength(1)
  expect(taken(await rp.credentials('u-1'))).toMatchObject({ total: 0 })
})

test('conditions of one user are for the polls of that user’s messages, too', async () => {
  const { proxy, rp } = await startBoth()
  const [mine, other] = [taken(await rp.register(ALICE)), taken(await rp.register({ user_id: 'u-2', username: 'bob' }))]
  await proxy.client.call('conditions.put', {
    body: { scope: { user_id: ALICE.user_id }, rp: { fail_next: 1, fail_code: 50301 } },
  })
  expect(taken(await rp.registrationResult(other.msg_id))).toMatchObject({ status: 'init' })
  expect(refused(await rp.registrationResult(mine.msg_id))).toMatchObject({ code: 50301 })
})

test('without --app-url a phone is told so', async () => {
  const target = await startTarget()
  const proxy = await startProxy({ baseUrl: target.bench.baseUrl })
  const answer = await fetch(`${proxy.bench.appUrl}/inbox`)
  expect(await answer.json()).toMatchObject({ code: 40401, error: expect.stringContaining('--app-url') })
})

const recordingOf = async (proxy: TestBench): Promise<readonly RecordedExchange[]> =>
  (await exchangesOf(proxy)).filter((each) => each.interface === 'rp')

test('what was recorded is answered without the service, in order, and with an expiry that lies ahead', async () => {
  const { proxy, rp } = await startBoth()
  const who = await cast(proxy.client)
  await register(proxy.client, who)
  const message = taken(await rp.authenticate({ ...ALICE, method: 'qrcode' }))
  expect(taken(await rp.authenticationResult(message.msg_id)).status).toBe('init')
  await proxy.client.call('phones.scan', { params: { id: who.phone }, body: { url: message.url } })
  await proxy.client.call('phones.approve', { params: { id: who.phone }, body: {} })
  expect(taken(await rp.authenticationResult(message.msg_id)).status).toBe('success')
  const aged = (await recordingOf(proxy)).map((each) => ({ ...each, wall: each.wall - 86_400_000 }))

  const replay = await startProxy({ recorded: aged })
  const again = rpAt(replay.bench.baseUrl)
  const replayed = taken(await again.authenticate({ ...ALICE, method: 'qrcode' }))
  expect(replayed.msg_id).toBe(message.msg_id)
  expect(replayed.expires_at - message.expires_at).toBeGreaterThanOrEqual(86_400)
  const statuses = []
  for (let n = 0; n < 3; n++) statuses.push(taken(await again.authenticationResult(replayed.msg_id)).status)
  expect(statuses).toEqual(['init', 'success', 'success'])
  expect(new Set((await exchangesOf(replay)).map((each) => each.answered_by))).toEqual(new Set(['recording']))

  expect(
    refused(await again.authenticate({ user_id: 'somebody-else', username: 'x', method: 'qrcode' })),
  ).toMatchObject({ code: 40401, error: expect.stringContaining('POST /rp/assertion/options') })
  const wrong = rpAt(replay.bench.baseUrl, { secretKey: 'quite another secret than the one it has' })
  expect(refused(await wrong.authenticate({ ...ALICE, method: 'qrcode' }))).toMatchObject({ code: 40104 })
})

test('what was not recorded goes to the service', async () => {
  const { proxy, rp, target } = await startBoth()
  taken(await rp.credentials('u-1'))
  const both = await startProxy({ recorded: await recordingOf(proxy), baseUrl: target.bench.baseUrl })
  const mixed = rpAt(both.bench.baseUrl)
  taken(await mixed.credentials('u-1'))
  taken(await mixed.credentials('u-2'))
  expect((await exchangesOf(target)).map((each) => each.request.target.split('=')[1])).toEqual(['u-1', 'u-2'])
})

test('a request that is sent again goes the way of every request of the proxy: to its target, signed for it', async () => {
  const target = await startTarget()
  const proxy = await startProxy({ baseUrl: target.bench.baseUrl, appUrl: target.bench.appUrl })
  taken(await rpAt(proxy.bench.baseUrl).register(ALICE))
  const { events } = await proxy.client.call('events.list', { query: { kind: 'exchange' } })
  const params = { seq: String(events[0]?.seq) }
  const again = await proxy.client.call('events.resend', { params, body: {} })
  expect(again).toMatchObject({ status: 200, code: 0 })
  const [last] = (await proxy.client.call('events.list', { query: { after: Number(again.seq) - 1, limit: 1 } })).events
  expect(last).toMatchObject({ answered_by: 'target', resent: { from: events[0]?.seq } })
  const wrong = await proxy.client.call('events.resend', { params, body: { signing: 'other_secret' } })
  expect(wrong).toMatchObject({ status: 401, code: 40104 })
  expect((await target.client.call('messages.list', { query: {} })).messages).toHaveLength(2)
})
