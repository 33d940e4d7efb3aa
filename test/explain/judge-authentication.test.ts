import { describe, expect, it } from 'vitest'
import type { JudgeCrypto } from '../../src-main/explain/crypto-port.ts'
import { judgeAuthentication } from '../../src-main/explain/judge-authentication.ts'
import { concat, toBase64url, utf8 } from '../../src-main/protocol/bytes.ts'
import { err } from '../../src-main/protocol/result.ts'
import type { AuthenticationResponseJson } from '../../src-main/protocol/webauthn-json.ts'
import { nodeCrypto } from '../../src-main/service/judge/node-crypto.ts'
import { type AuthenticationParts, authentication } from '../support/ceremony/authentication.ts'
import { cbor, map } from '../support/ceremony/cbor.ts'
import { testAlgorithms, testKey, withMember } from '../support/ceremony/keys.ts'
import { CHALLENGE, CREDENTIAL_ID, FLAG, ORIGIN, sha256 } from '../support/ceremony/registration.ts'
import {
  expectRefusal,
  judgedAuthentication,
  outcomeOf,
  type Refusals,
  refusalsOf,
} from '../support/ceremony/verdicts.ts'

const FLAGS = FLAG.UP | FLAG.UV
const ID = toBase64url(CREDENTIAL_ID)
const CLIENT_DATA = { type: 'webauthn.get', challenge: CHALLENGE, origin: ORIGIN, crossOrigin: false }

const clientData = (changes: Record<string, unknown>): Partial<AuthenticationParts> => ({
  clientData: { ...CLIENT_DATA, ...changes },
})
const answer = (change: (built: AuthenticationResponseJson) => unknown): Partial<AuthenticationParts> => ({
  response: change,
})
const inResponse = (changes: Record<string, unknown>): Partial<AuthenticationParts> =>
  answer((built) => ({ ...built, response: { ...built.response, ...changes } }))
const stored = (changes: AuthenticationParts['stored']): Partial<AuthenticationParts> =>
  changes ? { stored: changes } : {}

const aboutTheAnswer: Refusals<Partial<AuthenticationParts>> = {
  '7.2.2 malformed_response: nothing instead of an answer': answer(() => undefined),
  '7.2.2 credential_type_mismatch: another credential type': answer((built) => ({ ...built, type: 'otp' })),
  '7.2.2 credential_id_missing: an empty id': answer((built) => ({ ...built, id: '', rawId: '' })),
  '7.2.2 credential_id_malformed: an id with bits left over': answer((built) => ({ ...built, id: 'AB', rawId: 'AB' })),
  '7.2.2 raw_id_mismatch: no rawId': answer(({ rawId: _, ...built }) => built),
  '7.2.3 response_member_missing: a list as response': answer((built) => ({ ...built, response: [] })),
  '7.2.3 response_member_missing: no signature': inResponse({ signature: undefined }),
  '7.2.3 response_member_malformed: a number as signature': inResponse({ signature: 1 }),
  '7.2.3 response_member_missing: no authenticator data': inResponse({ authenticatorData: undefined }),
  '7.2.3 response_kind_mismatch: a registration': inResponse({ signature: undefined, attestationObject: 'AAAA' }),
  '7.2.3 response_member_malformed: a user handle that is null': inResponse({ userHandle: null }),
  '7.2.3 not_base64url: a user handle in base64': inResponse({ userHandle: 'dXNlcg==' }),
  '7.2.4 client_extension_results_malformed: extension results that are null': answer((built) => ({
    ...built,
    clientExtensionResults: null,
  })),
}

const aboutTheCredential: Refusals<Partial<AuthenticationParts>> = {
  '7.2.5 credential_not_allowed: a credential that was not asked for': {
    options: { allowCredentials: [{ type: 'public-key', id: 'AAAA' }] },
  },
  '7.2.6 credential_unknown: an unknown credential': {
    options: { allowCredentials: [] },
    case: { credential: () => undefined },
  },
  '7.2.6 credential_of_another_user: a credential of another user': stored({ userHandle: toBase64url(utf8('user-2')) }),
  '7.2.6 user_handle_mismatch: another user handle': inResponse({ userHandle: toBase64url(utf8('user-2')) }),
  '7.2.6 user_handle_mismatch: an empty user handle': inResponse({ userHandle: '' }),
}

