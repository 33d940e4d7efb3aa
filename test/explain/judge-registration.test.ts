import { describe, expect, it } from 'vitest'
import { REGISTRATION_STEPS } from '../../src-main/contract/judge/steps.ts'
import type { RegistrationCase } from '../../src-main/explain/ceremony-case.ts'
import { concat, toBase64url, utf8 } from '../../src-main/protocol/bytes.ts'
import type { RegistrationResponseJson } from '../../src-main/protocol/webauthn-json.ts'
import { type Cbor, cbor, map, raw } from '../support/ceremony/cbor.ts'
import { testAlgorithms, testKey, withMember } from '../support/ceremony/keys.ts'
import {
  AAGUID,
  attestationObjectOf,
  CHALLENGE,
  CREDENTIAL_ID,
  FLAG,
  goodParts,
  ORIGIN,
  type RegistrationParts,
  registration,
  sha256,
} from '../support/ceremony/registration.ts'
import {
  expectRefusal,
  judgedRegistration,
  outcomeOf,
  type Refusals,
  refusalsOf,
} from '../support/ceremony/verdicts.ts'

const good = goodParts()
const clientData = (changes: Record<string, unknown>): Partial<RegistrationParts> => ({
  clientData: { ...good.clientData, ...changes },
})
const without = (name: string): Partial<RegistrationParts> => ({
  clientData: Object.fromEntries(Object.entries(good.clientData).filter(([key]) => key !== name)),
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
const cose = (label: number, value: Cbor | undefined): Partial<RegistrationParts> => ({
  cose: withMember(good.cose, label, value),
})
const FLAGS = good.flags

const aboutTheAnswer: Refusals<Partial<RegistrationParts>> = {
  '7.1.2 malformed_response: null instead of an answer': answer(() => null),
  '7.1.2 malformed_response: text instead of an answer': answer(() => 'yes'),
  '7.1.2 malformed_response: a list instead of an answer': answer((built) => [built]),
  '7.1.2 credential_type_mismatch: another credential type': answer((built) => ({ ...built, type: 'password' })),
  '7.1.2 credential_id_missing: no id': answer(({ id: _, ...built }) => built),
  '7.1.2 credential_id_missing: a number as id': answer((built) => ({ ...built, id: 7 })),
  '7.1.2 credential_id_malformed: a padded id': answer((built) => ({
    ...built,
    id: `${built.id}=`,
    rawId: `${built.id}=`,
  })),
  '7.1.2 raw_id_mismatch: another rawId': answer((built) => ({ ...built, rawId: 'AAAA' })),
  '7.1.2 malformed_response: a number as attachment': answer((built) => ({ ...built, authenticatorAttachment: 1 })),
  '7.1.3 response_member_missing: no response': answer(({ response: _, ...built }) => built),
  '7.1.3 response_member_missing: no client data': inResponse({ clientDataJSON: undefined }),
  '7.1.3 response_member_malformed: client data as an object': inResponse({ clientDataJSON: {} }),
  '7.1.3 not_base64url: client data in base64': inResponse({ clientDataJSON: 'eyJ9+/==' }),
  '7.1.3 response_member_missing: no attestation object': inResponse({ attestationObject: undefined }),
  '7.1.3 response_too_large: a monstrous attestation object': inResponse({ attestationObject: 'A'.repeat(200_000) }),
  '7.1.3 response_kind_mismatch: an authentication': inResponse({ attestationObject: undefined, signature: 'AAAA' }),
  '7.1.3 response_member_malformed: transports that are no list': inResponse({ transports: 'usb' }),
  '7.1.3 response_member_malformed: transports that are no names': inResponse({ transports: [1] }),
  '7.1.3 response_member_malformed: an algorithm as text': inResponse({ publicKeyAlgorithm: '-7' }),
  '7.1.3 not_base64url: a public key in hex': inResponse({ publicKey: 'zz==' }),
  '7.1.4 client_extension_results_malformed: no extension results': answer(
    ({ clientExtensionResults: _, ...built }) => built,
  ),
  '7.1.4 client_extension_results_malformed: extension results as a list': answer((built) => ({
    ...built,
    clientExtensionResults: [],
  })),
}

const aboutClientData: Refusals<Partial<RegistrationParts>> = {
  '7.1.5 client_data_not_utf8: bytes that are no text': { clientDataText: Uint8Array.of(0x7b, 0xff, 0x7d) },
  '7.1.6 malformed_client_data: text that is no JSON': { clientDataText: utf8('{"type":') },
  '7.1.6 malformed_client_data: JSON that is no object': { clientDataText: utf8('[]') },
  '7.1.6 client_data_duplicate_member: a member twice': {
    clientDataText: utf8(`{"type":"webauthn.get",${JSON.stringify(good.clientData).slice(1)}`),
  },
  '7.1.6 token_binding_malformed: a token binding that is text': clientData({ tokenBinding: 'none' }),
  '7.1.6 token_binding_malformed: a token binding without its id': clientData({ tokenBinding: { status: 'present' } }),
  '7.1.7 type_missing: no type': without('type'),
  '7.1.7 type_mismatch: the type of an authentication': clientData({ type: 'webauthn.get' }),
  '7.1.8 challenge_missing: no challenge': without('challenge'),
  '7.1.8 challenge_mismatch: another challenge': clientData({ challenge: 'AAAA' }),
  '7.1.8 challenge_encoding: the challenge with padding': clientData({ challenge: `${CHALLENGE}=` }),
  '7.1.8 challenge_encoding: the challenge in base64': clientData({
    challenge: CHALLENGE.replaceAll('-', '+').replaceAll('_', '/'),
  }),
  '7.1.9 origin_missing: no origin': without('origin'),
  '7.1.9 origin_mismatch: another origin': clientData({ origin: 'http://evil.example' }),
  '7.1.9 origin_mismatch: the origin with a slash': clientData({ origin: `${ORIGIN}/` }),
  '7.1.10 cross_origin_not_allowed: a cross-origin frame': clientData({ crossOrigin: true }),
  '7.1.10 cross_origin_malformed: crossOrigin as text': clientData({ crossOrigin: 'false' }),
  '7.1.10 cross_origin_malformed: crossOrigin as null': clientData({ crossOrigin: null }),
  '7.1.11 top_origin_without_cross_origin: a topOrigin in the top frame': clientData({ topOrigin: ORIGIN }),
  '7.1.11 top_origin_malformed: a topOrigin that is no text': clientData({ topOrigin: 1 }),
  '7.1.11 top_origin_mismatch: an unexpected page around the frame': {
    ...clientData({ crossOrigin: true, topOrigin: 'https://b.example' }),
    case: { crossOrigin: { allowed: true, topOrigins: ['https://a.example'] } },
  },
}

const aboutTheAttestationObject: Refusals<Partial<RegistrationParts>> = {
  '7.1.13 malformed_attestation_object: an empty attestation object': object(() => new Uint8Array()),
  '7.1.13 malformed_attestation_object: an attestation object that is a list': object((pairs) =>
    cbor(pairs.map(([, value]) => value)),
  ),
  '7.1.13 malformed_attestation_object: an attestation object cut short': object((pairs) =>
    cbor(map(...pairs)).slice(0, -1),
  ),
  '7.1.13 malformed_attestation_object: no fmt': object(([, ...pairs]) => cbor(map(...pairs))),
  '7.1.13 malformed_attestation_object: fmt as bytes': object(([, ...pairs]) =>
    cbor(map(['fmt', utf8('none')], ...pairs)),
  ),
  '7.1.13 malformed_attestation_object: no authData': object((pairs) => cbor(map(...pairs.slice(0, 2)))),
  '7.1.13 attestation_object_extra_member: a fourth member': object((pairs) =>
    cbor(map(...pairs, ['extension', true])),
  ),
  '7.1.13 trailing_bytes: bytes after the attestation object': object((pairs) =>
    concat(cbor(map(...pairs)), Uint8Array.of(0)),
  ),
  '7.1.13 cbor_keys_unordered: members out of order': object((pairs) => cbor(map(...pairs.toReversed()))),
  '7.1.13 cbor_duplicate_key: a member twice in CBOR': object(([fmt = ['', 0], ...pairs]) =>
    cbor(map(fmt, fmt, ...pairs)),
  ),
  '7.1.13 cbor_indefinite_length: a map without a definite length': object((pairs) =>
    concat(Uint8Array.of(0xbf), cbor(map(...pairs)).slice(1), Uint8Array.of(0xff)),
  ),
  '7.1.13 cbor_not_minimal: a length that is not the shortest': object((pairs) =>
    concat(Uint8Array.of(0xb8, 3), cbor(map(...pairs)).slice(1)),
  ),
  '7.1.13 cbor_too_deep: CBOR nested without end': object(() => Uint8Array.from({ length: 5000 }, () => 0x81)),
  '7.1.13 malformed_attestation_object: a tagged attestation object': object((pairs) =>
    concat(Uint8Array.of(0xc1), cbor(map(...pairs))),
  ),
  '7.1.13 cbor_value_unassigned: a value without meaning': {
    flags: FLAGS | FLAG.ED,
    extensions: cbor(map(['ext', raw(0xf8, 0x20)])),
  },
  '7.1.13 cbor_tag_present: a tag within': object(([fmt = ['', 0], , data = ['', 0]]) =>
    cbor(map(fmt, ['attStmt', map(['a', raw(0xc1, 0)])], data)),
  ),
}

const aboutAuthenticatorData: Refusals<Partial<RegistrationParts>> = {
  '7.1.13 authenticator_data_too_short: authenticator data of 36 bytes': {
    attestationObject: (built) =>
      attestationObjectOf({ ...built, authenticatorData: built.authenticatorData.slice(0, 36) }),
  },
  '7.1.13 flags_reserved_set: reserved bit 1': { flags: FLAGS | FLAG.RFU1 },
  '7.1.13 flags_reserved_set: reserved bit 5': { flags: FLAGS | FLAG.RFU2 },
  '7.1.13 attested_credential_data_missing: no attested credential data': { flags: FLAGS & ~FLAG.AT },
  '7.1.13 attested_credential_data_truncated: attested credential data cut short': {
    attestationObject: (built) =>
      attestationObjectOf({ ...built, authenticatorData: built.authenticatorData.slice(0, 60) }),
  },
  '7.1.13 trailing_bytes: bytes after the authenticator data': { afterAuthenticatorData: Uint8Array.of(1) },
  '7.1.13 extensions_missing: the extension bit without extensions': { flags: FLAGS | FLAG.ED },
  '7.1.13 trailing_bytes: extensions without their bit': { extensions: cbor(map(['credProtect', 2])) },
  '7.1.13 extensions_malformed: extensions that are no map': { flags: FLAGS | FLAG.ED, extensions: cbor([1]) },
  '7.1.13 extensions_malformed: extensions with a number as name': {
    flags: FLAGS | FLAG.ED,
    extensions: cbor(map([1, 2])),
  },
  '7.1.14 rp_id_hash_mismatch: another RP ID': { rpIdHash: sha256(utf8('example.org')) },
  '7.1.15 user_presence_missing: no user presence': { flags: FLAGS & ~FLAG.UP },
  '7.1.16 user_verification_missing: no user verification where it is required': {
    flags: FLAGS & ~FLAG.UV,
    options: { authenticatorSelection: { userVerification: 'required' } },
  },
  '7.1.17 backup_state_invalid: a backup of what cannot be backed up': { flags: FLAGS | FLAG.BS },
}

const aboutThePublicKey: Refusals<Partial<RegistrationParts>> = {
  '7.1.13 malformed_public_key: a key that is no map': {
    cose: { pairs: [] },
    attestationObject: (built) =>
      attestationObjectOf({ ...built, authenticatorData: concat(built.authenticatorData.slice(0, -1), cbor('key')) }),
  },
  '7.1.13 malformed_public_key: a key without its type': cose(1, undefined),
  '7.1.13 malformed_public_key: a key without its algorithm': cose(3, undefined),
  '7.1.13 malformed_public_key: a key without its curve': cose(-1, undefined),
  '7.1.13 malformed_public_key: a key without y': cose(-3, undefined),
  '7.1.13 public_key_type_unsupported: a key of an unknown type': cose(1, 4),
  '7.1.13 unsupported_algorithm: a key of an unknown algorithm': cose(3, -9999),
  '7.1.13 public_key_type_mismatch: an EC2 key that claims RS256': cose(3, -257),
  '7.1.13 public_key_curve_mismatch: a P-256 key that claims ES384': cose(3, -35),
  '7.1.13 public_key_curve_mismatch: an ES256 key on P-384': cose(-1, 2),
  '7.1.13 public_key_point_compressed: a compressed point': cose(-3, true),
  '7.1.13 public_key_length: a coordinate of 31 bytes': cose(-2, new Uint8Array(31)),
  '7.1.13 public_key_not_on_curve: a point off the curve under no attestation': {
    ...cose(-2, new Uint8Array(32).fill(1)),
    format: 'none',
    statement: () => map(),
  },
  '7.1.13 public_key_private_part: a private part': cose(-4, new Uint8Array(32)),
  '7.1.13 public_key_extra_member: a member that is optional': {
    cose: { pairs: [...good.cose.pairs.slice(0, 1), [2, Uint8Array.of(1)], ...good.cose.pairs.slice(1)] },
  },
  '7.1.13 cbor_keys_unordered: members out of order': { cose: { pairs: good.cose.pairs.toReversed() } },
  '7.1.13 cbor_duplicate_key: a member twice': {
    cose: { pairs: [...good.cose.pairs.slice(0, 2), [3, -7], ...good.cose.pairs.slice(2)] },
  },
  '7.1.20 algorithm_not_requested: an algorithm that was not asked for': {
    options: { pubKeyCredParams: [{ type: 'public-key', alg: -257 }] },
  },
}

const aboutTheRest: Refusals<Partial<RegistrationParts>> = {
  '7.1.21 attestation_format_unsupported: an unknown format': { format: 'fancy' },
  '7.1.21 attestation_format_unsupported: a format in capitals': { format: 'Packed' },
  '7.1.21 attestation_format_unsupported: a format named like what objects inherit': { format: 'constructor' },
  '7.1.22 attestation_statement_not_empty: a statement where there is no attestation': {
    format: 'none',
    statement: () => map(['alg', -7]),
  },
  '7.1.24 attestation_none_refused: no attestation where a trusted one is required': {
    format: 'none',
    statement: () => map(),
    case: { attestation: 'require-trusted' },
  },
  '7.1.24 attestation_self_refused: self attestation where a trusted one is required': {
    case: { attestation: 'require-trusted' },
  },
  '7.1.25 credential_id_empty: an empty credential ID': {
    credentialId: new Uint8Array(),
    response: (built) => ({ ...built, id: 'AAAA', rawId: 'AAAA' }),
  },
  '7.1.25 credential_id_too_long: a credential ID of 1,024 bytes': { credentialId: new Uint8Array(1024).fill(7) },
  '7.1.26 credential_already_registered: a credential that is registered': { case: { credentialKnown: () => true } },
  '7.1.26 credential_already_registered: a credential that was excluded': {
    options: { excludeCredentials: [{ type: 'public-key', id: toBase64url(CREDENTIAL_ID) }] },
  },
  '7.1.27 credential_id_mismatch: another id than the attested one': answer((built) => ({
    ...built,
    id: 'AAAA',
    rawId: 'AAAA',
  })),
  '7.1.27 authenticator_data_mismatch: other authenticator data beside it': inResponse({ authenticatorData: 'AAAA' }),
  '7.1.27 public_key_mismatch: another public key beside it': inResponse({
    publicKey: toBase64url(testKey(-7, 'other').spki),
  }),
  '7.1.27 public_key_algorithm_mismatch: another algorithm beside it': inResponse({ publicKeyAlgorithm: -257 }),
}

describe.each([
  ['the answer', aboutTheAnswer],
  ['the client data', aboutClientData],
  ['the attestation object', aboutTheAttestationObject],
  ['the authenticator data', aboutAuthenticatorData],
  ['the public key', aboutThePublicKey],
  ['the rest', aboutTheRest],
])('a registration is refused for what is wrong with %s', (_, refusals) => {
  it.each(refusalsOf(refusals))('%s', async (_what, changes, refusal) => {
    expectRefusal(await judgedRegistration(registration(changes)), refusal)
  })
})

describe('a good registration', () => {
  it.each(testAlgorithms)('is accepted with algorithm %i and self attestation', async (algorithm) => {
    const verdict = await judgedRegistration(registration({ key: testKey(algorithm), cose: testKey(algorithm).cose }))
    expect(verdict.failure).toBeUndefined()
    expect(verdict.value?.algorithm).toBe(algorithm)
  })

  it('gives the record to be stored', async () => {
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

  it('passes or skips every step of the specification, in its order', async () => {
    const { steps } = await judgedRegistration(registration())
    expect(steps.map(({ id }) => id)).toEqual(Array.from({ length: 29 }, (_, i) => `7.1.${i + 1}`))
    expect(steps.filter(({ outcome }) => outcome !== 'passed').map(({ id }) => id)).toEqual(['7.1.16', '7.1.23'])
  })

  it('may have a byte order mark, an unknown member and white space in its client data', async () => {
    const json = JSON.stringify({ ...good.clientData, future: { a: ['}', 1] } }, null, 2)
    const clientDataText = concat(Uint8Array.of(0xef, 0xbb, 0xbf), utf8(json))
    expect((await judgedRegistration(registration({ clientDataText }))).accepted).toBe(true)
  })

  it('may come without the members that only repeat the attestation object', async () => {
    const bare = inResponse({
      authenticatorData: undefined,
      publicKey: undefined,
      publicKeyAlgorithm: undefined,
      transports: undefined,
    })
    expect((await judgedRegistration(registration(bare))).accepted).toBe(true)
  })

  it('may carry unrequested extension outputs', async () => {
    const extended = { flags: FLAGS | FLAG.ED, extensions: cbor(map(['credProtect', 2], ['hmac-secret', true])) }
    const verdict = await judgedRegistration(registration(extended))
    expect(verdict.accepted).toBe(true)
    expect(verdict.decoded.authenticatorData?.extensions?.entries).toHaveLength(2)
  })

  it('[judge.top-origin] may happen in a frame that the relying party expects', async () => {
    const framed: Partial<RegistrationParts> = {
      ...clientData({ crossOrigin: true, topOrigin: 'https://a.example' }),
      case: { crossOrigin: { allowed: true, topOrigins: ['https://a.example'] } },
    }
    expect((await judgedRegistration(registration(framed))).accepted).toBe(true)
  })

  it('may have a credential ID of 1,023 bytes', async () => {
    expect((await judgedRegistration(registration({ credentialId: new Uint8Array(1023).fill(7) }))).accepted).toBe(true)
  })
})

describe('a switch', () => {
  const switched = (switches: RegistrationCase['switches']) => ({ case: switches ? { switches } : {} })

  it('for CBOR never accepts a key twice', async () => {
    const twice = { cose: { pairs: [...good.cose.pairs, good.cose.pairs[4] ?? [0, 0]] } } as const
    const verdict = await judgedRegistration(registration({ ...twice, ...switched({ acceptNonCanonicalCbor: true }) }))
    expectRefusal(verdict, { word: 'cbor_duplicate_key', step: '7.1.13' })
  })
})

describe('a verdict', () => {
  it('names the first failed step of the specification and still judges the others', async () => {
    const verdict = await judgedRegistration(
      registration({ ...clientData({ challenge: 'AAAA', origin: 'http://evil.example' }), flags: FLAGS & ~FLAG.UP }),
    )
    expectRefusal(verdict, { word: 'challenge_mismatch', step: '7.1.8' })
    expect(['7.1.9', '7.1.15'].map((step) => outcomeOf(verdict, step))).toEqual(['failed', 'failed'])
    expect(outcomeOf(verdict, '7.1.14')).toBe('passed')
    expect(outcomeOf(verdict, '7.1.29')).toBe('skipped')
  })

  it('tells what was expected, what was received and where it stands', async () => {
    const verdict = await judgedRegistration(registration(clientData({ challenge: 'AAAA' })))
    const step = verdict.steps.find(({ id }) => id === '7.1.8')
    expect(step).toMatchObject({ expected: `"${CHALLENGE}"`, received: '"AAAA"', at: { part: 'clientDataJSON' } })
    const text = verdict.decoded.clientData?.text ?? ''
    expect(text.slice(step?.at?.start, step?.at?.end)).toBe('"AAAA"')
  })

  it('skips what an undecodable attestation object leaves without anything to check', async () => {
    const verdict = await judgedRegistration(registration({ attestationObject: () => Uint8Array.of(0xff) }))
    expect(outcomeOf(verdict, '7.1.8')).toBe('passed')
    expect(outcomeOf(verdict, '7.1.14')).toBe('skipped')
    expect(verdict.steps).toHaveLength(REGISTRATION_STEPS.length)
  })

  it('points at the flags in the authenticator data', async () => {
    const verdict = await judgedRegistration(registration({ flags: FLAGS & ~FLAG.UP }))
    const at = verdict.steps.find(({ id }) => id === '7.1.15')?.at
    expect(at).toEqual({ part: 'authenticatorData', start: 32, end: 33 })
  })

  it('keeps the attested credential with its places', async () => {
    const { decoded } = await judgedRegistration(registration())
    const data = decoded.authenticatorData
    const range = data?.attested?.credentialIdRange
    expect(data?.bytes.slice(range?.start, range?.end)).toEqual(CREDENTIAL_ID)
    expect(data?.attested?.aaguid).toEqual(AAGUID)
    const inner = decoded.attestationObject?.ranges.authData
    expect(decoded.attestationObject?.bytes.slice(inner?.start, inner?.end)).toEqual(data?.bytes)
  })
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
