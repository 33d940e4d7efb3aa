import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createRandom } from '../../../src-main/bench/harness/random.ts'
import { readRpSuite, readWebauthnServer } from '../../../src-main/cli/read-calls.ts'
import type { CheckReport, CheckVerdict } from '../../../src-main/core/contract/check-report.ts'
import type { ValueSource } from '../../../src-main/core/contract/http-call.ts'
import type { Policy } from '../../../src-main/core/contract/webauthn-server.ts'
import { WEBAUTHN_CASES, type WebauthnCase } from '../../../src-main/testing/check/webauthn/cases.ts'
import { checkWebauthn } from '../../../src-main/testing/check/webauthn/run.ts'
import type { WebauthnTarget } from '../../../src-main/testing/check/webauthn/server.ts'
import { holdWebauthn, playWebauthn, webauthnCases } from '../../../src-main/testing/own-server/webauthn.ts'
import { must } from '../../phones/authenticator/support/requests.ts'
import { ROOT } from '../../support/imports.ts'
import { isLong } from '../../support/parts.ts'
import { runCommand } from '../../support/run-command.ts'
import { listenBriefly, serveBriefly } from '../../support/serve-briefly.ts'
import { begin } from '../../support/spawn-tied.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { certificateFor } from '../../support/tls.ts'

const SERVER = readFileSync(join(ROOT, 'test/foreign-servers/simplewebauthn/server.mjs'), 'utf8')

type Edits = readonly (readonly [from: string, to: string])[]

/** Code with each of these texts replaced, all of which it must have. */
const changed = (edits: Edits, code: string): string =>
  edits.reduce((before, [from, to]) => {
    expect(before).toContain(from)
    return before.replaceAll(from, () => to)
  }, code)

/** A server over a library of other makers, or the same with some lines changed. */
const serving = async (edits: Edits = [], of = SERVER): Promise<string> => {
  const code = changed(edits, of)
  const { ready, child } = begin([process.execPath, '--input-type=module', '-e', code], { cwd: ROOT })
  onTestFinished(() => void child.kill('SIGKILL'))
  return (await ready).url ?? ''
}

type Tried = {
  readonly cases?: readonly WebauthnCase[]
  readonly policies?: readonly Policy[]
  readonly site?: Omit<WebauthnTarget, 'url'>
}

const verdictsAt = async (url: string, { cases = WEBAUTHN_CASES, policies = [], site = {} }: Tried = {}) => {
  const results = await checkWebauthn({
    ...{ target: { ...site, url }, cases, policies: new Set(policies), parallel: 4, now: Date.now },
    random: createRandom().stream('check', 'check', 'check'),
    signal: new AbortController().signal,
    onResult: () => undefined,
  })
  return results.map(({ case: { id }, finding }) => ({ id, ...finding }))
}

const named = (...ids: readonly string[]): readonly WebauthnCase[] =>
  ids.map((id) => {
    const found = WEBAUTHN_CASES.find((each) => each.id === id)
    if (found === undefined) throw new Error(`there is no case ${id}`)
    return found
  })

const ACCEPTED = 'a-registration-and-a-sign-in-are-accepted'
const CHALLENGE = 'a-registration-with-challenge-wrong-is-refused'
const SIGNATURE = 'a-sign-in-with-signature-by-another-key-is-refused'
const OTHERS_CREDENTIAL = 'a-credential-of-another-user-signs-nobody-in'
const ANY_CHALLENGE: Edits = [['expectedChallenge: challenge,', 'expectedChallenge: () => true,']]

test('every case has a name of its own, and the documents have their number', () => {
  expect(new Set(WEBAUTHN_CASES.map(({ id }) => id)).size).toBe(WEBAUTHN_CASES.length)
  for (const page of ['docs/using/webauthn-servers.md', 'README.md'])
    expect(readFileSync(join(ROOT, page), 'utf8')).toContain(`${WEBAUTHN_CASES.length} cases, each `)
})

test.each([
  ['a-registration-with-top-origin-wrong-is-refused', '7.1.11'],
  ['a-sign-in-with-top-origin-wrong-is-refused', '7.2.14'],
  ['a-registration-with-user-verification-missing-is-refused', '7.1.16'],
  ['a-sign-in-with-user-verification-missing-is-refused', '7.2.17'],
  ['a-registration-with-algorithm-not-requested-is-refused', '7.1.20'],
  ['a-registration-with-key-algorithm-unknown-is-refused', '7.1.20'],
  ['a-registration-with-key-not-a-map-is-refused', '7.1.20'],
  ['a-registration-with-key-cut-off-is-refused', '7.1.20'],
  ['a-registration-with-key-not-on-curve-is-refused', '7.1.22'],
  ['a-registration-with-key-type-unknown-is-refused', '7.1.22'],
  ['a-registration-with-key-compressed-is-refused', '7.1.13'],
  ['a-registration-with-certificate-expired-is-refused', '7.1.24'],
  ['a-registration-with-issuer-not-ca-is-refused', '7.1.24'],
  ['a-registration-with-chain-untrusted-is-refused', '7.1.24'],
  ['a-registration-with-chain-empty-is-refused', '7.1.22'],
  ['a-sign-in-with-signature-by-another-key-is-refused', '7.2.21'],
  ['a-registration-with-client-data-with-byte-order-mark-is-accepted', '7.1.5'],
  ['a-sign-in-with-client-data-with-byte-order-mark-is-accepted', '7.2.8'],
  ['a-sign-in-with-signature-other-half-is-accepted', '7.2.21'],
])('%s names step %s', (id, step) => expect(named(id)).toMatchObject([{ step }]))