const aboutAuthenticatorData: Refusals<Partial<AuthenticationParts>> = {
  '7.2.7 authenticator_data_too_short: authenticator data of 36 bytes': inResponse({
    authenticatorData: toBase64url(new Uint8Array(36)),
  }),
  '7.2.7 flags_reserved_set: a reserved bit': { flags: FLAGS | FLAG.RFU2 },
  '7.2.7 attested_credential_data_unexpected: attested credential data': {
    flags: FLAGS | FLAG.AT,
    afterCounter: concat(new Uint8Array(16), Uint8Array.of(0, 1, 9), cbor(testKey(-7).cose)),
  },
  '7.2.7 trailing_bytes: bytes after the counter': { afterCounter: Uint8Array.of(0) },
  '7.2.7 extensions_malformed: extensions cut short': { flags: FLAGS | FLAG.ED, afterCounter: Uint8Array.of(0xa1) },
  '7.2.15 rp_id_hash_mismatch: another RP ID': { rpIdHash: sha256(utf8('example.org')) },
  '7.2.16 user_presence_missing: no user presence': { flags: FLAG.UV },
  '7.2.17 user_verification_missing: no user verification where it is required': {
    flags: FLAG.UP,
    options: { userVerification: 'required' },
  },
  '7.2.18 backup_state_invalid: a backup of what cannot be backed up': { flags: FLAGS | FLAG.BS },
  '7.2.19 backup_eligibility_changed: backup eligibility that was not there before': { flags: FLAGS | FLAG.BE },
  '7.2.19 backup_eligibility_changed: backup eligibility that is gone': stored({ backupEligible: true }),
}

const aboutClientData: Refusals<Partial<AuthenticationParts>> = {
  '7.2.8 client_data_not_utf8: bytes that are no text': { clientDataText: Uint8Array.of(0x80) },
  '7.2.9 malformed_client_data: text that is no JSON': { clientDataText: utf8('type') },
  '7.2.9 client_data_duplicate_member: a challenge twice': {
    clientDataText: utf8(`{"challenge":"AAAA",${JSON.stringify(CLIENT_DATA).slice(1)}`),
  },
  '7.2.10 type_mismatch: the type of a registration': clientData({ type: 'webauthn.create' }),
  '7.2.10 type_missing: a type that is a list': clientData({ type: ['webauthn.get'] }),
  '7.2.11 challenge_mismatch: another challenge': clientData({ challenge: 'AAAA' }),
  '7.2.11 challenge_missing: a challenge that is no text': clientData({ challenge: 5 }),
  '7.2.12 origin_mismatch: an origin in capitals': clientData({ origin: ORIGIN.toUpperCase() }),
  '7.2.12 origin_missing: an origin that is null': clientData({ origin: null }),
  '7.2.13 cross_origin_not_allowed: a cross-origin frame': clientData({ crossOrigin: true }),
  '7.2.13 cross_origin_malformed: crossOrigin as a number': clientData({ crossOrigin: 0 }),
  '7.2.14 top_origin_without_cross_origin: a topOrigin without a frame': clientData({ topOrigin: ORIGIN }),
}

const aboutTheSignature: Refusals<Partial<AuthenticationParts>> = {
  '7.2.21 signature_invalid: the signature of another key': { stored: { publicKey: cbor(testKey(-7, 'other').cose) } },
  '7.2.21 malformed_signature: an empty signature': { signature: () => new Uint8Array() },
  '7.2.21 malformed_signature: a signature of r and s side by side': { signature: () => new Uint8Array(64).fill(1) },
  '7.2.21 malformed_signature: a byte after the signature': { signature: (good) => concat(good, Uint8Array.of(0)) },
  '7.2.21 signature_invalid: a signature of two zeros': { signature: () => Uint8Array.of(0x30, 6, 2, 1, 0, 2, 1, 0) },
  '7.2.21 malformed_signature: a negative r': { signature: () => Uint8Array.of(0x30, 6, 2, 1, 0x80, 2, 1, 1) },
  '7.2.21 stored_key_malformed: a stored key that is none': { stored: { publicKey: Uint8Array.of(1) } },
  '7.2.21 stored_key_malformed: a byte after the stored key': {
    stored: { publicKey: concat(cbor(testKey(-7).cose), Uint8Array.of(0)) },
  },
  '7.2.21 stored_key_malformed: a stored key with a member twice': {
    stored: { publicKey: cbor({ pairs: [...testKey(-7).cose.pairs, [-3, 0]] }) },
  },
  '7.2.21 stored_key_malformed: a stored key of another algorithm': { stored: { algorithm: -257 } },
  '7.2.21 stored_key_malformed: a stored point off its curve': {
    stored: { publicKey: cbor(withMember(testKey(-7).cose, -2, new Uint8Array(32))) },
  },
  '7.2.22 counter_regression: a counter that stands still': { signCount: 7 },
  '7.2.22 counter_regression: a counter that fell': { signCount: 6 },
  '7.2.22 counter_regression: a counter that fell to zero': { signCount: 0 },
}

describe.each([
  ['the answer', aboutTheAnswer],
  ['the credential', aboutTheCredential],
  ['the authenticator data', aboutAuthenticatorData],
  ['the client data', aboutClientData],
  ['the signature and the counter', aboutTheSignature],
])('an authentication is refused for what is wrong with %s', (_, refusals) => {
  it.each(refusalsOf(refusals))('%s', async (_what, changes, refusal) => {
    expectRefusal(await judgedAuthentication(authentication(changes)), refusal)
  })
})

