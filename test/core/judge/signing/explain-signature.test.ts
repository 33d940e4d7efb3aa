import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { SIGNING_MISTAKES, type SigningMistake } from '../../../../src-main/core/contract/signing-mistakes.ts'
import {
  explainSignature,
  type SignatureExplanation,
} from '../../../../src-main/core/judge/signing/explain-signature.ts'
import { parseAuthorization } from '../../../../src-main/core/protocol/authorization.ts'
import type { HeaderPair } from '../../../../src-main/core/protocol/canonical-request.ts'
import { signingCrypto } from '../../../../src-main/service/signing/explain-request.ts'

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Uint8Array, text: string | Uint8Array): string =>
  createHmac('sha256', key).update(text).digest('hex')
const hmacBytes = (key: string | Uint8Array, text: string): Uint8Array =>
  createHmac('sha256', key).update(text).digest()

const ID = 'ak_one'
const SECRET = 'c2VjcmV0LWtleQ+x '
const DATE = '20261121T053000Z'
const SHORT_FORM_SCOPES = ['', ID, '20261121', 'rp_1', 'shop.example'].map((each) => `fido-server/${each}`)
const OTHER = { id: 'ak_two', secret: 'the other one', active: true, shortFormScopes: [] }

/** What a client sends, and what it signs: written out line by line, without the code under test. */
type Client = {
  method: string
  target: string
  headers: HeaderPair[]
  body: string
  signedHeaders: string
  scope: string
  canonical: string[]
  join: string
  end: string
  toSign: (hash: string) => string
  sign: (text: string) => string
  form: 'general' | 'short'
}

const post = (): Client => {
  const body = '{"user_id":"u 1","username":"Zoë <z/1>"}'
  return {
    method: 'POST',
    target: '/w/ci/fido/rp/assertion/options',
    headers: [
      ['X-Svc-Date', DATE],
      ['Host', 'localhost:7420'],
      ['Content-Type', 'application/json'],
      ['X-Note', 'two  words'],
      ['Accept', 'a'],
      ['Accept', 'b'],
    ],
    body,
    signedHeaders: 'accept;content-type;host;x-note;x-svc-date',
    scope: 'fido-server/',
    canonical: [
      'POST',
      '/w/ci/fido/rp/assertion/options',
      '',
      'accept:a,b',
      'content-type:application/json',
      'host:localhost:7420',
      'x-note:two words',
      `x-svc-date:${DATE}`,
      '',
      'accept;content-type;host;x-note;x-svc-date',
      sha256(body),
    ],
    join: '\n',
    end: '',
    toSign: (hash) => `SVC-HMAC-SHA256\n${DATE}\nfido-server/\n${hash}`,
    sign: (text) => hmac(SECRET, text),
    form: 'general',
  }
}

const get = (): Client => ({
  ...post(),
  method: 'GET',
  target: '/fido/rp/credentials?user_id=a%20b%2Fc!&flag&also=1',
  headers: [
    ['Host', 'localhost:7420'],
    ['X-Svc-Date', DATE],
  ],
  body: '',
  signedHeaders: 'host;x-svc-date',
  canonical: [
    'GET',
    '/fido/rp/credentials',
    'also=1&flag=&user_id=a%20b%2Fc%21',
    'host:localhost:7420',
    `x-svc-date:${DATE}`,
    '',
    'host;x-svc-date',
    sha256(''),
  ],
})

const signatureOf = (client: Client): string =>
  client.sign(client.toSign(sha256(client.canonical.join(client.join) + client.end)))

type Looked = {
  readonly signature?: string
  readonly rule?: 'as-sent' | 'encoded'
  readonly signed?: { readonly canonicalRequest: string; readonly stringToSign: string }
  readonly crypto?: typeof signingCrypto
  readonly secret?: string
}

const look = (client: Client, { secret = SECRET, crypto = signingCrypto, rule = 'as-sent', ...more }: Looked = {}) => {
  const { signature = signatureOf(client), ...signed } = more
  const key = client.form === 'general' ? `${ID}/${client.scope},` : ''
  const authorization = parseAuthorization(`SVC-HMAC-SHA256 ${key}${client.signedHeaders},${signature}`)
  if (!authorization.ok) throw new Error(authorization.error.code)
  return explainSignature({
    message: { ...client, authorization: authorization.value, date: DATE, rule, ...signed },
    keys: [{ id: ID, secret, active: true, shortFormScopes: SHORT_FORM_SCOPES }],
    others: [OTHER],
    crypto,
    pause: () => Promise.resolve(),
  })
}

