import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { CheckName } from '../../../src-main/core/contract/judge/checks.ts'
import type { Verdict } from '../../../src-main/core/judge/verdict.ts'
import { fromHex, toBase64url } from '../../../src-main/core/protocol/bytes.ts'
import type { CreationOptionsJson, RequestOptionsJson } from '../../../src-main/core/protocol/webauthn-json.ts'
import { must } from '../../phones/authenticator/support/requests.ts'
import { authentication } from '../../support/ceremony/authentication.ts'
import { type Cbor, cbor, map } from '../../support/ceremony/cbor.ts'
import { CREDENTIAL_ID, FLAG, NOW, registration, USER_HANDLE } from '../../support/ceremony/registration.ts'
import * as verdicts from '../../support/ceremony/verdicts.ts'

type Change = {
  readonly asked?: Readonly<Record<string, unknown>>
  readonly results?: Readonly<Record<string, unknown>>
  /** Of the authenticator. */
  readonly outputs?: Cbor
  readonly residentKey?: 'required' | 'discouraged'
}

const responseOf =
  (results: Change['results']) =>
  <T extends object>(built: T): T => ({ ...built, clientExtensionResults: results ?? {} })

const registered = ({ asked, results, outputs, residentKey }: Change) =>
  verdicts.judgedRegistration(
    registration({
      ...(outputs && { flags: FLAG.UP | FLAG.UV | FLAG.AT | FLAG.ED, extensions: cbor(outputs) }),
      options: { ...(asked && { extensions: asked }), ...(residentKey && { authenticatorSelection: { residentKey } }) },
      response: responseOf(results),
    }),
  )

const signedIn = ({ asked, results, outputs }: Change) =>
  verdicts.judgedAuthentication(
    authentication({
      ...(outputs && { flags: FLAG.UP | FLAG.UV | FLAG.ED, afterCounter: cbor(outputs) }),
      ...(asked && { options: { extensions: asked } }),
      response: responseOf(results),
    }),
  )

const lastStep = ({ steps }: Verdict<unknown>) => steps.find(({ id }) => id === '7.1.28' || id === '7.2.23')

const passedChecks = (verdict: Verdict<unknown>): readonly (CheckName | undefined)[] =>
  (lastStep(verdict)?.checks ?? []).filter(({ outcome }) => outcome === 'passed').map(({ check }) => check)

const HMAC = 'hmac_secret_output'
const PRF = toBase64url(new Uint8Array(32).fill(7))
const ONE = { first: PRF }
const SALT = { first: 'AQIDBA' }
const SALTS = { first: 'AQIDBA', second: 'BQYHCA' }

const props = (credProps: unknown): Change => ({ asked: { credProps: true }, results: { credProps } })
const prf = (inputs: unknown, prf: unknown): Change => ({ asked: { prf: inputs }, results: { prf } })
const secret = (inputs: unknown, output: Cbor) => ({ asked: { prf: inputs }, outputs: map(['hmac-secret', output]) })
const blob = (inputs: unknown, largeBlob: unknown): Change => ({ asked: { largeBlob: inputs }, results: { largeBlob } })
const pin = (output: Cbor): Change => ({ asked: { minPinLength: true }, outputs: map(['minPinLength', output]) })
const protect = (policy: string, level: number): Change => ({
  ...{ asked: { credentialProtectionPolicy: `userVerification${policy}` }, outputs: map(['credProtect', level]) },
})

const refusals: verdicts.Refusals<Change> = {
  'extension_output_malformed: credProps is a list': props([]),
  'extension_output_malformed: rk is a number': props({ rk: 1 }),
  'resident_key_contradicted: rk is false under required': { ...props({ rk: false }), residentKey: 'required' },
  'extension_output_malformed: prf without enabled': prf({}, {}),
  'extension_output_malformed: PRF results are a text': prf({ eval: SALT }, { enabled: true, results: PRF }),
  'prf_contradicted: results without an input': prf({}, { enabled: true, results: ONE }),
  'prf_contradicted: results, and not enabled': prf({ eval: SALT }, { enabled: false, results: ONE }),
  'prf_contradicted: enabled, and hmac-secret is false': { ...prf({}, { enabled: true }), ...secret({}, false) },
  'extension_output_malformed: hmac-secret is a number': secret({}, 1),
  'large_blob_contradicted: not supported where required': blob({ support: 'required' }, { supported: false }),
  'large_blob_contradicted: written at a registration': blob({ write: 'AAAA' }, { written: true }),
  'extension_output_malformed: supported is a text': blob({ support: 'preferred' }, { supported: 'yes' }),
  'credential_protection_weaker: credProtect 2 instead of 3': protect('Required', 2),
  'extension_output_malformed: credProtect 4': protect('Required', 4),
  'extension_output_malformed: minPinLength 3': pin(3),
  'extension_output_malformed: minPinLength is true': pin(true),
}

