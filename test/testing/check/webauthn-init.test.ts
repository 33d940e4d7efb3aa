import { expect, test } from 'vitest'
import type { RegistrationResponseJson } from '../../../src-main/core/protocol/webauthn-json.ts'
import type { Seen, Visit } from '../../../src-main/testing/check/webauthn/learn/describe-call.ts'
import { doubtfulCalls, recognise, withoutCall } from '../../../src-main/testing/check/webauthn/learn/recognise.ts'

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

type Told = {
  readonly url?: string
  readonly method?: string
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly status?: number
  readonly at?: string
  readonly gives?: unknown
  readonly cookies?: Readonly<Record<string, string>>
}

const seenOf = ({
  url = '/',
  json,
  headers = {},
  body = json === undefined ? undefined : JSON.stringify(json),
  ...told
}: Told): Seen => {
  const address = new URL(url, 'https://shop.example').href
  const { method = body === undefined ? 'GET' : 'POST', status = 200, gives = '', cookies = {}, at = url } = told
  const text = typeof gives === 'string' ? gives : JSON.stringify(gives)
  return {
    ...{ method, url: address, ...(body === undefined ? {} : { body }) },
    headers: { ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    answer: { status, address: new URL(at, address).href, headers: [], cookies, text },
  }
}

/** The requests before the ceremony, and those after it. */
type Site = (own: Own) => readonly [before: readonly Told[], after: readonly Told[]]

const learned = (site: Site) => {
  const visit = (n: number, isHonest: boolean): Visit => {
    const own = ownOf(n, isHonest)
    const [before, after] = site(own)
    return {
      user: { name: own.name, displayName: `Robin Q${own.name}` },
      seen: [...before, ...after].map(seenOf),
      ceremony: { at: before.length, challenge: own.challenge, response: own.credential },
    }
  }
  const pair = { honest: visit(0, true), wrong: visit(1, false) }
  const { config, notes } = recognise({ page: 'https://shop.example/start', registration: pair, signIn: pair })
  const { registration_options, registration } = config.calls
  const before = (config.before ?? []).map(({ http }) => ({ before: http }))
  return { config, notes, calls: [before, registration_options, registration].flat() }
}

const asking = (own: Own, more: Told = {}): Told => ({
  url: '/options',
  json: { user: own.name },
  gives: own.options,
  ...more,
})
const answering = (own: Own, more: Told = {}): Told => ({
  ...{ url: '/answer', json: own.credential, status: own.isHonest ? 200 : 400, gives: {} },
  ...more,
})
const ASKED = { path: '/options', json: { user: '{user_id}' } }
const ANSWERED = { path: '/answer', json: '{credential}' }

const SITES: readonly (readonly [string, Site, readonly unknown[]])[] = [
  ['the JSON form as it is', (own) => [[asking(own)], [answering(own)]], [ASKED, ANSWERED]],
  [
    'words in braces of its own',
    (own) => [
      [
        asking(own, {
          json: { user: own.name, form: 'Hi {name}, {{user}}', n: '{1}' },
          headers: { 'x-form': '{credential}' },
        }),
      ],
      [answering(own)],
    ],
    [
      {
        ...{ path: '/options', json: { user: '{user_id}', form: 'Hi {{name}}, {{{user}}}', n: '{1}' } },
        headers: { 'x-form': '{{credential}}' },
      },
      ANSWERED,
    ],
  ],
  [
    'a cookie that a header repeats',
    (own) => [
      [
        { cookies: { xsrf: own.token } },
        asking(own, { headers: { cookie: `xsrf=${own.token}`, 'x-xsrf': own.token } }),
      ],
      [answering(own)],
    ],
    [{ path: '/', keep: { xsrf: { cookie: 'xsrf' } } }, { ...ASKED, headers: { 'x-xsrf': '{xsrf}' } }, ANSWERED],
  ],
  [
    'a session that its page begins, and another method and type',
    (own) => [
      [
        { cookies: { sid: own.token } },
        asking(own, {
          ...{ method: 'PUT', json: { user: own.name, shown: `Robin Q${own.name}` } },
          headers: {
            cookie: `sid=${own.token}`,
            accept: 'application/json',
            'content-type': 'application/vnd.api+json',
          },
        }),
      ],
      [answering(own)],
    ],
    [
      { path: '/' },
      {
        ...{ path: '/options', method: 'PUT', json: { user: '{user_id}', shown: '{display_name}' } },
        headers: { accept: 'application/json', 'content-type': 'application/vnd.api+json' },
      },
      ANSWERED,
    ],
  ],
  [
    'a session that each answer begins',
    (own) => [
      [{ cookies: { sid: 'x' } }, asking(own, { headers: { cookie: 'sid=x' }, cookies: { sid: 'x' } })],
      [answering(own)],
    ],
    [ASKED, ANSWERED],
  ],
  [
    'a key of another host, the same for all, which is asked for twice',
    (own) => [
      [
        { url: 'https://keys.example.net/', gives: { key: 'Aq8fK2mZ0pLw93XyTb71' } },
        asking(own, {
          headers: { 'x-key': 'Aq8fK2mZ0pLw93XyTb71' },
          gives: { ...own.options, key: 'Aq8fK2mZ0pLw93XyTb71' },
        }),
      ],
      [answering(own, { headers: { 'x-key': 'Aq8fK2mZ0pLw93XyTb71' } })],
    ],
    [
      { path: 'https://keys.example.net/', keep: { key: 'key' } },
      { ...ASKED, headers: { 'x-key': '{key}' } },
      { ...ANSWERED, headers: { 'x-key': '{key}' } },
    ],
  ],
  [
    'octets in standard base64, some of which look like base64url',
    (own) => [
      [asking(own)],
      [answering(own, { json: { said: own.octets('base64'), object: own.credential.response.attestationObject } })],
    ],
    [
      ASKED,
      {
        path: '/answer',
        json: {
          said: '{credential.response.clientDataJSON:base64}',
          object: '{credential.response.attestationObject:base64}',
        },
      },
    ],
  ],
  [
    'a refusal by where it leads',
    (own) => [
      [asking(own)],
      [answering(own, { status: 200, at: own.isHonest ? '/inside' : '/start', gives: '<p>Hi</p>' })],
    ],
    [ASKED, { ...ANSWERED, accepted: { read: { address: '/inside' } } }],
  ],
  [
    'a refusal by a flag',
    (own) => [
      [asking(own)],
      [answering(own, { status: 200, gives: { state: own.isHonest ? 'a' : 'b', isIn: own.isHonest } })],
    ],
    [ASKED, { ...ANSWERED, accepted: { read: 'isIn', is: true } }],
  ],
  [
    'a flag beside a refusal by status',
    (own) => [
      [asking(own)],
      [answering(own, { gives: own.isHonest ? { status: 'ok', verified: true } : { verified: false } })],
    ],
    [ASKED, { ...ANSWERED, accepted: { read: 'verified', is: true } }],
  ],
  [
    'a token of an account that is made first',
    (own) => [
      [
        { url: '/accounts', json: { login: `${own.name}@example.org` }, gives: { data: { token: own.token } } },
        asking(own, { headers: { authorization: `Bearer ${own.token}` } }),
      ],
      [answering(own)],
    ],
    [
      { before: { path: '/accounts', json: { login: '{user_id}@example.org' }, keep: { token: 'data.token' } } },
      { ...ASKED, headers: { authorization: 'Bearer {token}' } },
      ANSWERED,
    ],
  ],
  [
    'options in an attribute of a page, and the user in a path',
    (own) => [
      [
        {
          url: `/join/${own.name}?step=2`,
          gives: `<div data-options="${JSON.stringify(own.options).replaceAll('"', '&quot;')}">`,
        },
      ],
      [answering(own)],
    ],
    [{ path: '/join/{user_id}?step=2', options: { text: '<div data-options="([^"]+)"' } }, ANSWERED],
  ],
  [
    'a token beside the user’s name, as its page escapes it',
    (own) => [
      [
        { gives: `<body class="x" data-user="${own.name}" data-key="${own.token.replace('+', '&#43;')}">` },
        asking(own, { headers: { 'x-key': own.token } }),
      ],
      [answering(own)],
    ],
    [
      { path: '/', keep: { x_key: { text: 'data-key="([^"]+)"' } } },
      { ...ASKED, headers: { 'x-key': '{x_key}' } },
      ANSWERED,
    ],
  ],
  [
    'options inside of others, one member of which comes back',
    (own) => [
      [asking(own, { gives: { size: 1, data: { options: own.options }, attempt: Number(own.isHonest) } })],
      [answering(own, { url: `/answer?attempt=${Number(own.isHonest)}` })],
    ],
    [
      { ...ASKED, keep: { attempt: 'attempt' }, options: 'data.options' },
      { ...ANSWERED, path: '/answer?attempt={attempt}' },
    ],
  ],
  [
    'a text of JSON in JSON',
    (own) => [[asking(own)], [answering(own, { json: { data: JSON.stringify(own.credential) } })]],
    [ASKED, { path: '/answer', json: { data: '{credential:text}' } }],
  ],
  [
    'members in forms of their own',
    (own) => [
      [asking(own)],
      [answering(own, { json: { rawId: own.credential.rawId, list: [...Buffer.from(own.octets('hex'), 'hex')] } })],
    ],
    [
      ASKED,
      { path: '/answer', json: { rawId: '{credential.rawId}', list: '{credential.response.clientDataJSON:bytes}' } },
    ],
  ],
  [
    'a form of several parts',
    (own) => [
      [asking(own)],
      [
        answering(own, {
          ...{ json: undefined, headers: { 'content-type': 'multipart/form-data; boundary=xx' } },
          body: `--xx\r\nContent-Disposition: form-data; name="said"\r\n\r\n${own.octets('base64')}\r\n--xx--\r\n`,
        }),
      ],
    ],
    [ASKED, { path: '/answer', form: { said: '{credential.response.clientDataJSON:base64}' } }],
  ],
  [
    'a refusal by a word',
    (own) => [
      [asking(own)],
      [answering(own, { status: 200, gives: { id: own.name, status: own.isHonest ? 'ok' : 'no' } })],
    ],
    [ASKED, { ...ANSWERED, accepted: { read: 'status', is: 'ok' } }],
  ],
  [
    'a refusal by a sentence of a page',
    (own) => [
      [asking(own)],
      [answering(own, { status: 200, gives: `<p>Your account</p>${own.isHonest ? '' : '<b>Not possible (7).</b>'}` })],
    ],
    [ASKED, { ...ANSWERED, refused: 'Not possible \\(7\\)\\.' }],
  ],
]

test.each(SITES)('the calls of a site with %s are recognised', (_, site, calls) => {
  expect(learned(site)).toMatchObject({ config: { url: 'https://shop.example' } })
  expect(learned(site).calls).toEqual(calls)
})

test('a server with another origin than its page is called by its own', () => {
  const api = 'https://api.shop.example'
  const { config } = learned((own) => [
    [asking(own, { url: `${api}/options` })],
    [answering(own, { url: `${api}/answer` })],
  ])
  expect(config).toMatchObject({ url: api, origin: 'https://shop.example', calls: { registration: ANSWERED } })
})

test('calls that nothing asks for may be left out, and the notes on others keep their places', () => {
  const all = learned((own) => [
    [
      { url: '/visits', json: {} },
      { url: '/accounts', json: { user: own.name, nonce: own.isHonest ? 'q1' : 'q2' }, gives: { token: own.token } },
      asking(own, { headers: { 'x-token': own.token } }),
    ],
    [{ url: '/log', json: {} }, answering(own)],
  ])
  const places = doubtfulCalls(all)
  expect(places).toEqual([
    ['before', 0],
    ['calls', 'registration', 0],
    ['calls', 'sign_in_options', 0],
    ['calls', 'sign_in', 0],
  ])
  const { config, notes } = places.toReversed().reduce(withoutCall, all)
  expect(config.before).toMatchObject([{ http: { path: '/accounts' } }])
  expect(config.calls).toMatchObject({
    registration: ANSWERED,
    sign_in_options: [{ path: '/accounts' }, ASKED],
    sign_in: ANSWERED,
  })
  expect(notes.map(({ path }) => path)).toEqual([
    ['before', 0, 'http', 'json', 'nonce'],
    ['calls', 'sign_in_options', 0, 'json', 'nonce'],
  ])
})

test.each<readonly [string, Site, readonly string[], string]>([
  [
    'no options',
    (own) => [[asking(own, { gives: {} })], [answering(own)]],
    ['calls', 'registration_options'],
    'POST /options (HTTP 200)',
  ],
  ['no answer', (own) => [[asking(own)], [{ url: '/done' }]], ['calls', 'registration'], 'GET /done (HTTP 200)'],
  [
    'no refusal',
    (own) => [[asking(own)], [answering(own, { status: 200 })]],
    ['calls', 'registration'],
    'like an honest one',
  ],
  [
    'an honest answer that a member of HTTP 200 refuses',
    (own) => [[asking(own)], [answering(own, { status: 200, gives: { ok: false, said: own.name } })]],
    ['calls', 'registration'],
    'The honest answer was refused, too: HTTP 200',
  ],
  [
    'a value that the page makes',
    (own) => [[asking(own, { json: { user: own.name, nonce: own.isHonest ? 'q1' : 'q2' } })], [answering(own)]],
    ['calls', 'registration_options', 'json', 'nonce'],
    'the page makes it',
  ],
])('a site with %s is told by what was seen', (_, site, path, told) => {
  expect(learned(site).notes).toContainEqual({ path, text: expect.stringContaining(told) })
})
