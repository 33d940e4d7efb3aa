import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createRandom } from '../../../src-main/bench/harness/random.ts'
import { readRpSuite, readWebauthnServer } from '../../../src-main/cli/read-calls.ts'
import type { CheckReport } from '../../../src-main/core/contract/check-report.ts'
import type { Reading } from '../../../src-main/core/contract/http-call.ts'
import type { Policy } from '../../../src-main/core/contract/webauthn-server.ts'
import { WEBAUTHN_CASES, type WebauthnCase } from '../../../src-main/testing/check/webauthn/cases.ts'
import { checkWebauthn } from '../../../src-main/testing/check/webauthn/run.ts'
import type { WebauthnTarget } from '../../../src-main/testing/check/webauthn/server.ts'
import { holdWebauthn, playWebauthn, webauthnCases } from '../../../src-main/testing/own-server/webauthn.ts'
import { must } from '../../phones/authenticator/support/requests.ts'
import { ROOT } from '../../support/imports.ts'
import { isLong } from '../../support/parts.ts'
import { runCommand } from '../../support/run-command.ts'
import { serveBriefly } from '../../support/serve-briefly.ts'
import { begin } from '../../support/spawn-tied.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { certificateFor } from '../../support/tls.ts'

const SERVER = readFileSync(join(ROOT, 'test/foreign-servers/simplewebauthn/server.mjs'), 'utf8')