it.each(verdicts.refusalsOf(refusals, '7.1.28'))('at a registration is refused: %s', async (_what, change, refusal) => {
  verdicts.expectRefusal(await registered(change), refusal)
})

it.each<[string, Change, readonly CheckName[]]>([
  ['rk is true under discouraged', { ...props({ rk: true }), residentKey: 'discouraged' }, ['cred_props_output']],
  ['rk is false, and not required', props({ rk: false }), ['cred_props_output']],
  ['rk is not known', { ...props({}), residentKey: 'required' }, ['cred_props_output']],
  ['credProtect 3 instead of 2', protect('OptionalWithCredentialIDList', 3), ['cred_protect_output']],
  ['the longest PIN', pin(63), ['min_pin_length_output']],
  ['hmac-secret as enabled says', { ...prf({}, { enabled: false }), ...secret({}, false) }, ['prf_output', HMAC]],
  ['nothing was acted upon', { asked: { credProps: true, prf: {}, minPinLength: true } }, []],
])('at a registration is accepted: %s', async (_what, change, checks) => {
  const verdict = await registered(change)
  expect([verdict.failure, passedChecks(verdict), lastStep(verdict)?.note]).toEqual([
    ...[undefined, checks, 'outputs_kept'],
  ])
})

describe('at a sign-in', () => {
  const two = { results: { first: PRF, second: PRF } }
  const own = { eval: SALTS, evalByCredential: { [toBase64url(CREDENTIAL_ID)]: SALT } }
  const long = toBase64url(new Uint8Array(33))
  const refusals: verdicts.Refusals<Change> = {
    'prf_contradicted: enabled': prf({}, { enabled: true }),
    'prf_contradicted: a second output for one input': prf({ eval: SALT }, two),
    'extension_output_malformed: no second output for two inputs': prf({ eval: SALTS }, { results: ONE }),
    'prf_contradicted: a second output for the one input of this credential': prf(own, two),
    'extension_output_malformed: in plain base64': prf({ eval: SALT }, { results: { first: `${PRF}=` } }),
    'prf_output_length: 33 bytes': prf({ eval: SALT }, { results: { first: long } }),
    'prf_output_length: hmac-secret of 33 bytes': secret({ eval: SALT }, new Uint8Array(33)),
    'extension_output_malformed: hmac-secret is true': secret({ eval: SALT }, true),
    'large_blob_contradicted: a blob where one was written': blob({ write: 'AAAA' }, { blob: 'AAAA' }),
    'large_blob_contradicted: supported': blob({ read: true }, { supported: true }),
    'extension_output_malformed: prf is a text': prf({ eval: SALT }, PRF),
    'extension_output_malformed: a blob in plain base64': blob({ read: true }, { blob: 'AA==' }),
    'extension_output_malformed: written is a text': blob({ write: 'AAAA' }, { written: 'yes' }),
  }

  it.each(verdicts.refusalsOf(refusals, '7.2.23'))('is refused: %s', async (_what, change, refusal) => {
    const verdict = await signedIn(change)
    verdicts.expectRefusal(verdict, refusal)
    expect(JSON.stringify(verdict.steps)).not.toContain(PRF)
  })
})

it.each([
  ['a registration', registered],
  ['a sign-in', signedIn],
] as const)('an output that was not asked for is named at %s, and its value decides nothing', async (_what, judged) => {
  const unasked = { results: { prf: 5, toString: {} }, outputs: map(['credProtect', 9], ['hmac-secret', 'x']) }
  const verdict = await judged({ asked: { largeBlob: {}, credProps: false }, ...unasked })
  expect(verdict.failure).toBeUndefined()
  expect(lastStep(verdict)).toMatchObject({
    outcome: 'passed',
    note: 'outputs_not_asked_for',
    received: '"prf, toString, credProtect, hmac-secret"',
  })
})

