import { createHash, createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hmacSha256 } from '../../src-main/service/signing/hmac-sha256.ts'
import { diceOf } from '../robustness/dice.ts'
import { ask } from '../support/service/raw-http.ts'
import { type Call, canonicalOf, rpClient, type Signing, svcDate } from '../support/service/rp-client.ts'
import { type Running, startService, type TestRp } from '../support/service/start-service.ts'
import { taken } from '../support/taken.ts'

let running: Running
let shop: TestRp
let rp: ReturnType<typeof rpClient>
const wall = { now: Date.UTC(2026, 2, 4, 5, 6, 7) }

beforeEach(async () => {
  wall.now = Date.UTC(2026, 2, 4, 5, 6, 7)
  running = await startService({ wall })
  shop = await running.makeRp()
  rp = rpClient(running, shop)
})
afterEach(() => running.stop())

/** Lists nobody's credentials: the plainest request there is. */
const goodRequest: Call = { method: 'GET', target: '/rp/credentials?user_id=u1' }

const code = async (call: Call): Promise<number> => (await rp.call(call)).json.code
const codeSigned = (sign: Partial<Signing>): Promise<number> => code({ ...goodRequest, sign })
const set = async (part: object) => taken(await running.admin.profile.patch('main', part))

test('a good request is answered', async () => {
  expect((await rp.call(goodRequest)).json).toEqual({ code: 0, data: { total: 0, list: [] }, error: '' })
})

describe('[interface.authorization] the header', () => {
  test('[errors.no-authorization] without it: 40101', async () => {
    expect(await code({ ...goodRequest, send: { authorization: null } })).toBe(40101)
  })

  const good = `SVC-HMAC-SHA256 ak_1/fido-server/,host;x-svc-date,${'0'.repeat(64)}`
  test.each([
    ['another algorithm', good.replace('SHA256', 'SHA512')],
    ['no algorithm', good.slice('SVC-HMAC-SHA256 '.length)],
    ['the algorithm alone', 'SVC-HMAC-SHA256'],
    ['one part', 'SVC-HMAC-SHA256 host'],
    ['four parts', `${good},more`],
    ['no key', good.replace('ak_1', '')],
    ['no scope', good.replace('/fido-server/', '')],
    ['upper-case header names', good.replace('host;', 'Host;')],
    ['header names out of order', good.replace('host;x-svc-date', 'x-svc-date;host')],
    ['a header named twice', good.replace('host;', 'host;host;')],
    ['an empty header name', good.replace('host;', 'host;;')],
    ['a space after a comma', good.replace(',host', ', host')],
    ['a bearer token', 'Bearer abc'],
    ['nothing', ' '],
  ])('[errors.malformed-authorization] %s: 40102', async (_what, authorization) => {
    expect(await code({ ...goodRequest, send: { authorization } })).toBe(40102)
  })

  test.each([
    ['upper case', '0'.repeat(63).concat('A')],
    ['63 digits', '0'.repeat(63)],
    ['65 digits', '0'.repeat(65)],
    ['no hex', 'g'.repeat(64)],
  ])('[signing.lower-hex] a signature of %s: 40102', async (_what, signature) => {
    const authorization = `SVC-HMAC-SHA256 ${shop.key.id}/fido-server/,host,${signature}`
    expect(await code({ ...goodRequest, send: { authorization } })).toBe(40102)
  })

  test('[errors.malformed-authorization] two Authorization headers: 40102', async () => {
    expect(await code({ ...goodRequest, headers: [['Authorization', 'Bearer x']] })).toBe(40102)
  })
})

