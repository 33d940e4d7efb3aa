import { Buffer } from 'node:buffer'
import { createHash, createHmac } from 'node:crypto'
import type { Profile } from '../../../core/contract/profile.ts'
import { latin1 } from '../../../core/protocol/bytes.ts'
import { canonicalRequest, type HeaderPair } from '../../../core/protocol/canonical-request.ts'
import { formatSvcDate } from '../../../core/protocol/time.ts'
import { acceptedCase, type Case, checkRefusal, plainCase, refusedCase } from '../case.ts'
import { CaseEnded, findHeader, isSuccess, readEnvelope, responseLine, type WireRequest } from '../exchange.ts'
import { failed, passIf, skipped, vacuous } from '../finding.ts'
import { scanRegistration } from '../steps.ts'
import { type Change, type World, withHeader } from '../world.ts'

/** Parts of a request that the SDK's signer cannot change. */
type SigningOverrides = {
  readonly target?: string
  /** Headers after Host and X-Svc-Date. */
  readonly headers?: readonly HeaderPair[]
  readonly signedHeaders?: string
  readonly date?: string
  /** The query as it is signed, instead of its canonical form. */
  readonly signedQuery?: string
  /** The whole scope, `fido-server/` included. */
  readonly scope?: string
  readonly key?: { readonly accessKeyId: string; readonly secretKey: string }
  readonly form?: 'general' | 'short'
}

const sha256 = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex')

/** Changes any part that docs/interface/signing.md defines; the signature still fits the signed text. */
const signWithOverrides = (world: World, free: SigningOverrides = {}): WireRequest => {
  const { fresh, now } = world
  const { baseUrl, key: own } = world.target
  const { host, pathname } = new URL(baseUrl)
  const { date = formatSvcDate(now()), scope = 'fido-server/', key = own, form = world.form } = free
  const target = pathname.replace(/\/$/, '') + (free.target ?? `/rp/credentials?user_id=${fresh('u')}`)
  const headers: readonly HeaderPair[] = [['Host', host], ['X-Svc-Date', date], ...(free.headers ?? [])]
  const names = free.signedHeaders ?? [...new Set(headers.map(([name]) => name.toLowerCase()))].sort().join(';')
  const [path = '', ...query] = target.split('?')
  const canonical = canonicalRequest(
    {
      method: 'GET',
      path,
      query: query.join('?'),
      headers,
      signedHeaders: names.split(';'),
      payloadHash: sha256(Buffer.of()),
    },
    'as-sent',
  )
  if (!canonical.ok) throw new CaseEnded(`it cannot be signed: ${canonical.error}`)
  const lines = canonical.value.split('\n')
  if (free.signedQuery !== undefined) lines[2] = free.signedQuery
  const text = ['SVC-HMAC-SHA256', date, scope, sha256(latin1(lines.join('\n')))].join('\n')
  const signature = createHmac('sha256', key.secretKey).update(latin1(text)).digest('hex')
  const who = form === 'short' ? '' : `${key.accessKeyId}/${scope},`
  return {
    method: 'GET',
    target,
    headers: [...headers, ['Authorization', `SVC-HMAC-SHA256 ${who}${names},${signature}`]],
    body: Buffer.of(),
  }
}

const list = (world: World, change?: Change) =>
  world.call('GET', `/rp/credentials?user_id=${world.fresh('u')}`, undefined, change)
const begin = (world: World, change?: Change) =>
  world.call('POST', '/rp/attestation/options', { user_id: world.fresh('u'), username: 'check' }, change)