const line = (client: Client, from: string, to: string | undefined): void => {
  const at = client.canonical.indexOf(from)
  if (at < 0) throw new Error(`no line ${from}`)
  client.canonical.splice(at, 1, ...(to === undefined ? [] : [to]))
}
const payload = (client: Client, body: string): void => line(client, sha256(client.body), sha256(body))
const host = (client: Client, value: string): void => line(client, 'host:localhost:7420', `host:${value}`)
const text = (make: (hash: string) => string) => (client: Client) => {
  client.toSign = make
}
const key = (secret: string | Uint8Array) => (client: Client) => {
  client.sign = (toSign) => hmac(secret, toSign)
}

type Case = readonly [
  id: SigningMistake,
  make: () => Client,
  change: (client: Client) => void,
  difference?: Partial<NonNullable<SignatureExplanation['difference']>>,
]

/** The lines of a canonical request that are known by their number. */
const part =
  (at: number) =>
  (value: string) =>
  (client: Client): void => {
    client.canonical[at] = value
  }
const [path, query] = [part(1), part(2)]
/** Another line for one that is there, or none. */
const swap = (from: string, to?: string) => (client: Client) => line(client, from, to)
const bodyAs = (body: string) => (client: Client) => payload(client, body)
const change = (more: Partial<Client>) => (client: Client) => void Object.assign(client, more)
/** The string to sign of these lines. */
const lines = (...rest: readonly string[]) => text((hash) => [...rest, hash].join('\n'))
const [HEAD, SCOPE] = ['SVC-HMAC-SHA256', 'fido-server/']
const LIST = 'host;x-svc-date'
const HOST = 'host:localhost:7420'
const DATE_LINE = `x-svc-date:${DATE}`
const POST_BODY = post().body

/** Another request than the plain one. */
const altered =
  (more: Partial<Client>, make = get) =>
  (): Client => ({ ...make(), ...more })
const forwarded = altered({ headers: [...post().headers, ['X-Forwarded-Host', 'pay.example']] }, post)
const portless = altered({ headers: [['Host', 'bench.test'], ...get().headers.slice(1)] })
const headers = (first: string, second: string) => (client: Client) => client.canonical.splice(3, 2, first, second)
const untrimmed = (client: Client): void => {
  line(client, 'x-note:two words', 'x-note:two  words')
  line(client, 'accept:a,b', 'accept:a')
}
const unhashed = text(() => `${HEAD}\n${DATE}\n${SCOPE}\n${get().canonical.join('\n')}`)
const setLater = (client: Client): void => {
  line(client, DATE_LINE, 'x-svc-date:20261121T052958Z')
  lines(HEAD, '20261121T052958Z', SCOPE)(client)
}
const JSON_LINE = 'content-type:application/json'
const SPACED = '{"user_id": "u 1", "username": "Zo\\u00eb <z/1>"}'
const OWN_SCOPE = 'fido-server/eu-west-1'