describe('[signing.forms] both forms are accepted', () => {
  test('the general form', async () => expect(await codeSigned({ form: 'general' })).toBe(0))
  test('the short form', async () => expect(await codeSigned({ form: 'short' })).toBe(0))

  test('and each can be switched off: 40102', async () => {
    await set({ authorization_forms: ['general'] })
    expect([await codeSigned({ form: 'general' }), await codeSigned({ form: 'short' })]).toEqual([0, 40102])
    await set({ authorization_forms: ['short'] })
    expect([await codeSigned({ form: 'general' }), await codeSigned({ form: 'short' })]).toEqual([40102, 0])
  })

  test('[signing.general] the key ID ends at the first slash, the scope may have more of them', async () => {
    expect(await codeSigned({ scope: 'fido-server/a/b' })).toBe(0)
  })

  test('[signing.short] the short form signs with no identifier, the key’s ID, the day, the RP’s ID or its RP ID', async () => {
    const signedAs = (identifier: string) => codeSigned({ form: 'short', scope: `fido-server/${identifier}` })
    for (const identifier of ['', shop.key.id, '20260304', shop.rp.id, shop.rp.rp_id]) {
      expect([identifier, await signedAs(identifier)]).toEqual([identifier, 0])
    }
    for (const identifier of ['other', '20260303', ' ', `${shop.key.id}/`]) {
      expect([identifier, await signedAs(identifier)]).toEqual([identifier, 40104])
    }
  })

  test('[signing.short] and with what the profile names, in UTF-8', async () => {
    const signedAs = (identifier: string) => codeSigned({ form: 'short', scope: `fido-server/${identifier}` })
    await set({ short_form_identifiers: ['eu-west-1', 'café, 中/2', '20260303'] })
    expect(await signedAs('eu-west-1')).toBe(0)
    expect(await signedAs('café, 中/2')).toBe(0)
    // Named or not, a date is the day.
    expect(await signedAs('20260303')).toBe(40104)
  })

  test('[signing.short] [rps.keys] every active key of the workspace is tried, and the one that verifies is the caller', async () => {
    const other = await running.makeRp('main', 'Other')
    const otherRp = rpClient(running, other)
    const id = (
      await otherRp.call({
        method: 'POST',
        target: '/rp/attestation/options',
        body: { user_id: 'u', username: 'u' },
        sign: { form: 'short' },
      })
    ).json.code
    expect(id).toBe(0)
    const [message] = taken(await running.admin.messages.list('main'))
    expect(message?.rp).toBe(other.rp.id)
    taken(await running.admin.accessKeys.patch('main', other.key.id, { state: 'disabled' }))
    expect((await otherRp.call({ ...goodRequest, sign: { form: 'short' } })).json.code).toBe(40104)
  })
})

describe('the scope', () => {
  test.each(['fido', 'fido-server', 'FIDO-SERVER/', 'other-module/x', 'fido-server2/', '/fido-server/'])(
    '[signing.scope] %s is refused with 40108',
    async (scope) => expect(await codeSigned({ scope })).toBe(40108),
  )

  test.each(['fido-server/', 'fido-server/anything', 'fido-server/eu-west-1'])(
    '[signing.scope] %s is accepted',
    async (scope) => expect(await codeSigned({ scope })).toBe(0),
  )

  test('[signing.scope-date] a date must be the day of X-Svc-Date', async () => {
    expect(await codeSigned({ scope: 'fido-server/20260304' })).toBe(0)
    expect(await codeSigned({ scope: 'fido-server/20260303' })).toBe(40108)
  })

  test('[signing.scope-date] so must one that is the first part of an identifier', async () => {
    const signedAs = (identifier: string) => codeSigned({ scope: `fido-server/${identifier}` })
    for (const good of ['20260304/x', '20260304/', '20260303x', '202603030', 'x/20260303', '2026030']) {
      expect([good, await signedAs(good)]).toEqual([good, 0])
    }
    for (const bad of ['20200101/x', '20260303/', '00000000', '99999999/20260304']) {
      expect([bad, await signedAs(bad)]).toEqual([bad, 40108])
    }
  })

  test('[signing.unsent] a header that is named as signed and was not sent is 40102', async () => {
    expect(await codeSigned({ signedHeaders: ['host', 'x-ghost', 'x-svc-date'] })).toBe(40102)
    expect(await codeSigned({ signedHeaders: ['content-type', 'host'] })).toBe(40102)
    const sent = { ...goodRequest, headers: [['X-Ghost', '']] as const }
    expect(await code({ ...sent, sign: { signedHeaders: ['host', 'x-ghost', 'x-svc-date'] } })).toBe(0)
  })
})

test('[signing.host] a request whose host is not signed is refused with 40107', async () => {
  expect(await codeSigned({ signedHeaders: ['x-svc-date'] })).toBe(40107)
})

test('[addresses.host] the Host header counts exactly as it was sent, with its port', async () => {
  const sent = 'Shop.example:99'
  expect(await code({ ...goodRequest, send: { host: sent } })).toBe(40104)
  const headers = [
    ['Host', sent],
    ['X-Svc-Date', svcDate(wall.now)],
  ] as const
  expect(await code({ ...goodRequest, send: { host: sent }, sign: { headers } })).toBe(0)
})