const edited = (name: string) => (edit: (value: string) => string | undefined) => ({
  signed: (request: WireRequest) => withHeader(request, name, edit(findHeader(request, name) ?? '')),
})
const authorization = edited('Authorization')
const date = edited('X-Svc-Date')
const flipped = (value: string): string => value.slice(0, -1) + (value.endsWith('0') ? '1' : '0')
const inCapitals = (value: string): string => value.replace(/[0-9a-f]{64}$/, (hex) => hex.toUpperCase())
const anotherSecond = (value: string): string => value.replace(/.Z$/, (end) => (end === '0Z' ? '1Z' : '0Z'))
const target = (part: string, other: string): Change => ({
  signed: (request) => ({ ...request, target: request.target.replace(part, other) }),
})

const allowsShortForm = ({ authorization_forms }: Profile): boolean => authorization_forms.includes('short')
const hasGeneral = ({ authorization_forms }: Profile): boolean => authorization_forms.includes('general')
/** The short form of the header names neither scope nor key. */
const namesScopeOrKey = ({ scope, key }: SigningOverrides): boolean => scope !== undefined || key !== undefined

type SignedOtherwise = readonly [name: string, code: number, free: SigningOverrides]

const honestly = (world: World) => world.send(signWithOverrides(world))
const signed = (free: SigningOverrides) => (world: World) => world.send(signWithOverrides(world, free))

const refusedSigned = ([name, code, free]: SignedOtherwise) =>
  refusedCase(name, {
    code,
    applies: (profile) => !namesScopeOrKey(free) || hasGeneral(profile),
    valid: honestly,
    changed: signed(free),
  })

