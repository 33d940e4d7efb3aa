import { expect, it } from 'vitest'
import { REGISTRATION_STEPS } from '../../../src-main/core/contract/judge/steps.ts'
import { concat, fromBase64url, fromUtf8, toBase64url } from '../../../src-main/core/protocol/bytes.ts'
import { unwrap } from '../../../src-main/core/protocol/result.ts'
import type { RegistrationResponseJson } from '../../../src-main/core/protocol/webauthn-json.ts'
import { type Cbor, cbor, map, raw } from '../../support/ceremony/cbor.ts'
import { testAlgorithms, testKey, withMember } from '../../support/ceremony/keys.ts'
import {
  AAGUID,
  CHALLENGE,
  CREDENTIAL_ID,
  FLAG,
  goodParts,
  type RegistrationParts,
  registration,
} from '../../support/ceremony/registration.ts'
import {
  expectRefusal,
  judgedRegistration,
  outcomeOf,
  type Refusals,
  refusalsOf,
} from '../../support/ceremony/verdicts.ts'

const good = goodParts()
const clientData = (changes: Record<string, unknown>): Partial<RegistrationParts> => ({
  clientData: { ...good.clientData, ...changes },
})
const answer = (change: (built: RegistrationResponseJson) => unknown): Partial<RegistrationParts> => ({
  response: change,
})
const inResponse = (changes: Record<string, unknown>): Partial<RegistrationParts> =>
  answer((built) => ({ ...built, response: { ...built.response, ...changes } }))
const object = (build: (pairs: [string, Cbor][]) => Uint8Array): Partial<RegistrationParts> => ({
  attestationObject: ({ format, statement, authenticatorData }) =>
    concat(
      build([
        ['fmt', format],
        ['attStmt', statement],
        ['authData', authenticatorData],
      ]),
    ),
})
const FLAGS = good.flags
const extended = (extensions: Cbor) => ({ flags: FLAGS | FLAG.ED, extensions: cbor(extensions) })
const withoutAttestation = { format: 'none', statement: () => map() } as const

/** What no fault of a phone does: each fault is judged in test/phones/authenticator/faults. */
const refusals: Refusals<Partial<RegistrationParts>> = {
  '7.1.2 malformed_response: a number as attachment': answer((built) => ({ ...built, authenticatorAttachment: 1 })),
  '7.1.3 response_too_large: a monstrous attestation object': inResponse({ attestationObject: 'A'.repeat(200_000) }),
  '7.1.3 response_member_malformed: transports that are no names': inResponse({ transports: [1] }),
  '7.1.3 response_member_malformed: an algorithm as text': inResponse({ publicKeyAlgorithm: '-7' }),
  '7.1.3 not_base64url: a public key in hex': inResponse({ publicKey: 'zz==' }),
  '7.1.4 client_extension_results_malformed: a list': answer((built) => ({ ...built, clientExtensionResults: [] })),
  '7.1.6 token_binding_malformed: a token binding without its id': clientData({ tokenBinding: { status: 'present' } }),
  '7.1.8 challenge_encoding: the challenge with padding': clientData({ challenge: `${CHALLENGE}=` }),
  '7.1.13 malformed_attestation_object: no fmt': object(([, ...pairs]) => cbor(map(...pairs))),
  '7.1.13 malformed_attestation_object: a tag': object((pairs) => concat(Uint8Array.of(0xc1), cbor(map(...pairs)))),
  '7.1.13 cbor_too_deep: CBOR nested without end': object(() => Uint8Array.from({ length: 5000 }, () => 0x81)),
  '7.1.13 cbor_value_unassigned: a value without meaning': extended(map(['ext', raw(0xf8, 0x20)])),
  '7.1.13 extensions_malformed: extensions with a number as name': extended(map([1, 2])),
  '7.1.13 public_key_not_on_curve: a point off the curve under no attestation': {
    ...withoutAttestation,
    cose: withMember(good.cose, -2, new Uint8Array(32).fill(1)),
  },
  '7.1.13 cbor_keys_unordered: members of a key out of order': { cose: { pairs: good.cose.pairs.toReversed() } },
  '7.1.21 attestation_format_unsupported: a format named like what objects inherit': { format: 'constructor' },
  '7.1.24 attestation_none_refused: none where a trusted one is required': {
    ...withoutAttestation,
    case: { attestation: 'require-trusted' },
  },
  '7.1.24 attestation_self_refused: self attestation there': { case: { attestation: 'require-trusted' } },
  '7.1.26 credential_already_registered: a credential that is registered': { case: { credentialKnown: () => true } },
  '7.1.26 credential_already_registered: a credential that was excluded': {
    options: { excludeCredentials: [{ type: 'public-key', id: toBase64url(CREDENTIAL_ID) }] },
  },
}

it.each(refusalsOf(refusals))('a registration is refused for: %s', async (_what, changes, refusal) => {
  expectRefusal(await judgedRegistration(registration(changes)), refusal)
})

it.each(testAlgorithms)('a good registration is accepted with algorithm %i and self attestation', async (algorithm) => {
  const verdict = await judgedRegistration(registration({ key: testKey(algorithm), cose: testKey(algorithm).cose }))
  expect(verdict.failure).toBeUndefined()
  expect(verdict.value?.algorithm).toBe(algorithm)
})