const APPID_HASH = 'expectedRPID: body.clientExtensionResults.appid ? origin() : rpID(),'
const LENIENT_ORIGIN = `expectedOrigin: JSON.parse(Buffer.from(body.response.clientDataJSON, 'base64url')).origin,`
const NO_ROUTE = 'if (run === undefined)'
const orWhere = (condition: string): string => `if (run === undefined || (${condition}))`

/** A decision of the server's own on what it calls `fmt`: the bytes of a CBOR text of that length. */
const withFormats = (decision: string): Edits => [
  [
    NO_ROUTE,
    `const object = Buffer.from(body.response?.attestationObject ?? '', 'base64url').toString('latin1')
     const fmt = /fmt[cen](tpm|apple|handset-future)/.exec(object)?.[1]
     ${decision}
     ${NO_ROUTE}`,
  ],
]

/** The same server as a site of its own: a login, a token from a page, forms, wrapped answers, refusals with HTTP 200. */
const SITE = changed(
  [
    ['POST /attestation/options', 'POST /passkeys/new'],
    ['POST /attestation/result', 'POST /passkeys'],
    ['POST /assertion/options', 'POST /sessions/new'],
    ['POST /assertion/result', 'POST /sessions'],
    ["JSON.parse(Buffer.concat(chunks).toString() || '{}')", 'bodyOf(Buffer.concat(chunks).toString())'],
    [
      'const users =',
      `const bodyOf = (text) => JSON.parse(new URLSearchParams(text).get('credential') ?? (text || '{}'))\nconst logins = new Set()\nconst users =`,
    ],
    [
      "{ status: 'ok', errorMessage: '', ...(await run(body, session)) }",
      '{ data: { options: await run(body, session) } }',
    ],
    ['answer(400, {', 'answer(200, { refused: true,'],
    [
      'const run =',
      `if (request.url === '/page') return answer(200, \`<meta name="csrf" content="\${(session.csrf ??= sid.slice(8))}">\`, cookie)
       if (request.url === '/login' && logins.has(body.user)) return answer(409, {})
       if (request.url === '/login') return answer(200, { account: (session.login = body.user) }, logins.add(body.user) && cookie)
       if (request.url === '/me') return answer(200, { user: session.isIn || session.login ? { name: session.username } : null }, cookie)
       if (session.csrf === undefined || request.headers['x-csrf'] !== session.csrf) return answer(403, {})
       if (request.url === '/passkeys/new' && session.login !== body.account) return answer(403, {})
       const run =`,
    ],
    ['{ username, displayName, attestation', '{ account: username, displayName, attestation'],
    [
      'credential.counter = authenticationInfo.newCounter',
      'credential.counter = authenticationInfo.newCounter\n    session.isIn = true',
    ],
  ],
  SERVER,
)

const SITE_CONFIG = `
url: http://localhost:1
before:
  - http: { path: /login, json: { user: '{user_id}' }, keep: { account: account } }
calls:
  registration_options:
    - { path: /page, keep: { csrf: { text: 'content=\\W+(\\w+)' } } }
    - path: /passkeys/new
      headers: { X-CSRF: '{csrf}' }
      json: { account: '{account}', displayName: '{display_name}', attestation: '{attestation}', authenticatorSelection: '{authenticator_selection}' }
      options: data.options
  registration: { path: /passkeys, headers: { X-CSRF: '{csrf}' }, form: { credential: '{credential}' }, accepted: { read: data } }
  sign_in_options:
    - { path: /page, keep: { csrf: { text: 'content=\\W+(\\w+)' } } }
    - { path: /sessions/new, headers: { X-CSRF: '{csrf}' }, json: { username: '{user_id}', userVerification: '{user_verification}' }, options: data.options }
  sign_in: { path: /sessions, headers: { X-CSRF: '{csrf}' }, json: '{credential}', refused: '"refused":true' }
  who: { path: /me, read: user.name }
`

const { url: _, ca: __, ...SITE_CALLS } = must(readWebauthnServer(SITE_CONFIG))
const OF_SITE = { of: SITE, site: SITE_CALLS }

