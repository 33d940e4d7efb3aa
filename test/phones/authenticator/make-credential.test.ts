import { isoCBOR } from '@simplewebauthn/server/helpers'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toHex } from '../../../src-main/core/protocol/bytes.ts'
import type { CreationOptionsJson } from '../../../src-main/core/protocol/webauthn-json.ts'
import { FLAGS } from '../../../src-main/phones/authenticator/authenticator-data.ts'
import { type CborValue, encodeCanonicalCbor } from '../../../src-main/phones/authenticator/canonical-cbor.ts'
import { encodeClientData } from '../../../src-main/phones/authenticator/client-data.ts'
import { type GetAssertionRequest, getAssertion } from '../../../src-main/phones/authenticator/get-assertion.ts'
import { makeCredential } from '../../../src-main/phones/authenticator/make-credential.ts'
import { MODELS } from '../../../src-main/phones/authenticator/models.ts'
import type { Credential } from '../../../src-main/phones/authenticator/seams.ts'
import {
  goodAssertion,
  goodCreation,
  goodCreationOptions,
  goodPorts,
  goodRequestOptions,
  holding,
  must,
  RP_ID,
} from './support/requests.ts'
import { octets } from './support/simplewebauthn.ts'
import { attestationOf } from './support/statement.ts'

const options = (change: Partial<CreationOptionsJson>): CreationOptionsJson => ({ ...goodCreationOptions, ...change })

const paramsOf = (...algorithms: readonly number[]) => algorithms.map((alg) => ({ type: 'public-key', alg }) as const)

const refusalOf = async (request: Parameters<typeof makeCredential>[0]) => {
  const result = await makeCredential(request, await goodPorts())
  return result.ok ? 'accepted' : result.error.code
}

const flagsOf = (authData: Uint8Array) => authData[32] ?? 0

it('making a credential keeps everything as plain JSON', async () => {
  const { credential } = must(await makeCredential(goodCreation(), await goodPorts()))
  expect(JSON.parse(JSON.stringify(credential))).toEqual(credential)
  expect(credential).toMatchObject({
    rpId: RP_ID,
    userHandle: 'dXNlci0x',
    userName: 'li.wei',
    displayName: 'Li Wei',
    algorithm: -7,
    signCount: 0,
    discoverable: true,
  })
})

it('making a credential in the chip is not eligible for backup; in the cloud it is, and it is backed up', async () => {
  const backup = FLAGS.BE | FLAGS.BS
  const chip = must(await makeCredential(goodCreation({ storage: 'chip' }), await goodPorts()))
  const cloud = must(await makeCredential(goodCreation({ storage: 'cloud' }), await goodPorts()))
  expect(flagsOf(attestationOf(chip.response).authData) & backup).toBe(0)
  expect(flagsOf(attestationOf(cloud.response).authData) & backup).toBe(backup)
  expect(cloud.credential).toMatchObject({ backupEligible: true, backupState: true, counter: 'zero' })
})

it('making a credential says that the user was verified only when that is so', async () => {
  const made = must(await makeCredential(goodCreation({ userVerified: false }), await goodPorts()))
  expect(flagsOf(attestationOf(made.response).authData) & FLAGS.UV).toBe(0)
})

it.each([
  ["the first of the service's that the model has", ['RS256', 'ES384', 'Ed25519'], [-7, -8, -35], -8],
  ['ES256 or RS256 when the service names none', ['Ed25519', 'RS256'], [], -257],
] as const)('making a credential takes %s', async (_, algorithms, asked, taken) => {
  const model = { ...MODELS['granite-self'], algorithms }
  const request = goodCreation({ model, options: options({ pubKeyCredParams: paramsOf(...asked) }) })
  expect(must(await makeCredential(request, await goodPorts())).credential.algorithm).toBe(taken)
})