const refusalCases = [
  ...(
    [
      ['no Authorization', 40101, authorization(() => undefined)],
      ['another algorithm', 40102, authorization((value) => value.replace('SVC-HMAC-SHA256', 'SVC-HMAC-SHA1'))],
      ['an Authorization without a signature', 40102, authorization((value) => value.replace(/,[0-9a-f]{64}$/, ''))],
      ['an unknown access key', 40103, { key: { accessKeyId: 'nobody-has-this-key' } }],
      ['a signature with one digit changed', 40104, authorization(flipped)],
      ['a signature with another secret', 40104, { key: { secretKey: 'another secret' } }],
      ['a signature in capitals', 40102, authorization(inCapitals)],
      ['a path that was signed otherwise', 40104, target('credentials?', 'attestation/result?')],
      ['a query that was signed otherwise', 40104, target('user_id=u', 'user_id=v')],
      ['a date that was signed otherwise', 40104, date(anotherSecond)],
      ['a malformed X-Svc-Date', 40105, date(() => 'yesterday')],
    ] as const satisfies readonly (readonly [string, number, Change])[]
  ).map(([what, code, change]) =>
    refusedCase(`${what} is ${code}`, {
      code,
      // The short form names no key.
      applies: (profile) => code !== 40103 || hasGeneral(profile),
      valid: list,
      changed: (world) => list(world, change),
    }),
  ),
  refusedCase('a body that was signed otherwise is 40104', {
    code: 40104,
    valid: begin,
    changed: (world) =>
      begin(world, {
        signed: ({ body, ...request }) => {
          return { ...request, body: Buffer.from(Buffer.from(body).toString().replace('check', 'chekc')) }
        },
      }),
  }),
  ...[-1, 1].map((way) =>
    plainCase(`a date too far ${way < 0 ? 'in the past' : 'in the future'} is 40106`, async (world) => {
      const skew = world.profile.clock_skew_s * 1000
      const twin = await list(world, { clock: way * Math.max(0, skew - 10_000) })
      if (!isSuccess(twin)) return failed(`10 s within the limit: ${responseLine(twin)}`)
      // A date in the future needs more distance: it comes nearer while the request is on its way.
      const beyond = way < 0 ? 3_000 : 30_000
      return checkRefusal(await list(world, { clock: way * (skew + beyond) }), 40106, world)
    }),
  ),
  plainCase('40104 shows the canonical request, and never the secret', async (world) => {
    const exchange = await world.send(authorization(flipped).signed(signWithOverrides(world)))
    const { data } = readEnvelope(exchange)
    const { canonical_request, strings_to_sign } = data
    if (!world.profile.explain_signatures) {
      const isLeftOut = canonical_request === undefined && strings_to_sign === undefined
      return isLeftOut ? checkRefusal(exchange, 40104, world) : failed('the profile leaves it out')
    }
    if (exchange.response?.text.includes(world.target.key.secretKey) === true) return failed('the secret stands in it')
    const isWhole = typeof canonical_request === 'string' && canonical_request.startsWith(`GET\n`)
    const isOne = Array.isArray(strings_to_sign) && (strings_to_sign.length === 1 || !hasGeneral(world.profile))
    return passIf(isWhole && isOne, `data has ${Object.keys(data).join(', ') || 'nothing'}`)
  }),
  {
    ...plainCase('40104 for the short form shows a string for each scope, and names no key', async (world) => {
      if (!world.profile.explain_signatures) return skipped('the profile leaves it out')
      if (!isSuccess(await signed(SHORT)(world))) return vacuous('the short form is not accepted')
      const { strings_to_sign: strings } = readEnvelope(await wrongSecret(SHORT)(world)).data
      if (!Array.isArray(strings)) return failed('data has no strings_to_sign')
      const { accessKeyId } = world.target.key
      if (strings.some((each) => String(each).split('\n')[2]?.includes(accessKeyId))) return failed('it names the key')
      return passIf(strings.length > 1 && new Set(strings).size === strings.length, strings.join('; '))
    }),
    applies: allowsShortForm,
  },
  ...(
    [
      ['host that is not signed is 40107', 40107, { signedHeaders: 'x-svc-date' }],
      ['a signed header that was not sent is 40102', 40102, { signedHeaders: 'host;x-not-sent;x-svc-date' }],
      ['signed headers that are not ascending are 40102', 40102, { signedHeaders: 'x-svc-date;host' }],
      ['signed headers in upper case are 40102', 40102, { signedHeaders: 'Host;X-Svc-Date' }],
      ['a scope of another service is 40108', 40108, { scope: 'mail-server/' }],
      ['a scope of another day is 40108', 40108, { scope: 'fido-server/20200229' }],
      ['a scope that begins with another day is 40108', 40108, { scope: 'fido-server/20200229/shop' }],
      ['a scope that is not UTF-8 is 40108', 40108, { scope: 'fido-server/\u00ff' }],
      ['a date in ISO form is 40105', 40105, { date: '2030-01-01T00:00:00Z' }],
      ['a day that no calendar has is 40105', 40105, { date: '20300231T120000Z' }],
      ['an hour that no clock has is 40105', 40105, { date: '20300201T250000Z' }],
      ['a date with a fraction is 40105', 40105, { date: '20300201T120000.5Z' }],
      ['a date without its Z is 40105', 40105, { date: '20300201T120000' }],
    ] as const satisfies readonly SignedOtherwise[]
  ).map(refusedSigned),
  refusedCase('no X-Svc-Date is 40105', {
    code: 40105,
    valid: honestly,
    changed: (world) =>
      world.send(withHeader(signWithOverrides(world, { signedHeaders: 'host' }), 'X-Svc-Date', undefined)),
  }),
  refusedCase('an X-Svc-Date that is sent twice is 40105', {
    code: 40105,
    valid: honestly,
    changed: (world) => {
      const wire = signWithOverrides(world)
      return world.send({ ...wire, headers: [...wire.headers, ['X-Svc-Date', findHeader(wire, 'X-Svc-Date') ?? '']] })
    },
  }),
]

const NOBODY = { accessKeyId: 'nobody-has-this-key', secretKey: 'x' }