it('a good registration gives the record to be stored', async () => {
  const flags = FLAGS | FLAG.BE | FLAG.BS
  expect((await judgedRegistration(registration({ flags, signCount: 5 }))).value).toEqual({
    id: toBase64url(CREDENTIAL_ID),
    publicKey: cbor(good.cose),
    algorithm: -7,
    signCount: 5,
    userVerified: true,
    backupEligible: true,
    backupState: true,
    aaguid: 'a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf',
    transports: ['internal'],
    format: 'packed',
    attestationType: 'self',
    trusted: false,
  })
})

it('a good registration passes or skips every step of the specification, in its order', async () => {
  const { steps } = await judgedRegistration(registration())
  expect(steps.map(({ id }) => id)).toEqual(Array.from({ length: 29 }, (_, i) => `7.1.${i + 1}`))
  expect(steps.filter(({ outcome }) => outcome !== 'passed').map(({ id }) => id)).toEqual(['7.1.16', '7.1.23'])
})

it('a good registration may carry unrequested extension outputs', async () => {
  const outputs = map(['credProtect', 2], ['hmac-secret', true])
  const verdict = await judgedRegistration(registration(extended(outputs)))
  expect(verdict.accepted).toBe(true)
  expect(verdict.decoded.authenticatorData?.extensions?.entries).toHaveLength(2)
})

it('[judge.top-origin] a good registration may happen in a frame that the relying party expects', async () => {
  const framed: Partial<RegistrationParts> = {
    ...clientData({ crossOrigin: true, topOrigin: 'https://a.example' }),
    case: { topOrigins: ['https://a.example'] },
  }
  expect((await judgedRegistration(registration(framed))).accepted).toBe(true)
})

it('a good registration may have a credential ID of 1,023 bytes', async () => {
  expect((await judgedRegistration(registration({ credentialId: new Uint8Array(1023).fill(7) }))).accepted).toBe(true)
})

it('the switch for CBOR never accepts a key twice', async () => {
  const cose = { pairs: [...good.cose.pairs, good.cose.pairs[4] ?? [0, 0]] } as const
  const verdict = await judgedRegistration(registration({ cose, case: { relaxed: ['non-canonical-cbor'] } }))
  expectRefusal(verdict, { word: 'cbor_duplicate_key', step: '7.1.13' })
})

it('a verdict names the first failed step of the specification and still judges the others', async () => {
  const verdict = await judgedRegistration(
    registration({ ...clientData({ challenge: 'AAAA', origin: 'http://evil.example' }), flags: FLAGS & ~FLAG.UP }),
  )
  expectRefusal(verdict, { word: 'challenge_mismatch', step: '7.1.8' })
  expect(['7.1.9', '7.1.15'].map((step) => outcomeOf(verdict, step))).toEqual(['failed', 'failed'])
  expect(outcomeOf(verdict, '7.1.14')).toBe('passed')
  expect(outcomeOf(verdict, '7.1.29')).toBe('skipped')
})

it('a verdict tells what was expected, what was received and where it stands', async () => {
  const input = registration(clientData({ challenge: 'AAAA' }))
  const verdict = await judgedRegistration(input)
  const step = verdict.steps.find(({ id }) => id === '7.1.8')
  expect(step).toMatchObject({ expected: `"${CHALLENGE}"`, received: '"AAAA"', at: { part: 'clientDataJSON' } })
  const { clientDataJSON } = (input.response as RegistrationResponseJson).response
  const text = fromUtf8(unwrap(fromBase64url(clientDataJSON), 'clientDataJSON'))
  expect(text?.slice(step?.at?.start, step?.at?.end)).toBe('"AAAA"')
})

it('a verdict skips what an undecodable attestation object leaves without anything to check', async () => {
  const verdict = await judgedRegistration(registration({ attestationObject: () => Uint8Array.of(0xff) }))
  expect(outcomeOf(verdict, '7.1.8')).toBe('passed')
  expect(outcomeOf(verdict, '7.1.14')).toBe('skipped')
  expect(verdict.steps).toHaveLength(REGISTRATION_STEPS.length)
})

it('a verdict points at the flags in the authenticator data', async () => {
  const verdict = await judgedRegistration(registration({ flags: FLAGS & ~FLAG.UP }))
  const at = verdict.steps.find(({ id }) => id === '7.1.15')?.at
  expect(at).toEqual({ part: 'authenticatorData', start: 32, end: 33 })
})

it('a verdict keeps the attested credential with its places', async () => {
  const { decoded } = await judgedRegistration(registration())
  const data = decoded.authenticatorData
  const range = data?.attested?.credentialIdRange
  expect(data?.bytes.slice(range?.start, range?.end)).toEqual(CREDENTIAL_ID)
  expect(data?.attested?.aaguid).toEqual(AAGUID)
})

it('asks whether the credential is known by its attested ID', async () => {
  const asked: string[] = []
  await judgedRegistration(registration({ case: { credentialKnown: (id) => asked.push(id) < 0 } }))
  expect(asked).toEqual([toBase64url(CREDENTIAL_ID)])
})

it('asks for user verification only when the options require it', async () => {
  const unverified = { flags: FLAGS & ~FLAG.UV }
  const verdict = await judgedRegistration(registration(unverified))
  expect(verdict.accepted).toBe(true)
  expect(verdict.value?.userVerified).toBe(false)
})