const required = options({ authenticatorSelection: { userVerification: 'required' } })
it.each<[string, string, Parameters<typeof goodCreation>[0]]>([
  ['no algorithm in common', 'no_supported_algorithm', { options: options({ pubKeyCredParams: paramsOf(-257) }) }],
  [
    'an algorithm that its attestation cannot speak for',
    'no_supported_algorithm',
    { model: { ...MODELS['token-u2f'], algorithms: ['ES384'] }, options: options({ pubKeyCredParams: paramsOf(-35) }) },
  ],
  ['a user who must be verified', 'user_verification_unavailable', { options: required, userVerified: false }],
  ['a user who must be and is', 'accepted', { options: required }],
  [
    'a required discoverable credential that the model cannot keep',
    'resident_key_unavailable',
    { model: MODELS['token-u2f'], options: options({ authenticatorSelection: { residentKey: 'required' } }) },
  ],
  ['a challenge that is no base64url', 'malformed_options', { options: options({ challenge: 'a+b=' }) }],
  [
    'a user that is no base64url',
    'malformed_options',
    { options: options({ user: { ...goodCreationOptions.user, id: '=' } }) },
  ],
])('making a credential asked for with %s is %s', async (_, outcome, change) => {
  expect(await refusalOf(goodCreation(change))).toBe(outcome)
})

it('making a credential refuses when it holds an excluded credential, and only then', async () => {
  const { credential } = must(await makeCredential(goodCreation(), await goodPorts()))
  const excluding = options({ excludeCredentials: [{ type: 'public-key', id: credential.id }] })
  const existing = holding(credential)
  expect(await refusalOf(goodCreation({ options: excluding, existing }))).toBe('credential_excluded')
  expect(await refusalOf(goodCreation({ options: excluding }))).toBe('accepted')
  expect(await refusalOf(goodCreation({ existing }))).toBe('accepted')
})

it.each([
  ['https://example.org', 'accepted'],
  ['https://a.b.example.org:8443', 'accepted'],
  ['http://example.org', 'accepted'],
  ['android:apk-key-hash:abc', 'accepted'],
  ['https://badexample.org', 'rp_id_not_for_origin'],
  ['https://example.org.evil.test', 'rp_id_not_for_origin'],
  ['https://org', 'rp_id_not_for_origin'],
])('making a credential for %s is %s', async (origin, outcome) => {
  expect(await refusalOf(goodCreation({ origin }))).toBe(outcome)
})

it.each<readonly [readonly string[], string]>([
  [['tpm', 'none', 'packed'], 'none'],
  [['tpm', 'packed', 'none'], 'packed'],
  [['tpm'], 'packed'],
])('a model attests in the first format of %j that it has, and else in its own', async (attestationFormats, fmt) => {
  const options = { ...goodCreationOptions, attestationFormats }
  const made = must(await makeCredential(goodCreation({ options }), await goodPorts()))
  expect(attestationOf(made.response).fmt).toBe(fmt)
})

it('making a credential conveys no attestation when the service does not say that it wants one', async () => {
  const { attestation: _, ...silent } = goodCreationOptions
  const made = must(await makeCredential(goodCreation({ options: silent }), await goodPorts()))
  expect(attestationOf(made.response).fmt).toBe('none')
})

it('making a credential makes IDs of up to 1,023 octets', async () => {
  const made = must(await makeCredential(goodCreation({ model: MODELS['long-id'] }), await goodPorts()))
  expect(octets(made.credential.id).length).toBe(1023)
  expect(made.response.rawId).toBe(made.credential.id)
})

const make = async (seed: string, change: Parameters<typeof goodCreation>[0] = {}): Promise<Credential> =>
  must(await makeCredential(goodCreation(change), await goodPorts(seed))).credential

const answer = async (request: GetAssertionRequest) => must(await getAssertion(request, await goodPorts()))

const assertionRefusalOf = async (request: GetAssertionRequest) => {
  const result = await getAssertion(request, await goodPorts())
  return result.ok ? 'accepted' : result.error.code
}

const allowing = (...ids: readonly string[]) => ({
  ...goodRequestOptions,
  allowCredentials: ids.map((id) => ({ type: 'public-key', id }) as const),
})

const countOf = (authenticatorData: string) => Buffer.from(octets(authenticatorData)).readUInt32BE(33)

it('signing in refuses when there is no credential', async () => {
  expect(await assertionRefusalOf(goodAssertion([]))).toBe('no_matching_credential')
})

it('signing in never uses a credential of another RP, whatever the source gives', async () => {
  const foreign = { ...(await make('a')), rpId: 'other.example' }
  expect(await assertionRefusalOf(goodAssertion([foreign]))).toBe('no_matching_credential')
})