/** Each request has two causes of refusal: the service must report the one that comes first in this order. */
const orderCases = (
  [
    ['host not signed goes before a malformed date', 40107, { signedHeaders: 'x-svc-date', date: 'yesterday' }],
    ['a header not sent goes before a malformed date', 40102, { signedHeaders: 'host;x-no', date: 'yesterday' }],
    ['a malformed date goes before a bad scope', 40105, { date: 'yesterday', scope: 'mail-server/' }],
    ['a date too far off goes before a bad scope', 40106, { date: '20200101T000000Z', scope: 'mail-server/' }],
    ['a bad scope goes before an unknown key', 40108, { scope: 'mail-server/', key: NOBODY }],
    ['an unknown key goes before a wrong signature', 40103, { key: NOBODY }],
  ] as const satisfies readonly SignedOtherwise[]
).map(refusedSigned)

const SHORT: SigningOverrides = { form: 'short' }
const wrongSecret = (free: SigningOverrides) => (world: World) =>
  signed({ ...free, key: { ...world.target.key, secretKey: 'another secret altogether' } })(world)

const acceptedSigned = (name: string, free: SigningOverrides, applies = hasGeneral) =>
  acceptedCase(name, { applies, valid: signed(free), changed: wrongSecret(free) })

const dayOf = (world: World): string => formatSvcDate(world.now()).slice(0, 8)

const acceptedIdentifier = (what: string, identifier: (world: World) => string, wrong: string) =>
  acceptedCase(`the short form with ${what} as identifier is accepted`, {
    applies: allowsShortForm,
    valid: (world) => signed({ ...SHORT, scope: `fido-server/${identifier(world)}` })(world),
    changed: signed({ ...SHORT, scope: `fido-server/${wrong}` }),
  })

const query = (text: string): SigningOverrides => ({ target: `/rp/credentials?${text}` })

const formCases = [
  acceptedSigned('the general form is accepted', {}),
  acceptedSigned('the short form is accepted', SHORT, allowsShortForm),
  acceptedIdentifier('the access key’s ID', ({ target }) => target.key.accessKeyId, 'nobody-has-this-identifier'),
  acceptedIdentifier('the day', dayOf, '20200229'),
  acceptedCase('the short form with the RP ID as identifier is accepted', {
    needs: ['own-phone'],
    applies: allowsShortForm,
    valid: async (world) => {
      const { phone } = await scanRegistration(world)
      return signed({ ...SHORT, scope: `fido-server/${phone.bound()?.rp.id}` })(world)
    },
    changed: signed({ ...SHORT, scope: 'fido-server/nobody-has-this-identifier' }),
  }),
  acceptedCase('the short form finds the key of another RP', {
    needs: ['other-rp'],
    applies: allowsShortForm,
    valid: (world) => signed({ ...SHORT, key: world.target.otherKey ?? world.target.key })(world),
    changed: wrongSecret(SHORT),
  }),
  refusedCase('a form that the profile switches off is 40102', {
    code: 40102,
    applies: ({ authorization_forms }) => authorization_forms.length === 1,
    valid: honestly,
    changed: (world) => signed(hasGeneral(world.profile) ? SHORT : { form: 'general' })(world),
  }),
  refusedCase('the short form with another secret is 40104', {
    code: 40104,
    applies: allowsShortForm,
    valid: signed(SHORT),
    changed: wrongSecret(SHORT),
  }),
  acceptedSigned('a scope with an identifier is accepted', { scope: 'fido-server/my-service' }),
  acceptedSigned('a scope with more behind eight digits is no day', { scope: 'fido-server/20200229x' }),
  acceptedSigned('a scope beyond ASCII is signed as UTF-8', {
    scope: Buffer.from('fido-server/李伟').toString('latin1'),
  }),
  acceptedSigned('a percent sign in a scope escapes nothing', { scope: 'fido-server/%FF' }),
  acceptedCase('a scope with the day is accepted', {
    applies: hasGeneral,
    valid: (world) => signed({ scope: `fido-server/${dayOf(world)}` })(world),
    changed: signed({ scope: 'fido-server/20200229' }),
  }),
  plainCase('the same signed request may be sent again', async (world) => {
    const wire = signWithOverrides(world)
    const [first, again] = [await world.send(wire), await world.send(wire)]
    if (!isSuccess(first)) return vacuous(responseLine(first))
    if (isSuccess(await wrongSecret({})(world))) return vacuous('a wrong signature is accepted as well')
    return passIf(isSuccess(again), `the second time: ${responseLine(again)}`)
  }),
  acceptedCase('a header that is not signed changes nothing', {
    applies: hasGeneral,
    valid: (world) => {
      const wire = signWithOverrides(world)
      return world.send({ ...wire, headers: [...wire.headers, ['X-Request-Id', 'check']] })
    },
    changed: wrongSecret({ headers: [['X-Request-Id', 'check']] }),
  }),
]

