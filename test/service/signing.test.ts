import { createHash, createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import type { LogLine } from '../../src-main/core/protocol/log.ts'
import { createSettings } from '../../src-main/service/settings/settings.ts'
import { hmacSha256 } from '../../src-main/service/signing/authenticate.ts'
import { findMistake } from '../../src-main/service/signing/explain-request.ts'
import { openSqlite } from '../../src-main/service/store/open-store.ts'
import { sqliteStore } from '../../src-main/service/store/sqlite/sqlite-store.ts'
import { diceOf } from '../robustness/dice.ts'
import { ask } from '../support/service/raw-http.ts'
import { type Call, rpClient, type Signing, svcDate } from '../support/service/rp-client.ts'
import { rp, running, serveEachTest, shop } from '../support/service/serve-each-test.ts'
import { startService } from '../support/service/start-service.ts'
import { taken } from '../support/taken.ts'

const wall = { now: Date.UTC(2026, 2, 4, 5, 6, 7) }
const log: LogLine[] = []
serveEachTest({ wall, log })

/** Lists nobody's credentials: the plainest request there is. */
const goodRequest: Call = { method: 'GET', target: '/rp/credentials?user_id=u1' }

const code = async (call: Call): Promise<number> => (await rp.call(call)).json.code
const codeSigned = (sign: Partial<Signing>): Promise<number> => code({ ...goodRequest, sign })
const codeSent = (send: Call['send'] & object): Promise<number> => code({ ...goodRequest, send })
const inSeconds = (seconds: number) => ({ date: svcDate(wall.now + seconds * 1000) })
const set = async (part: object) => taken(await running.admin.profile.patch('main', part))
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** What else is malformed, the parsers' own tests and the cases of `handset check` say. */
const refusals: readonly (readonly [string, number, () => Promise<number>])[] = [
  ['two Authorizations', 40102, () => code({ ...goodRequest, headers: [['Authorization', 'Bearer x']] })],
  ['[interface.signature] another method', 40104, () => codeSigned({ method: 'POST' })],
  ['[signing.skew] 301 s too early', 40106, () => codeSigned(inSeconds(-301))],
  ['[signing.skew] 300 s too early', 0, () => codeSigned(inSeconds(-300))],
  ['[signing.skew] 300 s too late', 0, () => codeSigned(inSeconds(300))],
  ['[signing.skew] 301 s too late', 40106, () => codeSigned(inSeconds(301))],
]

test.each(refusals)('[signing.own-codes] [interface.authorization] a request with %s is %i', async (_, expected, ask) =>
  expect(await ask()).toBe(expected),
)

test('[signing.forms] both forms are accepted, and each can be switched off: 40102', async () => {
  await set({ authorization_forms: ['general'] })
  expect([await codeSigned({ form: 'general' }), await codeSigned({ form: 'short' })]).toEqual([0, 40102])
  await set({ authorization_forms: ['short'] })
  expect([await codeSigned({ form: 'general' }), await codeSigned({ form: 'short' })]).toEqual([40102, 0])
})

const signedAs = (identifier: string) => codeSigned({ form: 'short', scope: `fido-server/${identifier}` })

test('[signing.forms] [signing.short] both forms are accepted: the short form signs with no identifier, the key’s ID, the day, the RP’s ID or its RP ID', async () => {
  for (const identifier of ['', shop.key.id, '20260304', shop.rp.id, shop.rp.rp_id]) {
    expect([identifier, await signedAs(identifier)]).toEqual([identifier, 0])
  }
  for (const identifier of ['other', '20260303', ' ', `${shop.key.id}/`]) {
    expect([identifier, await signedAs(identifier)]).toEqual([identifier, 40104])
  }
})

test('[signing.forms] [signing.short] both forms are accepted, and with what the profile names, in UTF-8', async () => {
  await set({ short_form_identifiers: ['eu-west-1', 'café, 中/2', '20260303'] })
  // Named or not, a date is the day.
  const codes = ['eu-west-1', 'café, 中/2', '20260303'].map(signedAs)
  expect(await Promise.all(codes)).toEqual([0, 0, 40104])
})

test('[signing.forms] [signing.short] [rps.keys] both forms are accepted: every active key of the workspace is tried, and the one that verifies is the caller', async () => {
  const other = await running.makeRp('main', 'Other')
  const body = { user_id: 'u', username: 'u' }
  const call: Call = { method: 'POST', target: '/rp/attestation/options', body, sign: { form: 'short' } }
  const codeOf = async () => (await rpClient(running, other).call(call)).json.code
  expect(await codeOf()).toBe(0)
  expect(taken(await running.admin.messages.list('main'))).toMatchObject([{ rp: other.rp.id }])
  taken(await running.admin.accessKeys.patch('main', other.key.id, { state: 'disabled' }))
  expect(await codeOf()).toBe(40104)
})

test('[addresses.host] the Host header counts exactly as it was sent, with its port', async () => {
  const sent = 'Shop.example:99'
  expect(await codeSent({ host: sent })).toBe(40104)
  const headers = [
    ['Host', sent],
    ['X-Svc-Date', svcDate(wall.now)],
  ] as const
  expect(await code({ ...goodRequest, send: { host: sent }, sign: { headers } })).toBe(0)
})

test('[clock.skew] the date is judged by real time, or by the clock of the workspace', async () => {
  const bench = svcDate(running.clock.now())
  expect(await codeSigned({ date: bench })).toBe(40106)
  await set({ skew_clock: 'bench' })
  expect([await codeSigned({ date: bench }), await codeSigned({})]).toEqual([0, 40106])
})

test('[signing.date-unsigned] the date need not be signed, unless the profile wants it', async () => {
  expect(await codeSigned({ signedHeaders: ['host'] })).toBe(0)
  await set({ require_signed_date: true })
  expect([await codeSigned({ signedHeaders: ['host'] }), await codeSigned({})]).toEqual([40105, 0])
})

test('[signing.raw-bytes] octets that are no UTF-8 are signed as they are', async () => {
  const rawBody = Uint8Array.of(0x7b, 0xff, 0xc3, 0x7d)
  const call: Call = { method: 'POST', target: '/rp/attestation/options', rawBody }
  expect(await code(call)).toBe(40001)
  expect(await code({ ...call, sign: { payload: Buffer.from(rawBody).toString('utf8') } })).toBe(40104)
})

test.each(['user_id=%zz', '%zz=1'])('[signing.query] a percent sign without an octet is 40005: %s', async (query) => {
  expect(await code({ method: 'GET', target: `/rp/credentials?${query}`, sign: { query: '' } })).toBe(40005)
})

test('[signing.canonical-uri] the path counts as on the request line, and encoded once more under canonical_uri: encoded', async () => {
  const odd = await startService({ wall, prefix: '/v1/fido:d%20(2)' })
  const client = rpClient(odd, await odd.makeRp())
  const signedAs = async (path: string) => (await client.call({ ...goodRequest, sign: { path } })).json.code
  const [asSent, encoded] = ['/v1/fido:d%20(2)/rp/credentials', '/v1/fido%3Ad%2520%282%29/rp/credentials']
  expect([await signedAs(asSent), await signedAs(encoded)]).toEqual([0, 40104])
  taken(await odd.admin.profile.patch('main', { canonical_uri: 'encoded' }))
  expect([await signedAs(asSent), await signedAs(encoded)]).toEqual([40104, 0])
  await odd.stop()
})

test('[rps.keys] a disabled key is 40103, and works again when it is enabled', async () => {
  const patch = (state: 'active' | 'disabled') => running.admin.accessKeys.patch('main', shop.key.id, { state })
  taken(await patch('disabled'))
  expect(await code(goodRequest)).toBe(40103)
  taken(await patch('active'))
  expect(await code(goodRequest)).toBe(0)
})

test('[rps.keys] several keys may be active, and deleting one leaves the other', async () => {
  const second = taken(await running.admin.accessKeys.create('main', shop.rp.id))
  expect(await codeSigned({ accessKeyId: second.id, secret: second.secret })).toBe(0)
  taken(await running.admin.accessKeys.delete('main', second.id))
  expect(await codeSigned({ accessKeyId: second.id, secret: second.secret })).toBe(40103)
  expect(await code(goodRequest)).toBe(0)
})

const explained = (sign: Partial<Signing> = {}) => rp.call({ ...goodRequest, sign: { secret: 'wrong', ...sign } })

test('[signing.explain] [interface.canonical-request] a mismatch explains itself with both texts as the service computed them', async () => {
  const { data } = (await explained()).json
  const date = svcDate(wall.now)
  const headers = `host:localhost:${running.port}\nx-svc-date:${date}\n\nhost;x-svc-date`
  const canonical = `GET\n/fido/rp/credentials\nuser_id=u1\n${headers}\n${sha256('')}`
  expect(data.canonical_request).toBe(canonical)
  expect(data.strings_to_sign).toEqual([`SVC-HMAC-SHA256\n${date}\nfido-server/\n${sha256(canonical)}`])
})

test('[signing.explain] [interface.canonical-request] [interface.canonical-query] [interface.canonical-headers] [interface.string-to-sign] [interface.signature] a mismatch explains itself: a request written out by hand is accepted', async () => {
  const key = taken(await running.admin.accessKeys.create('main', shop.rp.id, { id: 'k1', secret: 'top secret' }))
  const body = '{"credential_ids": []}'
  const canonical = `DELETE
/fido/rp/credentials
a=&b=1&b=2&user_id=%E6%9D%8E%20%2B~
content-type:application/json
host:localhost:${running.port}
x-a:one two,three
x-svc-date:20260304T050607Z

content-type;host;x-a;x-svc-date
${sha256(body)}`
  const text = `SVC-HMAC-SHA256
20260304T050607Z
fido-server/20260304
${sha256(canonical)}`
  const signature = createHmac('sha256', 'top secret').update(text).digest('hex')
  const answer = await ask({
    port: running.port,
    method: 'DELETE',
    target: '/fido/rp/credentials?user_id=%e6%9d%8e%20+%7E&b=2&a&b=1',
    headers: [
      ['Host', `localhost:${running.port}`],
      ['X-A', '  one   two '],
      ['X-A', 'three'],
      ['X-Svc-Date', '20260304T050607Z'],
      ['Content-Type', 'application/json'],
      ['Authorization', `SVC-HMAC-SHA256 ${key.id}/fido-server/20260304,content-type;host;x-a;x-svc-date,${signature}`],
    ],
    body,
  })
  expect(answer.json).toEqual({ code: 0, data: { total: 0 }, error: '' })
})

test('[signing.explain] [signing.explain-key] a mismatch explains itself: for the short form one text per scope, without naming keys', async () => {
  const answer = await explained({ form: 'short' })
  const identifiersOf = ({ json }: typeof answer) =>
    json.data.strings_to_sign.map((text: string) => text.split('\n')[2]?.slice('fido-server/'.length))
  expect(identifiersOf(answer)).toEqual(['', '<access_key_id>', '20260304', '<rp>', '<rp_id>'])
  expect(answer.text).not.toContain(shop.key.id)
  expect(answer.text).not.toContain(shop.rp.id)
  await set({ short_form_identifiers: ['café'] })
  expect(identifiersOf(await explained({ form: 'short' })).at(-1)).toBe('café')
})

const named = async (sign: Partial<Signing>) => {
  const { json } = await explained(sign)
  const line = log.findLast(({ event }) => event === 'rp request')
  return [json.data.mistake?.id, line?.mistake]
}

test('[signing.explain] a mismatch explains itself, and with the usual mistake that alone gives it, in the answer and in the log', async () => {
  const headers = [
    ['Host', 'localhost'],
    ['X-Svc-Date', svcDate(wall.now)],
  ] as const
  const mistake = 'host-without-port'
  expect(await named({ secret: shop.key.secret, headers })).toEqual([mistake, mistake])
  expect(await named({})).toEqual([undefined, undefined])
  await set({ explain_signatures: false })
  expect(await named({ secret: shop.key.secret, headers })).toEqual([undefined, mistake])
})

test('[signing.explain] [signing.explain-key] a mismatch explains itself not for a key that does not exist, and never with a secret', async () => {
  const unknown = await explained({ accessKeyId: 'ak_nobody' })
  expect(unknown.json.data).toEqual({})
  expect((await explained()).text).not.toContain(shop.key.secret)
})

test('it is what node:crypto computes, for keys and messages of every length, and one key serves many messages', () => {
  const dice = diceOf(1)
  for (let length = 0; length <= 200; length++) {
    const key = dice.bytes(length)
    const hmac = hmacSha256(key)
    for (const message of [dice.bytes(0), dice.bytes(length), dice.bytes(dice.below(1_000))]) {
      expect(hmac(message.toString('latin1'))).toBe(createHmac('sha256', key).update(message).digest('hex'))
    }
  }
})

test('[signing.explain] one mistake is sought at a time: a request that comes meanwhile is answered without', async () => {
  const store = sqliteStore(taken(openSqlite(':memory:')))
  const { promise, resolve } = Promise.withResolvers<void>()
  const slow = { ...store, rps: { ...store.rps, list: () => promise.then(() => store.rps.list('main')) } }
  const kept = { store: slow, settings: createSettings(store) }
  const authorization = `SVC-HMAC-SHA256 k1/fido-server/,host,${createHmac('sha256', 'wrong').digest('hex')}`
  const refused = { method: 'GET', target: '/', headers: [['Authorization', authorization]] as const, body: '' }
  const ended: string[] = []
  const first = findMistake(kept, 'main', refused).then(() => ended.push('first'))
  expect(await findMistake(kept, 'main', refused)).toBeUndefined()
  expect(ended).toEqual([])
  resolve()
  await first
  await store.close()
})