describe('the date', () => {
  test('[signing.date] missing: 40105', async () => {
    expect(await code({ ...goodRequest, send: { date: null } })).toBe(40105)
  })

  test.each([
    '2026-03-04T05:06:07Z',
    '20260304T050607',
    '20260304T050607+00',
    '20260304050607Z',
    '20260230T050607Z',
    '20260304T250607Z',
    '20260304T050660Z',
    'Wed, 04 Mar 2026 05:06:07 GMT',
    'now',
  ])('[signing.date] %s: 40105', async (date) => expect(await codeSigned({ date })).toBe(40105))

  test('[signing.date] twice: 40105', async () => {
    expect(await code({ ...goodRequest, headers: [['X-Svc-Date', svcDate(wall.now)]] })).toBe(40105)
  })

  test.each([-300, 300])('[signing.skew] %i s away is accepted', async (seconds) => {
    expect(await codeSigned({ date: svcDate(wall.now + seconds * 1000) })).toBe(0)
  })

  test.each([-301, 301])('[signing.skew] %i s away is refused with 40106', async (seconds) => {
    expect(await codeSigned({ date: svcDate(wall.now + seconds * 1000) })).toBe(40106)
  })

  test('[signing.skew] the allowance is a profile setting', async () => {
    await set({ clock_skew_s: 10 })
    expect(await codeSigned({ date: svcDate(wall.now + 10_000) })).toBe(0)
    expect(await codeSigned({ date: svcDate(wall.now + 11_000) })).toBe(40106)
  })

  test('[clock.skew] it is judged by real time, or by the clock of the workspace', async () => {
    const bench = svcDate(running.clock.now())
    expect(await codeSigned({ date: bench })).toBe(40106)
    await set({ skew_clock: 'bench' })
    expect(await codeSigned({ date: bench })).toBe(0)
    expect(await codeSigned({})).toBe(40106)
  })

  test('[signing.date-unsigned] it need not be signed, unless the profile wants it', async () => {
    expect(await codeSigned({ signedHeaders: ['host'] })).toBe(0)
    await set({ require_signed_date: true })
    expect(await codeSigned({ signedHeaders: ['host'] })).toBe(40105)
    expect(await codeSigned({})).toBe(0)
  })

  test('[interface.string-to-sign] the date in the string to sign is the one of the header', async () => {
    expect(
      await code({ ...goodRequest, send: { date: svcDate(wall.now + 1000) }, sign: { signedHeaders: ['host'] } }),
    ).toBe(40104)
  })
})

test('[signing.replay] the same signed request may be sent again', async () => {
  expect([await code(goodRequest), await code(goodRequest), await code(goodRequest)]).toEqual([0, 0, 0])
})

