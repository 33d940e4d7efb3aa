import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createRandom } from '../../../src-main/bench/harness/random.ts'
import { type Policy, WEBAUTHN_CASES, type WebauthnCase } from '../../../src-main/testing/check/webauthn/cases.ts'
import { checkWebauthn } from '../../../src-main/testing/check/webauthn/run.ts'
import { ROOT } from '../../support/imports.ts'
import { runCommand } from '../../support/run-command.ts'
import { serveBriefly } from '../../support/serve-briefly.ts'
import { begin } from '../../support/spawn-tied.ts'

const SERVER = readFileSync(join(ROOT, 'test/foreign-servers/simplewebauthn/server.mjs'), 'utf8')

/** A server over a library of other makers, or the same with one line changed. */
const serving = async (code = SERVER): Promise<string> => {
  const { ready, child } = begin([process.execPath, '--input-type=module', '-e', code], { cwd: ROOT })
  onTestFinished(() => void child.kill('SIGKILL'))
  return (await ready).url ?? ''
}

type Tried = { readonly cases?: readonly WebauthnCase[]; readonly policies?: readonly Policy[] }

const verdictsAt = async (url: string, { cases = WEBAUTHN_CASES, policies = [] }: Tried = {}) => {
  const results = await checkWebauthn({
    ...{ target: { url }, cases, policies: new Set(policies), parallel: 4, now: Date.now },
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
  for (const page of ['docs/using/check.md', 'README.md'])
    expect(readFileSync(join(ROOT, page), 'utf8')).toContain(`${WEBAUTHN_CASES.length} cases, each `)
})

test.each([
  ['a-registration-with-top-origin-wrong-is-refused', '7.1.11'],
  ['a-sign-in-with-top-origin-wrong-is-refused', '7.2.14'],
  ['a-registration-with-user-verification-missing-is-refused', '7.1.16'],
  ['a-sign-in-with-user-verification-missing-is-refused', '7.2.17'],
  ['a-registration-with-algorithm-not-requested-is-refused', '7.1.20'],
  ['a-registration-with-certificate-expired-is-refused', '7.1.24'],
  ['a-registration-with-issuer-not-ca-is-refused', '7.1.24'],
  ['a-registration-with-chain-untrusted-is-refused', '7.1.24'],
  ['a-registration-with-chain-empty-is-refused', '7.1.22'],
  ['a-sign-in-with-signature-by-another-key-is-refused', '7.2.21'],
])('%s names step %s', (id, step) => expect(named(id)).toMatchObject([{ step }]))

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
  ["throw new Error('not verified')", '', 'a-sign-in-with-signature-by-another-key-is-refused', []],
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
  [['--webauthn', '--conformance-url', 'http://localhost:1', '--policy', 'counter'], 'must be one of counters'],
  [['--webauthn', '--conformance-url', 'http://localhost:1', '--origin', 'shop.example'], 'must be an origin'],
  [['--webauthn', '--conformance-url', 'http://localhost:1', '--case', 'nothing'], 'there is no case "nothing"'],
  [['--webauthn', '--base-url', 'http://localhost:1'], '--base-url'],
])('%j is refused in one line that says %j', async (args, told) => {
  const { code, errors } = await runCommand(['check', ...args])
  expect(code).toBe(2)
  expect(errors.join('\n')).toContain(told)
})