/** The same server, with a credential of its own shape: some members, their octets in other forms. */
const SHAPED = SERVER.replace(
  "JSON.parse(Buffer.concat(chunks).toString() || '{}')",
  `shaped(JSON.parse(Buffer.concat(chunks).toString() || '{}'))`,
).replace(
  'const users =',
  `const inUrl = (value, form) => value && Buffer.from(value, form).toString('base64url')
   const shaped = ({ key, said, of, data, proof, ...rest }) => key === undefined ? rest : {
     ...{ id: inUrl(key, 'base64'), rawId: inUrl(key, 'base64'), type: 'public-key', clientExtensionResults: {} },
     response: { clientDataJSON: inUrl(said), attestationObject: inUrl(of, 'hex'), authenticatorData: data, signature: proof },
   }
   const users =`,
)
const shape = { key: '{credential.rawId:base64}', said: '{credential.response.clientDataJSON:bytes}' }
const SHAPED_CALLS = {
  registration_options: { path: '/attestation/options', json: { username: '{user_id}' } },
  registration: { path: '/attestation/result', json: { ...shape, of: '{credential.response.attestationObject:hex}' } },
  sign_in_options: { path: '/assertion/options', json: { username: '{user_id}' } },
  sign_in: {
    path: '/assertion/result',
    json: { ...shape, data: '{credential.response.authenticatorData}', proof: '{credential.response.signature}' },
  },
} as const

/** One line of a right server changed, and the case that must notice it. */
const MISTAKES: readonly (readonly [from: string, to: string, id: string])[] = [
  ['expectedChallenge: challenge,', 'expectedChallenge: () => true,', CHALLENGE],
  ['expectedOrigin: origin(),', LENIENT_ORIGIN, 'a-registration-with-origin-other-port-is-refused'],
  ['expectedOrigin: origin(),', LENIENT_ORIGIN, 'a-sign-in-with-origin-other-port-is-refused'],
  [
    "requireUserVerification: uv === 'required',",
    ...(['requireUserVerification: false,', 'a-sign-in-with-user-verification-missing-is-refused'] as const),
  ],
  ['delete session.challenge', '', 'an-answer-that-was-accepted-once-is-refused-the-second-time'],
  ['userHandle !== user.handle', 'false', 'a-sign-in-with-user-handle-wrong-is-refused'],
  ['user.credentials.find(', '[...users.values()].flatMap((each) => each.credentials).find(', OTHERS_CREDENTIAL],
  ['credential.counter = authenticationInfo.newCounter', '', 'a-sign-in-with-counter-unchanged-is-refused'],
  [
    'authenticatorSelection,\n      supportedAlgorithmIDs: [',
    'authenticatorSelection,\n      supportedAlgorithmIDs: [-7] ?? [',
    'a-registration-with-algorithm-not-requested-is-refused',
  ],
  ...(['registration', 'sign-in'] as const).map((ceremony) => {
    const id = `a-${ceremony}-with-appid-that-was-not-asked-for-and-the-hash-of-the-origin-is-refused`
    return ['expectedRPID: rpID(),', APPID_HASH, id] as const
  }),
  ["throw new Error('not verified')", '', SIGNATURE],
  [NO_ROUTE, orWhere('body.response?.transports?.length === 0'), 'a-registration-with-empty-transports-is-accepted'],
  [NO_ROUTE, orWhere('body.id && !body.authenticatorAttachment'), 'a-sign-in-with-no-attachment-is-accepted'],
]

const notices = (url: string, ids: readonly string[]) =>
  verdictsAt(url, { cases: named(...ids), policies: ['counters'] })

test.each(MISTAKES)('a server with %j changed to %j fails %s', async (from, to, id) => {
  expect(await notices(await serving([[from, to]]), [id])).toMatchObject([{ id, verdict: 'failed' }])
})

test('a right server passes the cases that notice these mistakes', async () => {
  const ids = MISTAKES.map(([, , id]) => id)
  expect(await notices(await serving(), ids)).toEqual(ids.map((id) => ({ id, verdict: 'passed' })))
})

const CREDENTIAL_ID = 'a-registration-with-a-credential-id-of-another-user-is-refused'
const KNOWN = "throw new Error('this credential is known')"
const TWO_IDS = "{ if (body.id !== registrationInfo.credential.id) throw new Error('it has two ids') }"
const DISCOVERABLE = ['authenticatorSelection,\n', `authenticatorSelection: { residentKey: 'preferred' },\n`] as const
const ENDS = orWhere('false').replace(
  'if',
  `if (body.response?.attestationObject && /"webauthn.get"/.test(Buffer.from(body.response.clientDataJSON, 'base64url'))) {
      const { port } = server.address()
      server.close(() => server.listen(port, '127.0.0.1'))
      return server.closeAllConnections()
    }
    if`,
)
const STRICT = orWhere(
  `body.id && (body.authenticatorAttachment !== 'platform' || (body.response.signature && !body.response.userHandle) || !/^."type/.test(Buffer.from(body.response.clientDataJSON, 'base64url')) || (body.response.attestationObject && body.response.transports?.[1] !== 'hybrid'))`,
)
/** What WebAuthn only recommends to accept. */
const RECOMMENDED = [
  ...['a-registration-with-an-unknown-transport-is-accepted', 'a-registration-with-no-transports-is-accepted'],
  ...['a-registration-with-null-as-its-attachment-is-accepted', 'a-sign-in-with-an-unknown-attachment-is-accepted'],
  ...['a-sign-in-with-null-as-its-user-handle-is-accepted', 'a-sign-in-with-user-handle-missing-is-accepted'],
  ...['a-registration-with-client-data-reordered-is-accepted', 'a-sign-in-with-client-data-spaced-is-accepted'],
  'a-registration-with-copies-missing-is-accepted',
]
const all = (ids: readonly string[], verdict: CheckVerdict) => Object.fromEntries(ids.map((id) => [id, verdict]))