describe('[interface.signature] what the signature covers', () => {
  test.each<[string, Partial<Signing>]>([
    ['another secret', { secret: 'wrong' }],
    ['another method', { method: 'POST' }],
    ['another path', { path: '/fido/rp/credential' }],
    ['another query', { query: 'user_id=u2' }],
    ['another body', { payload: 'x' }],
    ['another scope than the header says', { scope: 'fido-server/a' }],
    ['another algorithm in the string to sign', { algorithm: 'HMAC' }],
  ])('[errors.mismatch] %s: 40104', async (what, sign) => {
    if (!what.startsWith('another scope') && !what.startsWith('another algorithm')) {
      return expect(await codeSigned(sign)).toBe(40104)
    }
    // Signed with one text, sent with another.
    const text = ['SVC-HMAC-SHA256', svcDate(wall.now), 'fido-server/', 'x'].join('\n')
    const signature = createHmac('sha256', shop.key.secret).update(text).digest('hex')
    const authorization = `SVC-HMAC-SHA256 ${shop.key.id}/fido-server/,host,${signature}`
    expect(await code({ ...goodRequest, send: { authorization } })).toBe(40104)
  })

  test('[signing.raw-bytes] the hash is over the bytes as received: the same JSON in other spacing does not verify', async () => {
    const call: Call = { method: 'POST', target: '/rp/attestation/options', rawBody: '{"user_id":"u","username":"u"}' }
    expect(await code(call)).toBe(0)
    expect(await code({ ...call, sign: { payload: '{"user_id": "u", "username": "u"}' } })).toBe(40104)
    const spaced = { ...call, rawBody: ' {"username" : "u",\n"user_id":"\\u0075"}\t' }
    expect(await code(spaced)).toBe(0)
    expect(await code({ ...spaced, sign: { payload: '{"username":"u","user_id":"u"}' } })).toBe(40104)
  })

  test('[signing.raw-bytes] octets that are no UTF-8 are signed as they are', async () => {
    const rawBody = Uint8Array.of(0x7b, 0xff, 0xc3, 0x7d)
    const call: Call = { method: 'POST', target: '/rp/attestation/options', rawBody }
    expect(await code(call)).toBe(40001)
    expect(await code({ ...call, sign: { payload: Buffer.from(rawBody).toString('utf8') } })).toBe(40104)
  })

  test('[signing.raw-bytes] a body that is no JSON is still verified first', async () => {
    const call: Call = { method: 'POST', target: '/rp/attestation/options', rawBody: 'no json' }
    expect(await code({ ...call, sign: { secret: 'wrong' } })).toBe(40104)
    expect(await code(call)).toBe(40001)
  })

  test('[interface.payload-hash] an empty body hashes as the empty string', async () => {
    expect(await codeSigned({ payload: '' })).toBe(0)
  })

  test('[interface.canonical-headers] runs of spaces count as one, repeated headers join in order', async () => {
    const headers = [
      ['X-A', '  one   two '],
      ['X-A', 'three'],
    ] as const
    const signedHeaders = ['host', 'x-a', 'x-svc-date']
    expect(await code({ ...goodRequest, headers, sign: { signedHeaders } })).toBe(0)
    const date = svcDate(wall.now)
    const base = [
      ['Host', `localhost:${running.port}`],
      ['X-Svc-Date', date],
    ] as const
    const swapped = [...base, ['X-A', 'three'], ['X-A', 'one two']] as const
    expect(await code({ ...goodRequest, headers, sign: { signedHeaders, headers: swapped } })).toBe(40104)
  })

  test('[interface.canonical-headers] Content-Type may be signed or not', async () => {
    const call: Call = { method: 'POST', target: '/rp/attestation/options', body: { user_id: 'u', username: 'u' } }
    expect(await code({ ...call, sign: { signedHeaders: ['content-type', 'host', 'x-svc-date'] } })).toBe(0)
  })
})

describe('[signing.query] the canonical query', () => {
  test.each([
    ['is sorted by name', 'b=2&a=1&user_id=u'],
    ['is sorted by value where names repeat', 'a=2&a=1&user_id=u'],
    ['sorts upper case before lower case', 'a=1&B=2&user_id=u'],
    ['keeps a plus a plus', 'user_id=a+b'],
    ['decodes once and encodes again', 'user_id=%7eu%41%2f'],
    ['completes a name without =', 'user_id=u&flag'],
    ['takes the first = as the divider', 'user_id=u&a=b=c'],
    ['carries UTF-8', 'user_id=%E6%9D%8E'],
  ])('[interface.canonical-query] %s', async (_what, query) => {
    expect(await code({ method: 'GET', target: `/rp/credentials?${query}` })).toBe(0)
  })

  test('a plus that was signed as a space does not verify', async () => {
    const call: Call = { method: 'GET', target: '/rp/credentials?user_id=a+b' }
    expect(await code({ ...call, sign: { query: 'user_id=a%20b' } })).toBe(40104)
  })

  test.each(['user_id=%zz', '%zz=1'])('a percent sign that begins no octet is 40005: %s', async (query) => {
    expect(await code({ method: 'GET', target: `/rp/credentials?${query}`, sign: { query: '' } })).toBe(40005)
  })
})

describe('[signing.canonical-uri] the path', () => {
  test('counts exactly as on the request line', async () => {
    const explained = (await rp.call({ ...goodRequest, sign: { secret: 'wrong' } })).json.data
    expect(explained.canonical_request.split('\n')[1]).toBe('/fido/rp/credentials')
  })

  test('counts percent-encoded once more under canonical_uri: encoded', async () => {
    const odd = await startService({ wall, prefix: '/v1/fido:d%20(2)' })
    const client = rpClient(odd, await odd.makeRp())
    const signedAs = async (path: string) => (await client.call({ ...goodRequest, sign: { path } })).json.code
    const [asSent, encoded] = ['/v1/fido:d%20(2)/rp/credentials', '/v1/fido%3Ad%2520%282%29/rp/credentials']
    expect([await signedAs(asSent), await signedAs(encoded)]).toEqual([0, 40104])
    taken(await odd.admin.profile.patch('main', { canonical_uri: 'encoded' }))
    expect([await signedAs(asSent), await signedAs(encoded)]).toEqual([40104, 0])
    await odd.stop()
  })
})