const CASES: readonly Case[] = [
  ['host-without-port', post, (c) => host(c, 'localhost'), { line: 6, signed: 'host:localhost', computed: HOST }],
  ['host-another-name', post, (c) => host(c, '127.0.0.1:7420'), { line: 6, signed: 'host:127.0.0.1:7420' }],
  ['host-another-name', forwarded, (c) => host(c, 'pay.example'), { signed: 'host:pay.example' }],
  ['host-with-port', portless, (c) => host(c, 'bench.test:443'), { computed: 'host:bench.test' }],
  ['content-type-other', post, swap(JSON_LINE, `${JSON_LINE}; charset=utf-8`), { name: 'content-type' }],
  ['header-left-out', post, swap('x-note:two words'), { line: 7, name: 'x-note', signed: DATE_LINE }],
  ['header-empty', post, swap(DATE_LINE, 'x-svc-date:'), { name: 'x-svc-date', signed: 'x-svc-date:' }],
  ['header-not-listed', altered({ signedHeaders: 'host' }), swap(LIST, 'host'), { line: 5, signed: DATE_LINE }],
  ['headers-untrimmed', post, untrimmed, { name: 'accept' }],
  ['headers-repeated', post, swap('accept:a,b', 'accept:a, b'), { name: 'accept' }],
  ['headers-case', get, headers('Host:localhost:7420', `X-Svc-Date:${DATE}`), { line: 4 }],
  ['headers-order', get, headers(DATE_LINE, HOST), { line: 4, signed: DATE_LINE }],
  ['headers-space', get, headers('host: localhost:7420', `x-svc-date: ${DATE}`), { signed: 'host: localhost:7420' }],
  ['headers-no-blank-line', get, swap(''), { line: 6, name: 'empty', signed: LIST, computed: '' }],
  ['headers-two-blank-lines', get, (c) => c.canonical.splice(5, 0, ''), { line: 7, signed: '' }],
  ['list-separator', get, swap(LIST, 'host,x-svc-date'), { name: 'signed' }],
  ['list-case', get, swap(LIST, 'Host;X-Svc-Date'), { name: 'signed' }],
  ['list-other', get, swap(LIST, 'host'), { name: 'signed', signed: 'host' }],
  ['body-missing', post, bodyAs(''), { in: 'body', signed: '' }],
  ['body-rewritten', post, bodyAs(SPACED), { in: 'body', signed: SPACED }],
  ['body-rewritten', post, bodyAs('{"user_id":"u 1","username":"Zoë <z\\/1>"}'), { in: 'body' }],
  ['body-rewritten', post, bodyAs('{"user_id":"u 1","username":"Zoë \\u003cz/1\\u003e"}'), { in: 'body' }],
  ['body-rewritten', post, bodyAs('{\n  "user_id": "u 1",\n  "username": "Zoë <z/1>"\n}'), { line: 1, signed: '{' }],
  ['body-reordered', post, bodyAs('{"username":"Zoë <z/1>","user_id":"u 1"}'), { in: 'body' }],
  ['body-newline', post, bodyAs(`${POST_BODY}\n`), { in: 'body', line: 2, signed: '' }],
  ['body-of-another-kind', get, bodyAs('{}'), { in: 'body', signed: '{}', computed: '' }],
  ['body-of-another-kind', post, bodyAs('user_id=u+1&username=Zo%C3%AB+%3Cz%2F1%3E'), { in: 'body' }],
  ['payload-unhashed', post, swap(sha256(POST_BODY), POST_BODY), { name: 'payload', signed: POST_BODY }],
  ['payload-writing', post, swap(sha256(POST_BODY), sha256(POST_BODY).toUpperCase()), { name: 'payload' }],
  ['payload-twice', post, swap(sha256(POST_BODY), sha256(sha256(POST_BODY))), { name: 'payload' }],
  ['method-lower-case', post, swap('POST', 'post'), { line: 1, name: 'method', signed: 'post', computed: 'POST' }],
  ['path-without-prefix', post, path('/rp/assertion/options'), { line: 2, signed: '/rp/assertion/options' }],
  ['path-without-prefix', post, path('/fido/rp/assertion/options'), { signed: '/fido/rp/assertion/options' }],
  ['path-trailing-slash', get, path('/fido/rp/credentials/'), { signed: '/fido/rp/credentials/' }],
  ['path-with-query', get, (c) => c.canonical.splice(1, 2, c.target, ''), { name: 'path' }],
  ['path-whole-url', post, path(`http://localhost:7420${post().target}`), { name: 'path' }],
  ['path-encoding', altered({ target: '/w/a%20b/fido' }, post), path('/w/a%2520b/fido'), { name: 'path' }],
  ['path-missing', get, path('/'), { signed: '/' }],
  ['query-missing', get, query(''), { line: 3, name: 'query', signed: '' }],
  ['query-unsorted', altered({ target: '/fido/rp/credentials?z=1&a=2' }), query('z=1&a=2'), { computed: 'a=2&z=1' }],
  ['query-without-equals', get, query('also=1&flag&user_id=a%20b%2Fc%21'), { name: 'query' }],
  ['query-not-encoded', get, query('also=1&flag=&user_id=a b/c!'), { name: 'query' }],
  ['query-form-encoding', get, query('also=1&flag=&user_id=a+b%2Fc%21'), { name: 'query' }],
  ['query-script-encoding', get, query('also=1&flag=&user_id=a%20b%2Fc!'), { name: 'query' }],
  ['query-lower-hex', get, query('also=1&flag=&user_id=a%20b%2fc%21'), { name: 'query' }],
  ['query-question-mark', get, query(`?${get().canonical[2]}`), { name: 'query' }],
  ['canonical-newline', get, change({ end: '\n' }), { in: 'canonical_request', line: 9, name: 'end', signed: '' }],
  ['canonical-crlf', get, change({ join: '\r\n' }), { line: 1, signed: 'GET\r' }],
  ['canonical-without-payload', get, (c) => c.canonical.pop(), { line: 8, name: 'payload' }],
  ['string-newline', get, text((hash) => `${HEAD}\n${DATE}\n${SCOPE}\n${hash}\n`), { in: 'string_to_sign', line: 5 }],
  ['string-crlf', get, text((hash) => `${HEAD}\r\n${DATE}\r\n${SCOPE}\r\n${hash}`), { in: 'string_to_sign', line: 1 }],
  ['string-algorithm', get, lines('AWS4-HMAC-SHA256', DATE, SCOPE), { line: 1, name: 'algorithm' }],
  ['string-line-missing', get, lines(HEAD, DATE), { line: 3, name: 'scope' }],
  ['string-missing', get, lines(), { in: 'string_to_sign', line: 1 }],
  ['request-unhashed', get, unhashed, { line: 4, name: 'request', signed: 'GET' }],
  [
    'request-hash-writing',
    get,
    text((hash) => `${HEAD}\n${DATE}\n${SCOPE}\n${hash.toUpperCase()}`),
    { name: 'request' },
  ],
  ['date-second-reading', get, lines(HEAD, '20261121T053001Z', SCOPE), { line: 2, signed: '20261121T053001Z' }],
  ['date-set-later', get, setLater, { name: 'x-svc-date', signed: 'x-svc-date:20261121T052958Z' }],
  ['date-writing', get, lines(HEAD, '2026-11-21T05:30:00Z', SCOPE), { name: 'date', signed: '2026-11-21T05:30:00Z' }],
  ['date-writing', get, lines(HEAD, '20261121T133000Z', SCOPE), { name: 'date', signed: '20261121T133000Z' }],
  ['scope-other', get, lines(HEAD, DATE, '20261121/fido-server'), { line: 3, name: 'scope', computed: SCOPE }],
  ['short-form-identifier', altered({ form: 'short' }), lines(HEAD, DATE, OWN_SCOPE), { line: 3, signed: OWN_SCOPE }],
  ['key-of-another', get, key(OTHER.secret)],
  ['secret-with-space', get, key(`${SECRET}\n`)],
  ['secret-trimmed', get, key(SECRET.trim())],
  ['secret-quoted', get, key(`"${SECRET}"`)],
  ['secret-encoded', get, key(Buffer.from(SECRET).toString('base64'))],
  ['secret-case', get, key(SECRET.toUpperCase())],
  ['secret-url-coded', get, key(encodeURIComponent(SECRET))],
  ['secret-hashed', get, key(sha256(SECRET))],
  ['secret-with-id', get, key(`${ID}:${SECRET}`)],
  ['secret-empty', get, key('undefined')],
  [
    'key-derived',
    get,
    key(hmacBytes(hmacBytes(hmacBytes(`AWS4${SECRET}`, '20261121'), 'fido-server'), 'aws4_request')),
  ],
  ['mac-swapped', get, change({ sign: (toSign) => hmac(toSign, SECRET) })],
  ['mac-plain-hash', get, change({ sign: (toSign) => sha256(SECRET + toSign) })],
]