const SIGN_IN = "'POST /sessions': async (body, session) => {"
const ANYBODY = `[...users.values()].flatMap((each) => each.credentials.map((one) => ((one.owner = each), one))).find(({ id }) => id === body.id)`
const CARELESS: Edits = [
  ['user.credentials.find(({ id }) => id === body.id)', ANYBODY],
  ["if (userHandle != null && userHandle !== user.handle) throw new Error('the user handle is somebody else’s')", ''],
  ['session.isIn = true', 'session.isIn = true\n    session.username = credential.owner.name'],
  ["delete session.challenge\n    if (challenge === undefined) throw new Error('no sign-in was begun')", ''],
]
const ONE_ANSWER = ['an-answer-that-was-accepted-once-is-refused-the-second-time', OTHERS_CREDENTIAL]

type Is = CheckVerdict | { readonly verdict: CheckVerdict; readonly text: string }
type How = { readonly of: string; readonly site: NonNullable<Tried['site']> }
type Changed = [that: string, edits: Edits, verdicts: Readonly<Record<string, Is>>, how?: How]

const CHANGED: readonly Changed[] = [
  [
    'registers the credential ID of another user is warned of',
    [[KNOWN, TWO_IDS]],
    { [CREDENTIAL_ID]: { verdict: 'warning', text: 'accepted: §7.1 step 26 says that it SHOULD be refused' } },
  ],
  ['refuses the credential ID of another user passes', [], { [CREDENTIAL_ID]: 'passed' }],
  [
    'refuses whatever another user registers has no verdict on its credential ID',
    [['const { verified, reg', `if (users.size > 1) throw new Error('no')\n    const { verified, reg`]],
    { [CREDENTIAL_ID]: 'vacuous' },
  ],
  [
    'takes only RSA keys from a TPM is tried with them',
    withFormats(`if (fmt === 'tpm' && body.response.publicKeyAlgorithm === -7) throw 'RSA alone'`),
    { 'a-registration-with-tpm-magic-wrong-is-refused': 'passed' },
  ],
  [
    'names no credentials at a sign-in is signed in to with a discoverable one',
    [['allowCredentials: user.credentials.map(({ id, transports }) => ({ id, transports })),', '']],
    { [ACCEPTED]: 'passed', 'a-sign-in-with-challenge-wrong-is-refused': 'passed' },
  ],
  [
    'refuses a statement by the key itself is played without one',
    withFormats(`if (/fmtfpacked/.test(object)) throw new Error('no packed')`),
    {
      ...{ [ACCEPTED]: 'passed', [CHALLENGE]: 'passed' },
      'a-registration-with-attestation-algorithm-wrong-is-refused': 'skipped',
    },
  ],
  [
    'ends with a wrong answer is waited for, and the cases that it broke off are played alone',
    [[NO_ROUTE, ENDS]],
    {
      ...{ 'a-registration-with-type-of-other-ceremony-is-refused': 'warning', [CHALLENGE]: 'passed' },
      ...{ 'a-registration-with-origin-other-port-is-refused': 'passed', [ACCEPTED]: 'passed' },
    },
  ],
  [
    'has one user handle for all has no verdict on another user’s credential',
    [['userName: username,', `userName: username, userID: Buffer.from('the only one'),`]],
    { [OTHERS_CREDENTIAL]: 'skipped' },
  ],
  [
    'excludes the credentials of all has no verdict on another user’s credential',
    [
      [
        'excludeCredentials: user.credentials',
        'excludeCredentials: [...users.values()].flatMap((each) => each.credentials)',
      ],
    ],
    { [OTHERS_CREDENTIAL]: 'skipped' },
  ],
  [
    'refuses what WebAuthn only recommends to accept is warned of',
    [DISCOVERABLE, [NO_ROUTE, STRICT]],
    all(RECOMMENDED, 'warning'),
  ],
  ['accepts what WebAuthn only recommends passes', [DISCOVERABLE], all(RECOMMENDED, 'passed')],
  ['refuses with HTTP 200, as the test API says, passes', [['answer(400,', 'answer(200,']], { [CHALLENGE]: 'passed' }],
  [
    'asks for appid may take its hash',
    [['userVerification,\n', 'userVerification, extensions: { appid: origin() },\n']],
    {
      'a-sign-in-with-appid-that-was-not-asked-for-and-the-hash-of-the-origin-is-refused': {
        ...{ verdict: 'skipped', text: 'the server asks for the extension' },
      },
    },
  ],
  [
    'has calls of its own and takes an empty user handle is wrong',
    [['userHandle != null', 'userHandle']],
    { 'a-sign-in-with-user-handle-empty-is-refused': 'failed' },
    OF_SITE,
  ],
  ['names nobody after a sign-in did not sign in', [['session.isIn = true', '']], { [ACCEPTED]: 'failed' }, OF_SITE],
  [
    'names a user before it looks at the answer signed in, whatever it answers',
    [[SIGN_IN, `${SIGN_IN}\n    session.isIn = true`]],
    { [SIGNATURE]: 'failed' },
    OF_SITE,
  ],
  ['says who is signed in passes for a second answer and another user', [], all(ONE_ANSWER, 'passed'), OF_SITE],
  ['says that it is another one, and for a second answer, fails', CARELESS, all(ONE_ANSWER, 'failed'), OF_SITE],
  [
    'is sent the members of a credential in other forms has no verdict on a mistake that is not sent',
    [],
    {
      ...all([ACCEPTED, CHALLENGE, SIGNATURE, 'a-sign-in-with-client-data-missing-is-refused'], 'passed'),
      'a-sign-in-with-client-data-in-plain-base64-is-refused': 'skipped',
      'a-sign-in-with-user-handle-wrong-is-refused': 'skipped',
      'a-registration-with-answer-type-wrong-is-refused': 'skipped',
    },
    { of: SHAPED, site: { calls: SHAPED_CALLS } },
  ],
]