const canonicalCases = [
  acceptedSigned('a query with escapes in lower case is signed in upper case', query('user_id=%e6%9d%8e')),
  acceptedSigned('a query out of order is sorted', query('zeta=1&user_id=u&alpha=2')),
  acceptedSigned('values of one name are sorted', query('user_id=u&x=b&x=a')),
  acceptedSigned('upper case goes before lower case in the query', query('user_id=u&b=1&B=2&a=3')),
  acceptedSigned('a plus in the query is a plus', query('user_id=a+b')),
  acceptedSigned('an escaped space in the query stays %20', query('user_id=a%20b')),
  acceptedSigned('a name without = counts as empty', query('user_id=u&flag')),
  acceptedSigned('a value with = is split at the first', query('user_id=a=b')),
  acceptedSigned('escaped letters in the query are written plainly', query('user_id=%61%2D%5F%2E%7E')),
  acceptedSigned('an escaped % in the query is escaped once', query('user_id=100%25')),
  acceptedSigned('an escaped & in the query is no separator', query('user_id=a%26b')),
  acceptedSigned('unreserved characters in the query stay', query('user_id=a-b_c.d~e')),
  acceptedSigned('further headers can be signed', { headers: [['X-Request-Id', 'check']] }),
  acceptedSigned('spaces around a signed header’s value do not count', { headers: [['X-Request-Id', '  check  ']] }),
  acceptedSigned('runs of spaces in a signed header’s value are one', { headers: [['X-Request-Id', 'a   b  c']] }),
  acceptedSigned('values of a repeated signed header are joined in their order', {
    headers: [
      ['X-Tag', 'b'],
      ['X-Tag', 'a'],
    ],
  }),
  acceptedSigned('an empty signed header is signed as empty', { headers: [['X-Empty', '']] }),
  acceptedSigned('a signed header beyond ASCII counts by its octets', {
    headers: [['X-Name', Buffer.from('李伟').toString('latin1')]],
  }),
  ...(
    [
      ['in the order in which it was sent', 'zeta=1&user_id=u&alpha=2'],
      ['with values in the order in which they were sent', 'user_id=u&x=b&x=a'],
      ['with escapes as they were sent', 'user_id=%e6%9d%8e'],
      ['without the = of an empty value', 'flag&user_id=u'],
    ] as const
  ).map(([how, sent]) =>
    refusedCase(`a query that is signed ${how} is 40104`, {
      code: 40104,
      valid: signed(query(sent)),
      changed: signed({ ...query(sent), signedQuery: sent }),
    }),
  ),
  plainCase('a plus in the query is no space', async (world) => {
    const path = '/rp/credentials?user_id=a+b'
    const same = await world.call('DELETE', path, { user_id: 'a+b', credential_ids: [] })
    if (!isSuccess(same)) return failed(`user_id a+b in query and body: ${responseLine(same)}`)
    return checkRefusal(await world.call('DELETE', path, { user_id: 'a b', credential_ids: [] }), 40004, world)
  }),
]

/** docs/interface/signing.md */
export const signingCases: readonly Case[] = [...formCases, ...canonicalCases, ...refusalCases, ...orderCases]