describe('a signature that does not match', () => {
  const cases = CASES.map(([id, make, change, difference]) => [id, make, change, difference] as const)
  it.each(cases)('is explained, without a secret: %s', async (id, make, change, difference) => {
    const client = make()
    change(client)
    const found = await look(client)
    expect(found.outcome).toBe('explained')
    expect(found.mistakes.map((mistake) => mistake.id)).toContain(id)
    if (difference === undefined) expect(found.difference).toBeUndefined()
    else expect(found.difference).toMatchObject(difference)
    for (const secret of [SECRET.trim(), OTHER.secret]) expect(JSON.stringify(found)).not.toContain(secret)
  })

  it('is explained for a secret that was decoded first', async () => {
    const secret = Buffer.from('thirty-two bytes of a secret key').toString('base64')
    const client = get()
    key(Buffer.from(secret, 'base64'))(client)
    const found = await look(client, { secret })
    expect(found.mistakes.map((mistake) => mistake.id)).toEqual(['secret-decoded'])
  })

  it('has a case for every mistake of the table', async () => {
    const covered = new Set<SigningMistake>([...CASES.map(([id]) => id), 'secret-decoded'])
    expect(SIGNING_MISTAKES.filter((id) => !covered.has(id))).toEqual([])
  })

  it('is explained by two mistakes that come together', async () => {
    const client = post()
    host(client, 'localhost')
    payload(client, SPACED)
    expect((await look(client)).mistakes.map((mistake) => mistake.id)).toEqual(['host-without-port', 'body-rewritten'])
    key(OTHER.secret)(client)
    expect((await look(client)).outcome).toBe('unexplained')
  })

  it('names the other key whose secret it was', async () => {
    const client = get()
    key(OTHER.secret)(client)
    expect((await look(client)).mistakes).toMatchObject([{ id: 'key-of-another', note: 'ak_two' }])
  })

  it.each(['', ID, DATE.slice(0, 8), 'rp_1', 'shop.example'])(
    '[signing.short-explain] is explained in the short form too, and says that the identifier was "%s"',
    async (identifier) => {
      const client: Client = { ...get(), form: 'short' }
      client.toSign = (hash) => `SVC-HMAC-SHA256\n${DATE}\nfido-server/${identifier}\n${hash}`
      const found = { access_key_id: ID, identifier }
      expect(await look(client)).toMatchObject({ ...found, outcome: 'holds' })
      host(client, 'localhost')
      expect(await look(client)).toMatchObject({ ...found, mistakes: [{ id: 'host-without-port' }] })
    },
  )

  it('is explained by two mistakes in the short form too, for its likelier identifiers', async () => {
    const client: Client = { ...get(), form: 'short' }
    client.toSign = (hash) => `SVC-HMAC-SHA256\n${DATE}\nfido-server/${ID}\n${hash}`
    host(client, 'localhost')
    line(client, sha256(''), sha256('{}'))
    const { identifier, mistakes } = await look(client)
    expect(identifier).toBe(ID)
    expect(mistakes.map(({ id }) => id)).toEqual(['host-without-port', 'body-of-another-kind'])
  })

  it('[signing.short-explain] names the identifier of the short form that the service did not try', async () => {
    const client: Client = { ...get(), form: 'short' }
    for (const identifier of ['eu-west-1', '20261120', `20261121/${ID}`]) {
      client.toSign = (hash) => `SVC-HMAC-SHA256\n${DATE}\nfido-server/${identifier}\n${hash}`
      const mistake = { id: 'short-form-identifier', note: identifier }
      expect(await look(client)).toMatchObject({ outcome: 'explained', identifier, mistakes: [mistake] })
    }
    expect((await look({ ...client, form: 'general' })).mistakes).not.toMatchObject([{ id: 'short-form-identifier' }])
  })

  it('is explained by the other rule for the path', async () => {
    const client = post()
    client.target = client.target.replace('ci', 'a%20b')
    client.canonical[1] = client.target
    expect((await look(client, { rule: 'encoded' })).mistakes).toMatchObject([{ id: 'path-encoding' }])
  })

  it('is told exactly when the client says what it signed', async () => {
    const client = post()
    host(client, 'somewhere.test')
    const { difference, outcome } = await look(client, {
      signed: {
        canonicalRequest: client.canonical.join('\n'),
        stringToSign: client.toSign(sha256(client.canonical.join('\n'))),
      },
    })
    expect(outcome).toBe('unexplained')
    expect(difference).toMatchObject({ line: 6, name: 'host', signed: 'host:somewhere.test' })
    expect((await look(client)).difference).toBeUndefined()
  })

  it('stays unexplained when nothing fits', async () => {
    const found = await look(post(), { signature: 'ab'.repeat(32) })
    expect(found).toMatchObject({ outcome: 'unexplained', mistakes: [] })
    expect(found.tried).toBeGreaterThan(5000)
  })

  it('hashes a canonical request again only where a mistake changes it', async () => {
    let hashed = 0
    const crypto = {
      ...signingCrypto,
      sha256Hex: (octets: string) => {
        hashed++
        return signingCrypto.sha256Hex(octets)
      },
    }
    const { tried } = await look({ ...get(), form: 'short' }, { signature: 'ab'.repeat(32), crypto })
    expect(tried).toBeGreaterThan(50_000)
    expect(hashed).toBeLessThan(tried / 2)
  })

  it('holds when it is right', async () => {
    expect(await look(post())).toMatchObject({ outcome: 'holds', mistakes: [], access_key_id: ID, tried: 1 })
    expect((await look(get())).outcome).toBe('holds')
  })
})