test.each(CHANGED)('a server that %s', async (_, edits, verdicts, how) => {
  const found = await verdictsAt(await serving(edits, how?.of), { cases: named(...Object.keys(verdicts)), ...how })
  const expected = Object.entries(verdicts).map(([id, is]) => (typeof is === 'string' ? { id, verdict: is } : is))
  expect(found).toMatchObject(expected)
})

/** A part of the cases; the long part plays each of them. */
const PARTS = 12
const CASES_IN_PARTS = (isLong ? [...Array(PARTS).keys()] : [0, PARTS / 2]).map((part) => {
  const cases = WEBAUTHN_CASES.filter((_case, n) => n % PARTS === part)
  return [cases[0]?.id, cases] as const
})
const ALGORITHMS = '[-7, -8, -257, -35, -36, -37, -38, -39, -258, -259]'

test('a server with RS256 alone is checked by it, and what needs another algorithm is skipped', async () => {
  const cases = named(
    ...['a-registration-with-key-not-on-curve-is-refused', 'a-registration-with-u2f-two-certificates-is-refused'],
    ...['a-sign-in-with-signature-other-half-is-accepted', 'a-sign-in-with-challenge-wrong-is-refused'],
  )
  const needsES256 = { verdict: 'skipped', text: 'the server offers none of ES256' }
  const needsU2F = { verdict: 'skipped', text: expect.stringMatching(/^honest fido-u2f attestation/) }
  const found = await verdictsAt(await serving([[ALGORITHMS, '[-257]']]), { cases })
  expect(found).toMatchObject([needsES256, needsU2F, needsES256, { verdict: 'passed' }])
})