describe('the keys', () => {
  test('[errors.unknown-key] an unknown key is 40103', async () => {
    expect(await codeSigned({ accessKeyId: 'ak_nobody' })).toBe(40103)
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

  test('a key of another workspace is unknown', async () => {
    taken(await running.admin.workspaces.open('two'))
    const other = await running.makeRp('two')
    expect(await codeSigned({ accessKeyId: other.key.id, secret: other.key.secret })).toBe(40103)
  })
})

describe('[signing.explain] a mismatch explains itself', () => {
  test('[interface.canonical-request] with both texts as the service computed them', async () => {
    const { data } = (await rp.call({ ...goodRequest, sign: { secret: 'wrong' } })).json
    const date = svcDate(wall.now)
    const canonical = canonicalOf({
      form: 'general',
      accessKeyId: '',
      secret: '',
      scope: '',
      date,
      method: 'GET',
      path: '/fido/rp/credentials',
      query: 'user_id=u1',
      signedHeaders: ['host', 'x-svc-date'],
      payload: '',
      headers: [
        ['Host', `localhost:${running.port}`],
        ['X-Svc-Date', date],
      ],
      algorithm: '',
    })
    expect(data.canonical_request).toBe(canonical)
    const hash = createHash('sha256').update(canonical).digest('hex')
    expect(data.strings_to_sign).toEqual([`SVC-HMAC-SHA256\n${date}\nfido-server/\n${hash}`])
  })

  test('[interface.canonical-request] [interface.string-to-sign] [interface.signature] a request written out by hand is accepted', async () => {
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
${createHash('sha256').update(body).digest('hex')}`
    const hash = createHash('sha256').update(canonical).digest('hex')
    const text = `SVC-HMAC-SHA256
20260304T050607Z
fido-server/20260304
${hash}`
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
        [
          'Authorization',
          `SVC-HMAC-SHA256 ${key.id}/fido-server/20260304,content-type;host;x-a;x-svc-date,${signature}`,
        ],
      ],
      body,
    })
    expect(answer.json).toEqual({ code: 0, data: { total: 0 }, error: '' })
  })

  test('[signing.explain-key] for the short form one text per scope, without naming keys', async () => {
    const answer = await rp.call({ ...goodRequest, sign: { form: 'short', secret: 'wrong' } })
    const identifiersOf = ({ json }: typeof answer) =>
      json.data.strings_to_sign.map((text: string) => text.split('\n')[2]?.slice('fido-server/'.length))
    expect(identifiersOf(answer)).toEqual(['', '<access_key_id>', '20260304', '<rp>', '<rp_id>'])
    expect(answer.text).not.toContain(shop.key.id)
    expect(answer.text).not.toContain(shop.rp.id)
    await set({ short_form_identifiers: ['café'] })
    expect(identifiersOf(await rp.call({ ...goodRequest, sign: { form: 'short', secret: 'wrong' } })).at(-1)).toBe(
      'café',
    )
  })

  test('[signing.explain-key] not for a key that does not exist, and never with a secret', async () => {
    const unknown = await rp.call({ ...goodRequest, sign: { accessKeyId: 'ak_nobody' } })
    expect(unknown.json.data).toEqual({})
    const wrong = await rp.call({ ...goodRequest, sign: { secret: 'wrong' } })
    expect(wrong.text).not.toContain(shop.key.secret)
  })

  test('and can be switched off', async () => {
    await set({ explain_signatures: false })
    const { code, data } = (await rp.call({ ...goodRequest, sign: { secret: 'wrong' } })).json
    expect({ code, data }).toEqual({ code: 40104, data: {} })
  })
})

test('[signing.own-codes] no two refusals share a code', async () => {
  const codes = [
    await code({ ...goodRequest, send: { authorization: null } }),
    await code({ ...goodRequest, send: { authorization: 'x' } }),
    await codeSigned({ accessKeyId: 'ak_nobody' }),
    await codeSigned({ secret: 'wrong' }),
    await code({ ...goodRequest, send: { date: null } }),
    await codeSigned({ date: '20200101T000000Z' }),
    await codeSigned({ signedHeaders: ['x-svc-date'] }),
    await codeSigned({ scope: 'x/' }),
  ]
  expect(codes).toEqual([40101, 40102, 40103, 40104, 40105, 40106, 40107, 40108])
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