it('signing in takes the newest of several', async () => {
  const [old, young] = [
    { ...(await make('a')), createdAt: 1 },
    { ...(await make('b')), createdAt: 2 },
  ]
  expect((await answer(goodAssertion([old, young]))).response.id).toBe(young.id)
  expect((await answer(goodAssertion([young, old]))).response.id).toBe(young.id)
})

it('signing in keeps to the list that the service allows, and treats an empty one as none', async () => {
  const [one, two] = [await make('a'), await make('b')]
  expect((await answer(goodAssertion([one, two], { options: allowing(one.id) }))).response.id).toBe(one.id)
  expect(await assertionRefusalOf(goodAssertion([two], { options: allowing(one.id) }))).toBe('no_matching_credential')
  expect(await assertionRefusalOf(goodAssertion([two], { options: allowing() }))).toBe('accepted')
})

it('signing in finds a credential that is not discoverable by its ID alone, and says nothing of the user, whom others name', async () => {
  const options = { ...goodCreationOptions, authenticatorSelection: { residentKey: 'discouraged' } } as const
  const credential = await make('a', { options })
  expect(credential.discoverable).toBe(false)
  expect(await assertionRefusalOf(goodAssertion([credential]))).toBe('no_matching_credential')
  const { response } = await answer(goodAssertion([credential], { options: allowing(credential.id) }))
  expect(response.response).not.toHaveProperty('userHandle')
  const named = await answer(goodAssertion([await make('a')]))
  expect(named.response.response.userHandle).toBe(goodCreationOptions.user.id)
})

it('signing in counts one up each time in the chip, and says so in the authenticator data', async () => {
  const credential = await make('a')
  const first = await answer(goodAssertion([credential]))
  const second = await answer(goodAssertion([first.credential]))
  expect(countOf(first.response.response.authenticatorData)).toBe(1)
  expect(countOf(second.response.response.authenticatorData)).toBe(2)
  expect(second.credential.signCount).toBe(2)
})

it('signing in never counts in the cloud, and stays at one when the counter is stuck', async () => {
  const cloud = await make('a', { storage: 'cloud' })
  const stuck = await make('b', { model: MODELS['stuck-counter'] })
  expect(countOf((await answer(goodAssertion([cloud]))).response.response.authenticatorData)).toBe(0)
  expect(countOf((await answer(goodAssertion([stuck]))).response.response.authenticatorData)).toBe(1)
  expect((await answer(goodAssertion([stuck]))).credential.signCount).toBe(stuck.signCount)
})

it('signing in refuses when the user must be verified and is not', async () => {
  const options = { ...goodRequestOptions, userVerification: 'required' } as const
  const credential = await make('a')
  expect(await assertionRefusalOf(goodAssertion([credential], { options, userVerified: false }))).toBe(
    'user_verification_unavailable',
  )
  expect(await assertionRefusalOf(goodAssertion([credential], { options }))).toBe('accepted')
})

it('signing in refuses a page that the RP ID does not belong to', async () => {
  const request = goodAssertion([await make('a')], { origin: 'https://elsewhere.test' })
  expect(await assertionRefusalOf(request)).toBe('rp_id_not_for_origin')
})

it('signing in sets the flags from what the credential is', async () => {
  const { response } = await answer(goodAssertion([await make('a', { storage: 'cloud' })], { userVerified: false }))
  expect(octets(response.response.authenticatorData)[32]).toBe(FLAGS.UP | FLAGS.BE | FLAGS.BS)
})

const text = (draft: Parameters<typeof encodeClientData>[0]) => new TextDecoder().decode(encodeClientData(draft))

it('client data escapes quotes, backslashes and controls as WebAuthn does, and nothing else', () => {
  expect(text({ origin: 'a"b\\c\n\u007f/ü' })).toBe('{"origin":"a\\"b\\\\c\\u000a\u007f/ü"}')
})

it('client data leaves out what is undefined and writes other types as JSON', () => {
  expect(text({ type: undefined, challenge: 7, origin: null, crossOrigin: 'false' })).toBe(
    '{"challenge":7,"origin":null,"crossOrigin":"false"}',
  )
})

const encode = (value: CborValue): string => toHex(encodeCanonicalCbor(value))
const forced = (value: unknown) => () => encodeCanonicalCbor(value as CborValue)