test.each(CASES_IN_PARTS)('a server with RS256 fails only a statement’s algorithm: %s and others', async (_, cases) => {
  const found = await verdictsAt(await serving([[ALGORITHMS, '[-257]']]), { cases })
  const wrong = found.flatMap(({ id, verdict }) => (/failed|vacuous/.test(verdict) ? id : []))
  expect(wrong).toEqual(
    cases.flatMap(({ id }) => (id === 'a-registration-with-attestation-algorithm-wrong-is-refused' ? id : [])),
  )
  expect(found.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(cases.length / 3)
})

test('a server that offers nothing that can be signed here has no verdict', async () => {
  const text = 'the server offers none of ES256, Ed25519, RS256, ES384, ES512'
  const found = await verdictsAt(await serving([[ALGORITHMS, '[-39]']]), { cases: named(ACCEPTED) })
  expect(found).toMatchObject([{ verdict: 'skipped', text }])
})

/** By the mistakes' names, apart from the ceremony. */
const WARNED_OF = [
  ...['origin-with-slash', 'origin-other-subdomain', 'id-missing', 'client-data-in-plain-base64'],
  ...['extension-flag-without-data', 'extension-data-not-a-map', 'extension-data-cut-off', 'attested-flag-unexpected'],
  ...['format-none-with-statement', 'key-compressed', 'safetynet-version-missing', 'safetynet-stale'],
  ...['safetynet-from-the-future', 'safetynet-integrity-failed', 'tpm-manufacturer-unknown', 'user-handle-empty'],
]
const FAILED_BY = [
  ...['challenge-in-plain-base64', 'backup-state-without-eligibility', 'u2f-two-certificates', 'android-purposes-many'],
  ...['signature-trailing-byte', 'certificate-aaguid-critical', 'certificate-without-constraints'],
  ...['attestation-algorithm-wrong', 'safetynet-host-wrong', 'algorithm-not-requested', 'user-handle-wrong'],
]
/** Failed only where a statement is signed by the key. */
const OF_A_KEY = ['key-algorithm-of-other-kind', 'key-type-wrong', 'key-type-unknown', 'key-curve-wrong']

const acceptingAll = (attestation: string): Promise<string> => {
  const pubKeyCredParams = [{ type: 'public-key', alg: -7 }]
  const authenticatorSelection = { residentKey: 'preferred' }
  const forUser = { status: 'ok', challenge: 'AAAA', user: { id: 'AAAA', name: 'a' } }
  const answer = { ...forUser, attestation, pubKeyCredParams, authenticatorSelection }
  return serveBriefly((_, response) => void response.end(JSON.stringify(answer)))
}

test.each([
  ['direct', WARNED_OF, 'warning'],
  ['direct', [...FAILED_BY, ...OF_A_KEY, 'statement-mistyped'], 'failed'],
  ['none', [...OF_A_KEY, 'statement-mistyped'], 'warning'],
])('a server that asks for attestation %s and accepts all, %j included, is %s', async (asked, names, verdict) => {
  const cases = WEBAUTHN_CASES.filter(({ id }) => names.some((name) => id.endsWith(`-with-${name}-is-refused`)))
  expect(cases.length).toBeGreaterThanOrEqual(names.length)
  const verdicts = await verdictsAt(await acceptingAll(asked), { cases })
  expect(verdicts.filter((each) => each.verdict !== verdict)).toEqual([])
})

test('a format that a server falls over is warned of, and one that it lacks is told from one that it distrusts', async () => {
  const cases = named('apple-attestation-of-an-unknown-maker-is-accepted-or-left-to-the-servers-trust')
  const findingAt = async (edits?: Edits) => {
    const [{ verdict, text = '' } = {}] = await verdictsAt(await serving(edits), { cases })
    return { verdict, why: text.split(':')[0] }
  }
  expect(await findingAt(withFormats('if (fmt) return answer(500, {})'))).toMatchObject({ verdict: 'warning' })
  const distrusted = await findingAt()
  const lacking = await findingAt(withFormats("if (fmt) throw new Error('no ' + fmt)"))
  expect([distrusted.verdict, lacking.verdict]).toEqual(['skipped', 'skipped'])
  expect(lacking.why).not.toBe(distrusted.why)
})

test.each([
  ['404', 404, ''],
  ['{}', 200, '{}'],
  ['that all is well', 200, '{"status":"ok"}'],
  ['that all is well, and options', 200, '{"status":"ok","challenge":"AAAA","user":{"id":"AAAA","name":"a"}}'],
  ['that nothing is', 200, '{"status":"failed","errorMessage":"no"}'],
  ['nothing that is JSON', 500, 'no'],
])('no case passes on a server that answers %s', async (_, status, body) => {
  const url = await serveBriefly((_request, response) => void response.writeHead(status).end(body))
  const verdicts = await verdictsAt(url)
  expect(verdicts.filter(({ verdict }) => verdict === 'passed')).toEqual([])
  expect(verdicts.filter(({ text = '' }) => text.startsWith('the case broke off'))).toEqual([])
})

test.each(CASES_IN_PARTS)('a server’s calls get the same verdicts as the test API: %s and others', async (_, cases) => {
  const how = { cases, policies: ['counters', 'trusted-attestation'] as const }
  const verdicts = (found: Awaited<ReturnType<typeof verdictsAt>>) => found.map(({ id, verdict }) => `${verdict} ${id}`)
  const right = verdicts(await verdictsAt(await serving(), how))
  expect(right.filter((each) => each.startsWith('passed')).length).toBeGreaterThan(cases.length / 2)
  expect(verdicts(await verdictsAt(await serving([], SITE), { ...how, site: SITE_CALLS }))).toEqual(right)
})

test.each([
  ['sign_in: {', 'sign_im: {', 'field_missing', 'calls.sign_in'],
  ["user: '{user_id}'", "user: '{user}'", 'field_unfit', 'before'],
  ["'{credential}', refused", "'{credentials}', refused", 'field_unfit', 'calls.sign_in'],
  ["username: '{user_id}'", "username: '{credential}'", 'field_unfit', 'calls'],
  ['\'"refused":true\'', "'('", 'field_unfit', 'calls.sign_in.refused'],
  ['calls:', 'policies: [counter]\ncalls:', 'field_unfit', 'policies[0]'],
  ...['form', 'json', 'headers', 'keep'].map((name) => [
    ...['keep: { account: account }', `keep: { ${name}: { text: '(' }, text: '(', account: account }`, 'field_unfit'],
    `before[0].http.keep.${name}.text`,
  ]),
])('a configuration with %j as %j is refused with its field and line', (from, to, code, field) => {
  expect(SITE_CONFIG).toContain(from)
  const at = [{ line: expect.any(Number), column: expect.any(Number) }]
  const error = { code: 'unfit', at, params: { problem: { code, params: { field } } } }
  expect(readWebauthnServer(SITE_CONFIG.replace(from, to))).toMatchObject({ ok: false, error })
})

const NOT_THERE: readonly (readonly [ValueSource, string])[] = [
  ['data.no', 'member data.no'],
  [{ text: 'value=(\\w+)' }, 'text that fits value=(\\w+)'],
  [{ header: 'X-No' }, 'header X-No'],
  [{ cookie: 'no' }, 'cookie no'],
  [{ address: '/no' }, 'address that fits /no'],
]

test('a call that is refused says for which of its names keep found nothing, until a later answer has it', async () => {
  const [page, asks] = [SITE_CALLS.calls.registration_options].flat()
  if (page === undefined || asks === undefined) throw new Error('the site has two calls')
  const url = await serving([], SITE)
  const verdictBy = (...registration_options: readonly (typeof page)[]) =>
    verdictsAt(url, {
      cases: named(ACCEPTED),
      site: { ...SITE_CALLS, calls: { ...SITE_CALLS.calls, registration_options } },
    })
  for (const [where, told] of NOT_THERE) {
    const text = `POST /passkeys/new: HTTP 403, "{}"; csrf: the answer of GET /page has no ${told}: keep found nothing`
    const missing = { path: '/page', keep: { csrf: where, seldom: 'no' } }
    expect(await verdictBy(missing, asks)).toMatchObject([{ verdict: 'vacuous', text }])
    expect(await verdictBy(missing, page, asks)).toMatchObject([{ verdict: 'passed' }])
    const [{ text: later = '' } = {}] = await verdictBy(missing, page, { ...asks, path: '/nowhere' })
    expect(later).toMatch(/404, ".*"$/)
  }
  const unfit = await verdictBy({ path: '/page', keep: { csrf: 'no' } }, { path: '/me', headers: { X: '{csrf}' } })
  expect(unfit[0]?.text).toMatch(/no challenge in base64url; csrf: .*keep found nothing$/)
  const [{ text = '' } = {}] = await verdictBy(
    page,
    { path: '/me', keep: { next: 'no' } },
    { path: '{next}', options: 'data.options' },
  )
  expect(text).toContain('; next: the answer of GET /me has no member no: keep found nothing')
})

test('a word in two pairs of braces is no name', () => {
  const json = { user: '{{user}}' }
  const { before } = must(readWebauthnServer(SITE_CONFIG.replace("user: '{user_id}'", "user: '{{user}}'")))
  expect(before).toMatchObject([{ http: { json } }])
})

test('a wrong expression of a name that a page keeps is refused', () => {
  const page = (pattern: string) => `
    url: http://localhost:1
    page: { register: [{ press: a }], sign_in: [{ press: a }], registered: a, signed_in: b, failed: c, keep: { form: '${pattern}' } }`
  const error = {
    params: { problem: { params: { field: 'page.keep.form', expected: { code: 'regular_expression' } } } },
  }
  expect(readRpSuite(page('('))).toMatchObject({ ok: false, error })
  expect(readRpSuite(page('(a)'))).toMatchObject({ ok: true })
})

test('the command reads the server’s calls from a file, and names it in the command that plays a case alone', async () => {
  const file = join(temporaryFolder(), 'site.yaml')
  const url = await serving(ANY_CHALLENGE, SITE)
  writeFileSync(file, SITE_CONFIG.replace('http://localhost:1', url))
  const id = CHALLENGE
  const { code, out } = await runCommand(['check', '--webauthn', '--config', file, '--case', id, '--json'])
  expect(code).toBe(1)
  const { cases } = JSON.parse(out) as CheckReport
  expect(cases).toMatchObject([
    { id, verdict: 'failed', again: `npx handset check --webauthn --config ${file} --case ${id}` },
  ])
})

test('the command names each failure with its step, its answer and the command that plays it alone', async () => {
  const url = await serving(ANY_CHALLENGE)
  const id = CHALLENGE
  const check = (...more: readonly string[]) => runCommand(['check', '--webauthn', '--conformance-url', url, ...more])
  const { code, out } = await check('--case', id)
  expect(code).toBe(1)
  expect(out).toContain('WebAuthn Level 3, §7.1 Registering a New Credential')
  expect(out).toContain('Step 8: ')
  expect(out).toContain(`handset check --webauthn --conformance-url ${url} --case ${id}`)
  expect(await check('--case', ACCEPTED)).toMatchObject({ code: 1 })
})

test.each([
  [['--webauthn'], '--conformance-url'],
  [['--webauthn', '--config', 'a', '--conformance-url', 'http://localhost:1'], 'exclude each other'],
  [['--webauthn', '--config', 'none.yaml'], 'no file none.yaml'],
  [['--webauthn', '--conformance-url', 'http://localhost:1', '--policy', 'counter'], 'must be one of counters'],
  [['--webauthn', '--conformance-url', 'http://localhost:1', '--origin', 'shop.example'], 'must be an origin'],
  [['--webauthn', '--conformance-url', 'http://localhost:1', '--case', 'nothing'], 'there is no case "nothing"'],
  [['--webauthn', '--base-url', 'http://localhost:1'], '--base-url'],
])('%j is refused in one line that says %j', async (args, told) => {
  const { code, errors } = await runCommand(['check', ...args])
  expect(code).toBe(2)
  expect(errors.join('\n')).toContain(told)
})

test('a server behind https is reached with --ca, or as its file names the CA, and not without', async () => {
  const { authority, server } = certificateFor(['localhost'])
  const secure = createServer({ key: server.key, cert: server.certificate }, (_, response) => void response.end('{}'))
  const url = `https://localhost:${await listenBriefly(secure)}`
  const folder = temporaryFolder()
  const [ca, config] = [join(folder, 'ca.pem'), join(folder, 'site.yaml')]
  writeFileSync(ca, authority.certificate)
  writeFileSync(config, SITE_CONFIG.replace('http://localhost:1', `${url}\nca: ca.pem`))
  const one = ['--case', ACCEPTED]
  const check = (...args: readonly string[]) => runCommand(['check', '--webauthn', ...args, ...one])
  const without = await check('--conformance-url', url)
  expect(without).toMatchObject({ code: 3, errors: [expect.stringContaining('nobody answers at')] })
  const named = await check('--conformance-url', url, '--ca', ca)
  expect(named.code).toBe(1)
  expect(named.out).toContain(`handset check --webauthn --conformance-url ${url} --ca ${ca} ${one.join(' ')}`)
  expect(await check('--config', config)).toMatchObject({ code: 1, out: expect.stringContaining('HTTP 200') })
  expect(await check('--config', config, '--ca', `${ca}x`)).toMatchObject({ code: 2 })
})

/** What the server is sent of a user, and the limit that it has. */
const BOTH = { username: '{user_id}', displayName: '{display_name}' }
const SENT_NAMES: readonly (readonly [string, object, string, string, readonly string[]])[] = [
  ['both names', BOTH, '{name}', '', ['passed', 'passed']],
  ['addresses', BOTH, '{name}@shop.example', '', ['passed', 'passed']],
  ['addresses of more than 64 octets', BOTH, `{name}@${'x'.repeat(64)}.example`, '', ['skipped', 'passed']],
  ['no display name', { username: '{user_id}' }, '{name}', '', ['passed', 'skipped']],
  ['the display name alone', { username: '{display_name}' }, '{name}', '', ['skipped', 'passed']],
  ['more than its 63 octets', BOTH, '{name}@x', 'Buffer.byteLength(username) > 63', ['vacuous', 'passed']],
  ['no more than its 64 octets', BOTH, '{name}@x', 'Buffer.byteLength(username) > 64', ['passed', 'passed']],
  ['what is no ASCII', BOTH, '{name}', '/[^!-~]/.test(displayName)', ['passed', 'vacuous']],
]

test.each(SENT_NAMES)('a server that is sent %s is judged by it', async (_, json, user_id, refuses, verdicts) => {
  const calls = {
    registration_options: { path: '/attestation/options', json },
    registration: { path: '/attestation/result', json: '{credential}' },
    sign_in_options: { path: '/assertion/options', json },
    sign_in: { path: '/assertion/result', json: '{credential}' },
  }
  const edits: Edits = refuses ? [["username === ''", refuses]] : []
  const cases = named(
    'a-user-name-of-64-octets-is-accepted',
    'a-display-name-with-letters-of-several-scripts-is-accepted',
  )
  const found = await verdictsAt(await serving(edits), { cases, site: { calls, user_id } })
  expect(found.map(({ verdict }) => verdict)).toEqual(verdicts)
})

test('a test of one’s own server plays one mistake, or those that it names, and rejects where the server accepts', async () => {
  const id = CHALLENGE
  const [right, wrong] = [await serving(), await serving(ANY_CHALLENGE)]
  expect(await holdWebauthn({ url: right }, id)).toMatchObject({ id, verdict: 'passed', step: '7.1.8' })
  await expect(holdWebauthn({ url: wrong }, id)).rejects.toThrow('FAILED, WebAuthn §7.1.8')
  const two = webauthnCases.slice(0, 2).map((each) => each.id)
  expect((await playWebauthn({ url: right }, two)).map((each) => each.id)).toEqual(two)
  for (const server of [{ url: 'shop' }, { url: right, policies: ['all'] }, { url: right, calls: {} }])
    await expect(playWebauthn(server, two)).rejects.toThrow(TypeError)
  await expect(holdWebauthn({ url: right }, `${id}x`)).rejects.toThrow(`Did you mean ${id}?`)
})
