import { expect, test } from 'vitest'
import type { RegistrationResponseJson } from '../../../src-main/core/protocol/webauthn-json.ts'
import type { ObservedCall, Visit } from '../../../src-main/testing/check/webauthn/learn/describe-call.ts'
import { type RecognisedServer, recogniseServer } from '../../../src-main/testing/check/webauthn/learn/recognise.ts'

/** What the page of one visit knows: another user, challenge, answer and token each time. */
type Own = {
  readonly name: string
  readonly token: string
  readonly options: object
  readonly challenge: string
  readonly credential: RegistrationResponseJson
  readonly octets: (form: 'base64' | 'hex') => string
  readonly isHonest: boolean
}

const ownOf = (n: number, isHonest: boolean): Own => {
  const base64url = (text: string): string => Buffer.from(text).toString('base64url')
  const challenge = base64url(`a challenge of some length ${n}`)
  const clientDataJSON = base64url(JSON.stringify({ type: 'webauthn.create', challenge, more: '~~~???>>>' }))
  const id = base64url(`a credential id ${n}`)
  return {
    ...{ name: `learn${'abcd'.charAt(n).repeat(8)}`, token: `Tok3n+${String(n).repeat(24)}/x`, challenge, isHonest },
    options: { challenge, user: { id: base64url(`user ${n}`) }, pubKeyCredParams: [] },
    credential: {
      ...{ id, rawId: id, type: 'public-key', authenticatorAttachment: 'platform', clientExtensionResults: {} },
      response: {
        ...{ clientDataJSON, attestationObject: base64url(`an attestation object  ${n}`) },
        ...{ authenticatorData: base64url(`data ${n}`), transports: ['internal'], publicKeyAlgorithm: -7 },
      },
    },
    octets: (form) => Buffer.from(clientDataJSON, 'base64url').toString(form),
  }
}

type Texts = Readonly<Record<string, string>>
type Asked = { readonly url?: string; method?: string; json?: unknown; headers?: Texts; body?: string }
type Given = { readonly status?: number; readonly at?: string; readonly gives?: unknown; readonly cookies?: Texts }
type Told = Asked & Given