// RFC 8949 Appendix A, as far as the values occur here.
it.each([
  [0, '00'],
  [23, '17'],
  [24, '1818'],
  [255, '18ff'],
  [256, '190100'],
  [65535, '19ffff'],
  [65536, '1a00010000'],
  [4294967295, '1affffffff'],
  [-1, '20'],
  [-24, '37'],
  [-25, '3818'],
  [-256, '38ff'],
  [-257, '390100'],
  [-65535, '39fffe'],
  [-65537, '3a00010000'],
  [-2147483648, '3a7fffffff'],
  [true, 'f5'],
  [false, 'f4'],
  ['', '60'],
  ['ü', '62c3bc'],
  ['\u{10151}', '64f0908591'],
  [[1, [2, 3]], '8201820203'],
  [new Map(), 'a0'],
  [Uint8Array.of(1, 2, 3, 4), '4401020304'],
] satisfies [CborValue, string][])('canonical CBOR writes %o as %s', (value, hex) => {
  expect(encode(value)).toBe(hex)
})

it('canonical CBOR writes a Buffer, a view into one and octets the same way, without a tag', () => {
  const buffer = Buffer.from([9, 1, 2, 9])
  for (const octets of [
    Buffer.from([1, 2]),
    buffer.subarray(1, 3),
    new Uint8Array(buffer.buffer, buffer.byteOffset + 1, 2),
  ]) {
    expect(encode(octets)).toBe('420102')
  }
})

it('canonical CBOR orders keys as CTAP2 does: unsigned, negative, text; short before long; then by octets', () => {
  const keys = ['aa', 'b', -1, 10, 'a', 100, -100, 3, 'ab', 256]
  const map = new Map<number | string, CborValue>(keys.map((key) => [key, 0]))
  expect(encode(map)).toBe('aa03000a00186400190100002000386300616100616200626161006261620' + '0')
})

it('canonical CBOR orders maps inside of maps and lists too', () => {
  const inner = new Map<number | string, CborValue>([
    ['b', 1],
    ['a', 2],
  ])
  expect(encode([new Map([['x', inner]])])).toBe('81a16178a2616102616201')
})

it('canonical CBOR gives the same bytes whatever order the keys were put in', () => {
  const keys = fc.uniqueArray(
    fc.oneof(fc.integer({ min: -70000, max: 70000 }), fc.string({ unit: 'grapheme', maxLength: 30 })),
  )
  fc.assert(
    fc.property(keys, fc.integer({ min: 0, max: 1000 }), (list, turn) => {
      const entries = list.map((key, i): [number | string, CborValue] => [key, i])
      const at = list.length === 0 ? 0 : turn % list.length
      const turned = [...entries.slice(at), ...entries.slice(0, at)].reverse()
      expect(encode(new Map(turned))).toBe(encode(new Map(entries)))
    }),
  )
})

it('canonical CBOR writes texts of every length with the shortest head, and another decoder reads them back', () => {
  const units = fc.constantFrom('a', 'ü', '漢', '\u{1f600}')
  fc.assert(
    fc.property(fc.array(units, { maxLength: 400 }), (parts) => {
      const text = parts.join('')
      const bytes = encodeCanonicalCbor(text)
      const length = Buffer.byteLength(text)
      expect(bytes.length).toBe(length + (length < 24 ? 1 : length < 256 ? 2 : 3))
      expect(isoCBOR.decodeFirst(bytes)).toBe(text)
    }),
  )
})

it.each([
  ['a plain object', { a: 1 }],
  ['a fraction', 1.5],
  ['minus zero', -0],
  ['not a number', Number.NaN],
  ['an integer from 2^32', 2 ** 32],
  ['an integer below -2^31', -(2 ** 31) - 1],
  ['a bigint', 1n],
  ['null', null],
  ['undefined', undefined],
  ['a date', new Date(0)],
  ['a lone surrogate', '\ud800'],
  ['another typed array', new Uint16Array(2)],
  ['a map with a boolean key', new Map([[true, 1]])],
  ['a plain object inside a map', new Map([['a', {}]])],
])('canonical CBOR refuses %s, which cbor-x would write in another form', (_, value) => {
  expect(forced(value)).toThrow(/CBOR/)
})

it('canonical CBOR gives bytes of its own, which a later call does not overwrite', () => {
  const first = encodeCanonicalCbor('first')
  const before = toHex(first)
  encodeCanonicalCbor('other')
  expect(toHex(first)).toBe(before)
  expect(first.buffer.byteLength).toBe(first.length)
})