const FIRST = toBase64url(must(fromHex('c4172e982e9097c39a6c0cb720cb375b92e3fcad154a63e43a93f1096b1e1973')))
const own = { AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA: { first: 'CQoLDA' } }
const inputs = { eval: SALTS, evalByCredential: { 'e02eZ9lPp0UdkF4vGRO4-NxlhWBkL1FCmsmb1tTfRyE': { first: 'CQoLDA' } } }

it.each([
  ['no input, enabled', {}, { enabled: true }],
  ['no input, not enabled', {}, { enabled: false }],
  ['an input, no result', { eval: SALT }, { enabled: true }],
  ['an input, not enabled', { eval: SALT }, { enabled: false }],
  ['an input and its result', { eval: SALT }, { enabled: true, results: { first: FIRST } }],
])(
  '[judge.extensions] the examples of WebAuthn Level 3 for prf are outputs of registrations: %s',
  async (_what, inputs, output) => {
    expect((await registered(prf(inputs, output))).failure).toBeUndefined()
  },
)

// output_enc for one and for two inputs, under PIN/UV protocols two and one.
it.each([
  '3bfaa48f7952330d63e35ff8cd5bca48d2a12823828915749287256ab146272f9fb437bf65691243c3f504bd7ea6d5e6',
  '90ee52f739043bc17b3488a74306d7801debb5b61f18662c648a25b5b5678ede482cdaff99a537a44f064fcb10ce6e04dfd27619dc96a0daff8507e499296b1eecf0981f7c8518b277a7a3018f5ec6fb',
  '15d4e4f3f04109b492b575c1b38c28585b6719cf8d61304215108d939f37ccfb',
])('the examples of WebAuthn Level 3 for prf have encrypted outputs at sign-ins: %s', async (hex) => {
  expect(passedChecks(await signedIn(secret({ eval: SALTS }, must(fromHex(hex)))))).toEqual([HMAC])
})

it.each([
  ['no input', {}, {}],
  ['an input, no result', { eval: SALT }, {}],
  ['an input and its result', { eval: SALT }, { results: { first: FIRST } }],
  ['an input for this credential', { eval: SALTS, evalByCredential: own }, { results: { first: FIRST } }],
  ['an input for another one', inputs, {}],
  ['an input for another one, and results', inputs, { results: { first: FIRST, second: FIRST } }],
])('the examples of WebAuthn Level 3 for prf are outputs of sign-ins: %s', async (_what, inputs, output) => {
  expect((await signedIn(prf(inputs, output))).failure).toBeUndefined()
})

type Told<Options> = { readonly options: Options; readonly response: unknown }
type Recorded = {
  readonly origin: string
  readonly cases: Readonly<
    Record<string, { registration: Told<CreationOptionsJson>; authentications: readonly Told<RequestOptionsJson>[] }>
  >
}

describe('the answers of Chromium', () => {
  const file = new URL('../../vectors/extensions/chromium-156.json', import.meta.url)
  const { origin, cases }: Recorded = JSON.parse(readFileSync(file, 'utf8'))
  const rp = { origins: [origin], rpId: 'localhost' }
  const ALL = ['cred_props_output', 'prf_output', 'large_blob_output']

  it.each([
    ['with every extension', [...ALL, 'min_pin_length_output'], ['prf', 'prf', 'prf, large_blob', 'large_blob']],
    ['without prf and largeBlob', ALL, ['prf', '']],
    ['asked for nothing', [], ['']],
  ])('%s fit what was asked for', async (name, atRegistration, atSignIns) => {
    const { registration: made, authentications } = cases[name] ?? expect.unreachable()
    const input = {
      ...rp,
      ...made,
      attestation: 'accept-any',
      roots: [],
      now: NOW,
      credentialKnown: () => false,
    } as const
    const verdict = await verdicts.judgedRegistration(input)
    expect([verdict.failure, passedChecks(verdict)]).toEqual([undefined, atRegistration])
    const stored = verdict.value && { ...verdict.value, userHandle: USER_HANDLE }
    const seen: string[] = []
    for (const told of authentications) {
      const signed = await verdicts.judgedAuthentication({
        ...{ ...rp, ...told, credential: () => stored, expectedUserHandle: USER_HANDLE, counterRegression: 'fail' },
      })
      expect(signed.failure).toBeUndefined()
      seen.push(passedChecks(signed).join(', ').replaceAll('_output', ''))
    }
    expect(seen).toEqual(atSignIns)
  })
})