/** A server over a library of other makers, or the same with one line changed. */
const serving = async (code = SERVER): Promise<string> => {
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

/** One line of a right server changed, and the case that must notice it. */
const MISTAKES: readonly (readonly [string, string, string, readonly Policy[]])[] = [
  [
    'expectedChallenge: challenge,',
    'expectedChallenge: () => true,',
    'a-registration-with-challenge-wrong-is-refused',
    [],
  ],
  ['expectedOrigin: origin(),', LENIENT_ORIGIN, 'a-registration-with-origin-other-port-is-refused', []],
  [
    "requireUserVerification: uv === 'required',",
    'requireUserVerification: false,',
    'a-sign-in-with-user-verification-missing-is-refused',
    [],
  ],
  ['delete session.challenge', '', 'an-answer-that-was-accepted-once-is-refused-the-second-time', []],
  ['userHandle !== user.handle', 'false', 'a-sign-in-with-user-handle-wrong-is-refused', []],
  [
    'user.credentials.find(',
    '[...users.values()].flatMap((each) => each.credentials).find(',
    'a-credential-of-another-user-signs-nobody-in',
    [],
  ],
  [
    'credential.counter = authenticationInfo.newCounter',
    '',
    'a-sign-in-with-counter-unchanged-is-refused',
    ['counters'],
  ],
  [
    'authenticatorSelection,\n      supportedAlgorithmIDs: [',
    'authenticatorSelection,\n      supportedAlgorithmIDs: [-7] ?? [',
    'a-registration-with-algorithm-not-requested-is-refused',
    [],
  ],
  ...(['registration', 'sign-in'] as const).map((ceremony) => {
    const id = `a-${ceremony}-with-appid-that-was-not-asked-for-and-the-hash-of-the-origin-is-refused`
    return ['expectedRPID: rpID(),', APPID_HASH, id, []] as const
  }),
  ["throw new Error('not verified')", '', 'a-sign-in-with-signature-by-another-key-is-refused', []],
  [
    'if (run === undefined)',
    'if (run === undefined || body.response?.transports?.length === 0)',
    'a-registration-with-empty-transports-is-accepted',
    [],
  ],
  [
    'if (run === undefined)',
    'if (run === undefined || (body.id && !body.authenticatorAttachment))',
    'a-sign-in-with-no-attachment-is-accepted',
    [],
  ],
]

test.each(MISTAKES)(
  'a server with %j changed to %j fails %s, and a right one passes it',
  async (from, to, id, policies) => {
    const how = { cases: named(id), policies }
    expect(SERVER).toContain(from)
    expect(await verdictsAt(await serving(SERVER.replaceAll(from, to)), how)).toMatchObject([{ id, verdict: 'failed' }])
    expect(await verdictsAt(await serving(), how)).toEqual([{ id, verdict: 'passed' }])
  },
)

test('a server that registers the credential ID of another user is warned of, and a right one is not', async () => {
  const cases = named('a-registration-with-a-credential-id-of-another-user-is-refused')
  const differs = "{ if (body.id !== registrationInfo.credential.id) throw new Error('it has two ids') }"
  const lax = SERVER.replace("throw new Error('this credential is known')", differs)
  const text = 'accepted: §7.1 step 26 says that it SHOULD be refused'
  expect(await verdictsAt(await serving(lax), { cases })).toMatchObject([{ verdict: 'warning', text }])
  expect(await verdictsAt(await serving(), { cases })).toMatchObject([{ verdict: 'passed' }])
  const deaf = SERVER.replace(
    'const { verified, registrationInfo } = await',
    `if (users.size > 1) throw new Error('no')\n    $&`,
  )
  expect(await verdictsAt(await serving(deaf), { cases })).toMatchObject([{ verdict: 'vacuous' }])
})

test('a server without ES256 is checked by what it offers, and what needs another algorithm is skipped', async () => {
  const offering = (cose: number) =>
    SERVER.replaceAll(/supportedAlgorithmIDs: .*/g, `supportedAlgorithmIDs: [${cose}],`)
  const cases = [
    ...named('a-registration-with-key-not-on-curve-is-refused', 'a-registration-with-u2f-two-certificates-is-refused'),
    ...named('a-sign-in-with-signature-other-half-is-accepted', 'a-sign-in-with-challenge-wrong-is-refused'),
    ...WEBAUTHN_CASES.filter((_, n) => isLong || n % 6 === 0),
  ]
  const found = await verdictsAt(await serving(offering(-257)), { cases })
  expect(found.slice(0, 4)).toEqual([
    { id: cases[0]?.id, verdict: 'skipped', text: expect.stringMatching(/^the server offers none of ES256$/) },
    { id: cases[1]?.id, verdict: 'skipped', text: expect.stringMatching(/^honest fido-u2f attestation/) },
    { id: cases[2]?.id, verdict: 'skipped', text: expect.stringMatching(/^the server offers none of ES256$/) },
    { id: cases[3]?.id, verdict: 'passed' },
  ])
  expect(found.filter(({ verdict }) => /failed|vacuous/.test(verdict)).map(({ id }) => id)).toEqual(
    isLong ? ['a-registration-with-attestation-algorithm-wrong-is-refused'] : [],
  )
  expect(found.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(cases.length / 2)
  const text = 'the server offers none of ES256, Ed25519, RS256, ES384, ES512'
  const accepted = named('a-registration-and-a-sign-in-are-accepted')
  expect(await verdictsAt(await serving(offering(-39)), { cases: accepted })).toMatchObject([
    { verdict: 'skipped', text },
  ])
})

/** By the mistakes' names, apart from the ceremony. */
const WARNED_OF = [
  ...[
    'origin-with-slash',
    'origin-other-subdomain',
    'id-missing',
    'client-data-in-plain-base64',
    'extension-flag-without-data',
  ],
  ...['extension-data-not-a-map', 'extension-data-cut-off', 'attested-flag-unexpected', 'format-none-with-statement'],
  ...['key-compressed', 'safetynet-version-missing', 'safetynet-stale', 'safetynet-from-the-future'],
  ...['safetynet-integrity-failed', 'tpm-manufacturer-unknown', 'user-handle-empty'],
]
const FAILED_BY = [
  ...['challenge-in-plain-base64', 'backup-state-without-eligibility', 'u2f-two-certificates', 'android-purposes-many'],
  ...['signature-trailing-byte', 'certificate-aaguid-critical', 'certificate-without-constraints'],
  ...['attestation-algorithm-wrong', 'safetynet-host-wrong', 'algorithm-not-requested', 'user-handle-wrong'],
]
/** Failed only where a statement is signed by the key. */
const OF_A_KEY = ['key-algorithm-of-other-kind', 'key-type-wrong', 'key-type-unknown', 'key-curve-wrong']

const acceptingAll = (attestation: string): Promise<string> => {
  const forKey = {
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    authenticatorSelection: { residentKey: 'preferred' },
  }
  const answer = { status: 'ok', challenge: 'AAAA', user: { id: 'AAAA', name: 'a' }, attestation, ...forKey }
  return serveBriefly((_, response) => void response.end(JSON.stringify(answer)))
}

test.each([
  ['direct', WARNED_OF, 'warning'],
  ['direct', [...FAILED_BY, ...OF_A_KEY, 'statement-mistyped'], 'failed'],
  ['none', [...OF_A_KEY, 'statement-mistyped'], 'warning'],
])(
  'a server that asks for attestation %s and accepts everything, %j included, is %s',
  async (asked, names, verdict) => {
    const cases = WEBAUTHN_CASES.filter(({ id }) => names.some((name) => id.endsWith(`-with-${name}-is-refused`)))
    expect(cases.length).toBeGreaterThanOrEqual(names.length)
    const verdicts = await verdictsAt(await acceptingAll(asked), { cases })
    expect(verdicts.filter((each) => each.verdict !== verdict)).toEqual([])
  },
)

/** The library's server, with a decision of its own on what it calls `fmt`: the bytes of a CBOR text of that length. */
const withFormats = (decision: string): string =>
  SERVER.replace(
    'if (run === undefined)',
    `const object = Buffer.from(body.response?.attestationObject ?? '', 'base64url').toString('latin1')
     const fmt = /fmt[cen](tpm|apple|handset-future)/.exec(object)?.[1]
     ${decision}
     if (run === undefined)`,
  )

test('a format that a server falls over is warned of, and one that it lacks is told from one that it distrusts', async () => {
  const cases = named('apple-attestation-of-an-unknown-maker-is-accepted-or-left-to-the-servers-trust')
  const findingAt = async (code: string) => {
    const [{ verdict, text = '' } = {}] = await verdictsAt(await serving(code), { cases })
    return { verdict, why: text.split(':')[0] }
  }
  expect(await findingAt(withFormats('if (fmt) return answer(500, {})'))).toMatchObject({ verdict: 'warning' })
  const distrusted = await findingAt(SERVER)
  const lacking = await findingAt(withFormats("if (fmt) throw new Error('no ' + fmt)"))
  expect([distrusted.verdict, lacking.verdict]).toEqual(['skipped', 'skipped'])
  expect(lacking.why).not.toBe(distrusted.why)
})

test('a server that takes only RSA keys from a TPM is tried with them', async () => {
  const url = await serving(
    withFormats(`if (fmt === 'tpm' && body.response.publicKeyAlgorithm === -7) throw 'RSA alone'`),
  )
  const cases = named('a-registration-with-tpm-magic-wrong-is-refused')
  expect(await verdictsAt(url, { cases })).toMatchObject([{ verdict: 'passed' }])
})

test('a server whose sign-in names no credentials is signed in to with a discoverable one', async () => {
  const naming = 'allowCredentials: user.credentials.map(({ id, transports }) => ({ id, transports })),'
  const cases = named('a-registration-and-a-sign-in-are-accepted', 'a-sign-in-with-challenge-wrong-is-refused')
  expect(SERVER).toContain(naming)
  const verdicts = await verdictsAt(await serving(SERVER.replace(naming, '')), { cases })
  expect(verdicts).toMatchObject([{ verdict: 'passed' }, { verdict: 'passed' }])
})

test('a server that refuses a statement by the key itself is played without one', async () => {
  const url = await serving(withFormats(`if (/fmtfpacked/.test(object)) throw new Error('no packed')`))
  const cases = named(
    ...['a-registration-and-a-sign-in-are-accepted', 'a-registration-with-challenge-wrong-is-refused'],
    'a-registration-with-attestation-algorithm-wrong-is-refused',
  )
  const verdicts = await verdictsAt(url, { cases })
  expect(verdicts).toMatchObject([{ verdict: 'passed' }, { verdict: 'passed' }, { verdict: 'skipped' }])
})

test('a server that ends with a wrong answer is waited for, and the cases that it broke off are played alone', async () => {
  const ending = `
    if (body.response?.attestationObject && /"webauthn.get"/.test(Buffer.from(body.response.clientDataJSON, 'base64url'))) {
      const { port } = server.address()
      server.close(() => server.listen(port, '127.0.0.1'))
      return server.closeAllConnections()
    }
    if (run === undefined)`
  const cases = named(
    ...['a-registration-with-type-of-other-ceremony-is-refused', 'a-registration-with-challenge-wrong-is-refused'],
    ...['a-registration-with-origin-other-port-is-refused', 'a-registration-and-a-sign-in-are-accepted'],
  )
  const verdicts = await verdictsAt(await serving(SERVER.replace('if (run === undefined)', ending)), { cases })
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(['warning', 'passed', 'passed', 'passed'])
})

test.each([
  ['userName: username,', `userName: username, userID: Buffer.from('the only one'),`],
  [
    'excludeCredentials: user.credentials',
    'excludeCredentials: [...users.values()].flatMap((each) => each.credentials)',
  ],
])('where a server has one user only, by %j, another user’s credential has no verdict', async (from, to) => {
  expect(SERVER).toContain(from)
  const cases = named('a-credential-of-another-user-signs-nobody-in')
  expect(await verdictsAt(await serving(SERVER.replace(from, to)), { cases })).toMatchObject([{ verdict: 'skipped' }])
})

test('an empty user handle is a wrong one where the server has calls of its own', async () => {
  const { url: _, ca: __, ...site } = must(readWebauthnServer(SITE_CONFIG))
  const lenient = await serving(SITE.replace('userHandle != null', 'userHandle'))
  const cases = named('a-sign-in-with-user-handle-empty-is-refused')
  expect(await verdictsAt(lenient, { cases, site })).toMatchObject([{ verdict: 'failed' }])
})

test('a server that refuses a form which WebAuthn only recommends to accept is warned of', async () => {
  const discoverable = SERVER.replace(
    'authenticatorSelection,\n',
    `authenticatorSelection: { residentKey: 'preferred' },\n`,
  )
  const strict = `if (run === undefined || (body.id && (body.authenticatorAttachment !== 'platform' || (body.response.signature && !body.response.userHandle) || !/^."type/.test(Buffer.from(body.response.clientDataJSON, 'base64url')) || (body.response.attestationObject && body.response.transports?.[1] !== 'hybrid'))))`
  const cases = named(
    ...['a-registration-with-an-unknown-transport-is-accepted', 'a-registration-with-no-transports-is-accepted'],
    ...['a-registration-with-null-as-its-attachment-is-accepted', 'a-sign-in-with-an-unknown-attachment-is-accepted'],
    ...['a-sign-in-with-null-as-its-user-handle-is-accepted', 'a-sign-in-with-user-handle-missing-is-accepted'],
    ...['a-registration-with-client-data-reordered-is-accepted', 'a-sign-in-with-client-data-spaced-is-accepted'],
    'a-registration-with-copies-missing-is-accepted',
  )
  const verdicts = await verdictsAt(await serving(discoverable.replace('if (run === undefined)', strict)), { cases })
  expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(['warning']))
  expect(new Set((await verdictsAt(await serving(discoverable), { cases })).map(({ verdict }) => verdict))).toEqual(
    new Set(['passed']),
  )
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

/** The same server as a site of its own: a login, a token from a page, forms, wrapped answers, refusals with HTTP 200. */
const SITE = (
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
  ] as const
).reduce((code, [from, to]) => {
  expect(code).toContain(from)
  return code.replace(from, () => to)
}, SERVER)

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

test('a server gets the same verdicts by its own calls as by the test API', async () => {
  const { url: _, ca: __, ...site } = must(readWebauthnServer(SITE_CONFIG))
  const cases = WEBAUTHN_CASES.filter((_, n) => isLong || n % 6 === 0)
  const policies: readonly Policy[] = ['counters', 'trusted-attestation']
  const right = await verdictsAt(await serving(), { cases, policies })
  expect(right.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(cases.length / 2)
  const verdicts = (all: typeof right) => all.map(({ id, verdict }) => `${verdict} ${id}`)
  expect(verdicts(await verdictsAt(await serving(SITE), { cases, policies, site }))).toEqual(verdicts(right))
})

test('a refusal of the test API may have HTTP 200', async () => {
  const cases = named('a-registration-with-challenge-wrong-is-refused')
  const verdicts = await verdictsAt(await serving(SERVER.replace('answer(400,', 'answer(200,')), { cases })
  expect(verdicts).toMatchObject([{ verdict: 'passed' }])
})

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

test('a credential is sent by its members in other forms, and a mistake that is not sent has no verdict', async () => {
  const verdicts = {
    'a-registration-and-a-sign-in-are-accepted': 'passed',
    'a-registration-with-challenge-wrong-is-refused': 'passed',
    'a-sign-in-with-signature-by-another-key-is-refused': 'passed',
    'a-sign-in-with-client-data-missing-is-refused': 'passed',
    'a-sign-in-with-client-data-in-plain-base64-is-refused': 'skipped',
    'a-sign-in-with-user-handle-wrong-is-refused': 'skipped',
    'a-registration-with-answer-type-wrong-is-refused': 'skipped',
  }
  const cases = named(...Object.keys(verdicts))
  const found = await verdictsAt(await serving(SHAPED), { cases, site: { calls: SHAPED_CALLS } })
  expect(Object.fromEntries(found.map(({ id, verdict }) => [id, verdict]))).toEqual(verdicts)
})

test('a sign-in counts if the server then names this user, whatever it answers', async () => {
  const { url: _, ca: __, ...site } = must(readWebauthnServer(SITE_CONFIG))
  const cases = named('a-registration-and-a-sign-in-are-accepted')
  const forgetful = await serving(SITE.replace('session.isIn = true', ''))
  expect(await verdictsAt(forgetful, { cases, site })).toMatchObject([{ verdict: 'failed' }])
  const opening = "'POST /sessions': async (body, session) => {"
  const hasty = await serving(SITE.replace(opening, `${opening}\n    session.isIn = true`))
  const wrong = named('a-sign-in-with-signature-by-another-key-is-refused')
  expect(await verdictsAt(hasty, { cases: wrong, site })).toMatchObject([{ verdict: 'failed' }])
})

test('where a call says who is signed in, a second answer is judged by what it gets, and another user by the name', async () => {
  const { url: _, ca: __, ...site } = must(readWebauthnServer(SITE_CONFIG))
  const cases = named(
    'an-answer-that-was-accepted-once-is-refused-the-second-time',
    'a-credential-of-another-user-signs-nobody-in',
  )
  expect(new Set((await verdictsAt(await serving(SITE), { cases, site })).map(({ verdict }) => verdict))).toEqual(
    new Set(['passed']),
  )
  const anybody = `[...users.values()].flatMap((each) => each.credentials.map((one) => ((one.owner = each), one))).find(({ id }) => id === body.id)`
  const careless = [
    ['user.credentials.find(({ id }) => id === body.id)', anybody],
    ["if (userHandle != null && userHandle !== user.handle) throw new Error('the user handle is somebody else’s')", ''],
    ['session.isIn = true', 'session.isIn = true\n    session.username = credential.owner.name'],
    ["delete session.challenge\n    if (challenge === undefined) throw new Error('no sign-in was begun')", ''],
  ].reduce((code, [from = '', to = '']) => {
    expect(code).toContain(from)
    return code.replace(from, () => to)
  }, SITE)
  expect(new Set((await verdictsAt(await serving(careless), { cases, site })).map(({ verdict }) => verdict))).toEqual(
    new Set(['failed']),
  )
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

const NOT_THERE: readonly (readonly [Reading, string])[] = [
  ['data.no', 'member data.no'],
  [{ text: 'value=(\\w+)' }, 'text that fits value=(\\w+)'],
  [{ header: 'X-No' }, 'header X-No'],
  [{ cookie: 'no' }, 'cookie no'],
  [{ address: '/no' }, 'address that fits /no'],
]

test('a call that is refused says for which of its names keep found nothing, until a later answer has it', async () => {
  const { url: _, ca: __, ...site } = must(readWebauthnServer(SITE_CONFIG))
  const [page, asks] = [site.calls.registration_options].flat()
  if (page === undefined || asks === undefined) throw new Error('the site has two calls')
  const url = await serving(SITE)
  const verdictBy = (...registration_options: readonly (typeof page)[]) =>
    verdictsAt(url, {
      cases: named('a-registration-and-a-sign-in-are-accepted'),
      site: { ...site, calls: { ...site.calls, registration_options } },
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
  const url = await serving(SITE.replace('expectedChallenge: challenge,', 'expectedChallenge: () => true,'))
  writeFileSync(file, SITE_CONFIG.replace('http://localhost:1', url))
  const id = 'a-registration-with-challenge-wrong-is-refused'
  const { code, out } = await runCommand(['check', '--webauthn', '--config', file, '--case', id, '--json'])
  expect(code).toBe(1)
  const { cases } = JSON.parse(out) as CheckReport
  expect(cases).toMatchObject([
    { id, verdict: 'failed', again: `handset check --webauthn --config ${file} --case ${id}` },
  ])
})

test('the command names each failure with its step, its answer and the command that plays it alone', async () => {
  const url = await serving(SERVER.replaceAll('expectedChallenge: challenge,', 'expectedChallenge: () => true,'))
  const id = 'a-registration-with-challenge-wrong-is-refused'
  const check = (...more: readonly string[]) => runCommand(['check', '--webauthn', '--conformance-url', url, ...more])
  const { code, out } = await check('--case', id)
  expect(code).toBe(1)
  expect(out).toContain('WebAuthn Level 3, §7.1 Registering a New Credential')
  expect(out).toContain('Step 8: ')
  expect(out).toContain(`handset check --webauthn --conformance-url ${url} --case ${id}`)
  expect(await check('--case', 'a-registration-and-a-sign-in-are-accepted')).toMatchObject({ code: 1 })
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
  onTestFinished(() => void secure.close())
  await once(secure.listen(0, '127.0.0.1'), 'listening')
  const url = `https://localhost:${(secure.address() as AddressInfo).port}`
  const folder = temporaryFolder()
  const [ca, config] = [join(folder, 'ca.pem'), join(folder, 'site.yaml')]
  writeFileSync(ca, authority.certificate)
  writeFileSync(config, SITE_CONFIG.replace('http://localhost:1', `${url}\nca: ca.pem`))
  const one = ['--case', 'a-registration-and-a-sign-in-are-accepted']
  const check = (...args: readonly string[]) => runCommand(['check', '--webauthn', ...args, ...one])
  const without = await check('--conformance-url', url)
  expect(without).toMatchObject({ code: 3, errors: [expect.stringContaining('nobody answers at')] })
  const named = await check('--conformance-url', url, '--ca', ca)
  expect(named.code).toBe(1)
  expect(named.out).toContain(`handset check --webauthn --conformance-url ${url} --ca ${ca} ${one.join(' ')}`)
  expect(await check('--config', config)).toMatchObject({ code: 1, out: expect.stringContaining('HTTP 200') })
  expect(await check('--config', config, '--ca', `${ca}x`)).toMatchObject({ code: 2 })
})

test('a server that asks for appid may take its hash', async () => {
  const asking = SERVER.replace('userVerification,\n', 'userVerification, extensions: { appid: origin() },\n')
  const cases = named('a-sign-in-with-appid-that-was-not-asked-for-and-the-hash-of-the-origin-is-refused')
  const text = 'the server asks for the extension'
  expect(await verdictsAt(await serving(asking), { cases })).toMatchObject([{ verdict: 'skipped', text }])
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
  const code = SERVER.replace("username === ''", refuses || "username === ''")
  const cases = named(
    'a-user-name-of-64-octets-is-accepted',
    'a-display-name-with-letters-of-several-scripts-is-accepted',
  )
  const found = await verdictsAt(await serving(code), { cases, site: { calls, user_id } })
  expect(found.map(({ verdict }) => verdict)).toEqual(verdicts)
})

test('a test of one’s own server plays one mistake, or those that it names, and rejects where the server accepts', async () => {
  const id = 'a-registration-with-challenge-wrong-is-refused'
  const [right, wrong] = [
    await serving(),
    await serving(SERVER.replace('expectedChallenge: challenge,', 'expectedChallenge: () => true,')),
  ]
  expect(await holdWebauthn({ url: right }, id)).toMatchObject({ id, verdict: 'passed', step: '7.1.8' })
  await expect(holdWebauthn({ url: wrong }, id)).rejects.toThrow('FAILED, WebAuthn §7.1.8')
  const two = webauthnCases.slice(0, 2).map((each) => each.id)
  expect((await playWebauthn({ url: right }, two)).map((each) => each.id)).toEqual(two)
  for (const server of [{ url: 'shop' }, { url: right, policies: ['all'] }, { url: right, calls: {} }])
    await expect(playWebauthn(server, two)).rejects.toThrow(TypeError)
  await expect(holdWebauthn({ url: right }, `${id}x`)).rejects.toThrow(`Did you mean ${id}?`)
})