describe('a signature that was changed by one bit', () => {
  it.each(testAlgorithms)('is refused with algorithm %i', async (algorithm) => {
    const flipped = (good: Uint8Array) => good.map((byte, i) => (i === good.length - 1 ? byte ^ 1 : byte))
    const verdict = await judgedAuthentication(authentication({ key: testKey(algorithm), signature: flipped }))
    expectRefusal(verdict, { word: 'signature_invalid', step: '7.2.21' })
  })

  it.each([-8, -53, -257, -37, -48])('is malformed with algorithm %i when it is cut short', async (algorithm) => {
    const key = testKey(algorithm)
    const verdict = await judgedAuthentication(authentication({ key, signature: (good) => good.slice(1) }))
    expectRefusal(verdict, { word: 'malformed_signature', step: '7.2.21' })
  })
})

describe('a good authentication', () => {
  it.each(testAlgorithms)('is accepted with algorithm %i', async (algorithm) => {
    const verdict = await judgedAuthentication(authentication({ key: testKey(algorithm) }))
    expect(verdict.failure).toBeUndefined()
  })

  it('gives what the record is to be updated with', async () => {
    const flags = FLAGS | FLAG.BE | FLAG.BS
    const verdict = await judgedAuthentication(authentication({ flags, stored: { backupEligible: true } }))
    expect(verdict.value).toEqual({
      id: ID,
      signCount: 8,
      userVerified: true,
      backupEligible: true,
      backupState: true,
      counterRegressed: false,
    })
  })

  it('passes or skips every step of the specification, in its order', async () => {
    const { steps } = await judgedAuthentication(authentication())
    expect(steps.map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_, i) => `7.2.${i + 1}`))
    expect(steps.filter(({ outcome }) => outcome !== 'passed').map(({ id }) => id)).toEqual(['7.2.17'])
  })

  it('may leave the user handle out', async () => {
    expect((await judgedAuthentication(authentication(inResponse({ userHandle: undefined })))).accepted).toBe(true)
  })

  it('may be one of several that were asked for', async () => {
    const allowCredentials = ['AAAA', ID].map((id) => ({ type: 'public-key', id }) as const)
    expect((await judgedAuthentication(authentication({ options: { allowCredentials } }))).accepted).toBe(true)
  })

  it('may be any of the user when none was asked for', async () => {
    const verdict = await judgedAuthentication(authentication({ options: { allowCredentials: [] } }))
    expect(verdict.accepted).toBe(true)
    expect(outcomeOf(verdict, '7.2.5')).toBe('skipped')
  })

  it('may come from an authenticator that does not count', async () => {
    const verdict = await judgedAuthentication(authentication({ signCount: 0, stored: { signCount: 0 } }))
    expect(verdict.accepted).toBe(true)
    expect(outcomeOf(verdict, '7.2.22')).toBe('skipped')
  })

  it('may carry extension outputs', async () => {
    const extended = { flags: FLAGS | FLAG.ED, afterCounter: cbor(map(['hmac-secret', new Uint8Array(32)])) }
    expect((await judgedAuthentication(authentication(extended))).accepted).toBe(true)
  })

  it('may count backwards where that is accepted, and the verdict says so', async () => {
    const verdict = await judgedAuthentication(authentication({ signCount: 3, case: { counterRegression: 'accept' } }))
    expect(verdict.value).toMatchObject({ signCount: 3, counterRegressed: true })
    expect(outcomeOf(verdict, '7.2.22')).toBe('passed')
  })
})

it('says that an algorithm is unavailable instead of calling the signature wrong', async () => {
  const without: JudgeCrypto = { ...nodeCrypto, verify: () => err('unsupported') }
  const verdict = await judgeAuthentication(authentication(), without)
  expectRefusal(verdict, { word: 'algorithm_unavailable', step: '7.2.21' })
})

it('takes a platform and a store that answer later', async () => {
  const later: JudgeCrypto = {
    digest: async (hash, data) => nodeCrypto.digest(hash, data),
    verify: async (check) => nodeCrypto.verify(check),
  }
  const good = authentication()
  const input = { ...good, credential: async (id: string) => good.credential(id) }
  expect((await judgeAuthentication(input, later)).accepted).toBe(true)
})

it('names the challenge first and still looks at the signature', async () => {
  const verdict = await judgedAuthentication(authentication(clientData({ challenge: 'AAAA' })))
  expectRefusal(verdict, { word: 'challenge_mismatch', step: '7.2.11' })
  expect(outcomeOf(verdict, '7.2.21')).toBe('passed')
  expect(outcomeOf(verdict, '7.2.25')).toBe('skipped')
})