const seenOf = ({
  url = '/',
  json,
  headers = {},
  body = json === undefined ? undefined : JSON.stringify(json),
  ...told
}: Told): ObservedCall => {
  const address = new URL(url, 'https://shop.example').href
  const { method = body === undefined ? 'GET' : 'POST', status = 200, gives = '', cookies = {}, at = url } = told
  const text = typeof gives === 'string' ? gives : JSON.stringify(gives)
  return {
    ...{ method, url: address, ...(body === undefined ? {} : { body }) },
    headers: { ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    answer: { status, address: new URL(at, address).href, headers: [], cookies, text },
  }
}

/** How a site differs: its requests before those for options, what these are, and those between ceremony and answer. */
type Site = {
  readonly first?: (own: Own) => readonly Told[]
  readonly ask?: (own: Own) => Told
  readonly between?: readonly Told[]
  readonly answer?: (own: Own) => Told
  /** No second visit with a wrong answer. */
  readonly isSeenOnce?: true
}

const learned = ({ first, ask, between = [], answer, isSeenOnce }: Site) => {
  const visit = (n: number, isHonest: boolean): Visit => {
    const own = ownOf(n, isHonest)
    const before = first?.(own) ?? []
    const asking = { url: '/options', json: { user: own.name }, gives: own.options, ...ask?.(own) }
    const answering = {
      url: '/answer',
      json: own.credential,
      status: isHonest ? 200 : 400,
      gives: {},
      ...answer?.(own),
    }
    return {
      user: { name: own.name, displayName: `Robin Q${own.name}` },
      seen: [...before, asking, ...between, answering].map(seenOf),
      ceremony: { at: before.length + 1, challenge: own.challenge, response: own.credential },
    }
  }
  const pair = { honest: visit(0, true), wrong: isSeenOnce ? undefined : visit(1, false) }
  const found = recogniseServer({ page: 'https://shop.example/start', registration: pair, signIn: pair })
  const { config } = found
  const { registration_options, registration } = config.calls
  const before = (config.before ?? []).map(({ http }) => ({ before: http }))
  return { ...found, calls: [before, registration_options, registration].flat() }
}

const ASKED = { path: '/options', json: { user: '{user_id}' } }
const ANSWERED = { path: '/answer', json: '{credential}' }
const KEY = 'Aq8fK2mZ0pLw93XyTb71'

/** What of the calls differs. */
type Calls = { readonly first?: object; readonly asked?: object; readonly answered?: object }

const SITES: readonly (readonly [string, Site, Calls])[] = [
  ['the JSON form as it is', {}, {}],
  [
    'words in braces of its own',
    {
      ask: ({ name: user }) => ({
        ...{ json: { user, form: 'Hi {name}, {{user}}', n: '{1}' }, headers: { 'x-form': '{credential}' } },
      }),
    },
    {
      asked: {
        json: { user: '{user_id}', form: 'Hi {{name}}, {{{user}}}', n: '{1}' },
        headers: { 'x-form': '{{credential}}' },
      },
    },
  ],
  [
    'a cookie that a header repeats',
    {
      first: ({ token: xsrf }) => [{ cookies: { xsrf } }],
      ask: ({ token }) => ({ headers: { cookie: `xsrf=${token}`, 'x-xsrf': token } }),
    },
    { first: { path: '/', keep: { xsrf: { cookie: 'xsrf' } } }, asked: { headers: { 'x-xsrf': '{xsrf}' } } },
  ],
  [
    'a session that its page begins, and another method and type',
    {
      first: ({ token: sid }) => [{ cookies: { sid } }],
      ask: ({ name, token }) => ({
        ...{ method: 'PUT', json: { user: name, shown: `Robin Q${name}` } },
        headers: { cookie: `sid=${token}`, accept: 'application/json', 'content-type': 'application/vnd.api+json' },
      }),
    },
    {
      first: { path: '/' },
      asked: {
        ...{ method: 'PUT', json: { user: '{user_id}', shown: '{display_name}' } },
        headers: { accept: 'application/json', 'content-type': 'application/vnd.api+json' },
      },
    },
  ],
  [
    'a session that each answer begins',
    { first: () => [{ cookies: { sid: 'x' } }], ask: () => ({ headers: { cookie: 'sid=x' }, cookies: { sid: 'x' } }) },
    {},
  ],
  [
    'a key of another host, the same for all, which is asked for twice',
    {
      first: () => [{ url: 'https://keys.example.net/', gives: { key: KEY } }],
      ask: ({ options }) => ({ headers: { 'x-key': KEY }, gives: { ...options, key: KEY } }),
      answer: () => ({ headers: { 'x-key': KEY } }),
    },
    {
      first: { path: 'https://keys.example.net/', keep: { key: 'key' } },
      ...{ asked: { headers: { 'x-key': '{key}' } }, answered: { headers: { 'x-key': '{key}' } } },
    },
  ],
  [
    'octets in standard base64, some of which look like base64url',
    {
      answer: ({ octets, credential }) => ({
        json: { said: octets('base64'), object: credential.response.attestationObject },
      }),
    },
    {
      answered: {
        json: {
          said: '{credential.response.clientDataJSON:base64}',
          object: '{credential.response.attestationObject:base64}',
        },
      },
    },
  ],
  [
    'a refusal by where it leads',
    { answer: ({ isHonest }) => ({ status: 200, at: isHonest ? '/inside' : '/start', gives: '<p>Hi</p>' }) },
    { answered: { accepted: { read: { address: '/inside' } } } },
  ],
  [
    'a refusal by a flag',
    { answer: ({ isHonest: isIn }) => ({ status: 200, gives: { state: isIn ? 'a' : 'b', isIn } }) },
    { answered: { accepted: { read: 'isIn', is: true } } },
  ],
  [
    'a flag beside a refusal by status',
    { answer: ({ isHonest }) => ({ gives: isHonest ? { status: 'ok', verified: true } : { verified: false } }) },
    { answered: { accepted: { read: 'verified', is: true } } },
  ],
  [
    'a token of an account that is made first',
    {
      first: ({ name, token }) => [
        { url: '/accounts', json: { login: `${name}@example.org` }, gives: { data: { token } } },
      ],
      ask: ({ token }) => ({ headers: { authorization: `Bearer ${token}` } }),
    },
    {
      first: { before: { path: '/accounts', json: { login: '{user_id}@example.org' }, keep: { token: 'data.token' } } },
      asked: { headers: { authorization: 'Bearer {token}' } },
    },
  ],
  [
    'options in an attribute of a page, and the user in a path',
    {
      ask: ({ name, options }) => ({
        ...{ url: `/join/${name}?step=2`, json: undefined },
        gives: `<div data-options="${JSON.stringify(options).replaceAll('"', '&quot;')}">`,
      }),
    },
    { asked: { path: '/join/{user_id}?step=2', json: undefined, options: { text: '<div data-options="([^"]+)"' } } },
  ],
  [
    'a token beside the user’s name, as its page escapes it',
    {
      first: ({ name, token }) => [
        { gives: `<body class="x" data-user="${name}" data-key="${token.replace('+', '&#43;')}">` },
      ],
      ask: ({ token }) => ({ headers: { 'x-key': token } }),
    },
    {
      first: { path: '/', keep: { x_key: { text: 'data-key="([^"]+)"' } } },
      asked: { headers: { 'x-key': '{x_key}' } },
    },
  ],
  [
    'options inside of others, one member of which comes back',
    {
      ask: ({ options, isHonest }) => ({ gives: { size: 1, data: { options }, attempt: Number(isHonest) } }),
      answer: ({ isHonest }) => ({ url: `/answer?attempt=${Number(isHonest)}` }),
    },
    {
      asked: { keep: { attempt: 'attempt' }, options: 'data.options' },
      answered: { path: '/answer?attempt={attempt}' },
    },
  ],
  [
    'a text of JSON in JSON',
    { answer: ({ credential }) => ({ json: { data: JSON.stringify(credential) } }) },
    { answered: { json: { data: '{credential:text}' } } },
  ],
  [
    'members in forms of their own',
    {
      answer: ({ credential, octets }) => ({
        json: { rawId: credential.rawId, list: [...Buffer.from(octets('hex'), 'hex')] },
      }),
    },
    { answered: { json: { rawId: '{credential.rawId}', list: '{credential.response.clientDataJSON:bytes}' } } },
  ],
  [
    'a form of several parts',
    {
      answer: ({ octets }) => ({
        ...{ json: undefined, headers: { 'content-type': 'multipart/form-data; boundary=xx' } },
        body: `--xx\r\nContent-Disposition: form-data; name="said"\r\n\r\n${octets('base64')}\r\n--xx--\r\n`,
      }),
    },
    { answered: { json: undefined, form: { said: '{credential.response.clientDataJSON:base64}' } } },
  ],
  [
    'a refusal by a word',
    { answer: ({ name, isHonest }) => ({ status: 200, gives: { id: name, status: isHonest ? 'ok' : 'no' } }) },
    { answered: { accepted: { read: 'status', is: 'ok' } } },
  ],
  [
    'a refusal by a sentence of a page',
    {
      answer: ({ isHonest }) => ({
        ...{ status: 200, gives: `<p>Your account</p>${isHonest ? '' : '<b>Not possible (7).</b>'}` },
      }),
    },
    { answered: { refused: 'Not possible \\(7\\)\\.' } },
  ],
]

test.each(SITES)('the calls of a site with %s are recognised', (_, site, { first, asked, answered }) => {
  const { config, calls } = learned(site)
  expect(config).toMatchObject({ url: 'https://shop.example' })
  expect(calls).toEqual([...(first ? [first] : []), { ...ASKED, ...asked }, { ...ANSWERED, ...answered }])
})

test('octets that are the same in base64 and base64url are taken for base64url, if a page was seen once', () => {
  const { calls } = learned({
    answer: ({ credential: { response } }) => ({
      json: { client: response.clientDataJSON, statement: response.attestationObject },
    }),
    isSeenOnce: true,
  })
  const json = { client: '{credential.response.clientDataJSON}', statement: '{credential.response.attestationObject}' }
  expect(calls).toEqual([ASKED, { ...ANSWERED, json }])
})

test('a server with another origin than its page is called by its own', () => {
  const api = 'https://api.shop.example'
  const { config } = learned({ ask: () => ({ url: `${api}/options` }), answer: () => ({ url: `${api}/answer` }) })
  expect(config).toMatchObject({ url: api, origin: 'https://shop.example', calls: { registration: ANSWERED } })
})

const nonceOf = ({ isHonest }: Own): string => (isHonest ? 'q1' : 'q2')

test('calls that nothing asks for may be left out, and the notes on others keep their places', () => {
  const all = learned({
    first: (own) => [
      { url: '/visits', json: {} },
      { url: '/accounts', json: { user: own.name, nonce: nonceOf(own) }, gives: { token: own.token } },
    ],
    ask: ({ token }) => ({ headers: { 'x-token': token } }),
    between: [{ url: '/log', json: {} }],
  })
  expect(all.doubtful).toEqual(['registration 0', 'registration 3', 'sign_in 0', 'sign_in 3'])
  const { config, notes } = all.doubtful
    .toReversed()
    .reduce<RecognisedServer>((found, call) => found.without(call), all)
  expect(config.before).toMatchObject([{ http: { path: '/accounts' } }])
  const sign_in_options = [{ path: '/accounts' }, ASKED]
  expect(config.calls).toMatchObject({ registration: ANSWERED, sign_in_options, sign_in: ANSWERED })
  expect(notes.map(({ path }) => path)).toEqual([
    ['before', 0, 'http', 'json', 'nonce'],
    ['calls', 'sign_in_options', 0, 'json', 'nonce'],
  ])
})

test.each<[what: string, Site, call: string, told: string]>([
  ['no options', { ask: () => ({ gives: {} }) }, 'registration_options', 'POST /options (HTTP 200)'],
  [
    'no answer',
    { answer: () => ({ url: '/done', json: undefined, status: 200 }) },
    ...(['registration', 'GET /done (HTTP 200)'] as const),
  ],
  ['no refusal', { answer: () => ({ status: 200 }) }, 'registration', 'like an honest one'],
  [
    'an honest answer that a member of HTTP 200 refuses',
    { answer: ({ name: said }) => ({ status: 200, gives: { ok: false, said } }) },
    ...(['registration', 'The honest answer was refused, too: HTTP 200'] as const),
  ],
  [
    'a value that the page makes',
    { ask: (own) => ({ json: { user: own.name, nonce: nonceOf(own) } }) },
    ...(['registration_options.json.nonce', 'the page makes it'] as const),
  ],
])('a site with %s is told by what was seen', (_, site, call, told) => {
  const path = ['calls', ...call.split('.')]
  expect(learned(site).notes).toContainEqual({ path, text: expect.stringContaining(told) })
})
