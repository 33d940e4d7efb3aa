import { expect, it } from 'vitest'
import type { JudgeCrypto } from '../../../src-main/core/judge/crypto-port.ts'
import { judgeAuthentication } from '../../../src-main/core/judge/judge-authentication.ts'
import { concat, toBase64url, utf8 } from '../../../src-main/core/protocol/bytes.ts'
import { err } from '../../../src-main/core/protocol/result.ts'
import type { AuthenticationResponseJson } from '../../../src-main/core/protocol/webauthn-json.ts'
import { nodeCrypto } from '../../../src-main/service/second-opinion/node-crypto.ts'
import { type AuthenticationParts, authentication } from '../../support/ceremony/authentication.ts'
import { cbor, map } from '../../support/ceremony/cbor.ts'
import { testAlgorithms, testKey, withMember } from '../../support/ceremony/keys.ts'
import { CREDENTIAL_ID, FLAG, ORIGIN } from '../../support/ceremony/registration.ts'
import {
  expectRefusal,
  judgedAuthentication,
  outcomeOf,
  type Refusals,
  refusalsOf,
} from '../../support/ceremony/verdicts.ts'

const FLAGS = FLAG.UP | FLAG.UV
const ID = toBase64url(CREDENTIAL_ID)
const answer = (change: (built: AuthenticationResponseJson) => unknown): Partial<AuthenticationParts> => ({
  response: change,
})
const inResponse = (changes: Record<string, unknown>): Partial<AuthenticationParts> =>
  answer((built) => ({ ...built, response: { ...built.response, ...changes } }))
const { cose: COSE } = testKey(-7)

/** What no fault of a phone does: each fault is judged in test/phones/authenticator/faults. */
const refusals: Refusals<Partial<AuthenticationParts>> = {
  '7.2.2 credential_id_malformed: an id with bits left over': answer((built) => ({ ...built, id: 'AB', rawId: 'AB' })),
  '7.2.3 response_member_missing: no authenticator data': inResponse({ authenticatorData: undefined }),
  '7.2.3 not_base64url: a user handle in base64': inResponse({ userHandle: 'dXNlcg==' }),
  '7.2.6 credential_unknown: an unknown credential': {
    options: { allowCredentials: [] },
    case: { credential: () => undefined },
  },
  '7.2.6 credential_of_another_user: of another user': { stored: { userHandle: toBase64url(utf8('user-2')) } },
  '7.2.19 backup_eligibility_changed: eligible, and not before': { flags: FLAGS | FLAG.BE },
  '7.2.19 backup_eligibility_changed: no longer eligible': { stored: { backupEligible: true } },
  '7.2.21 signature_invalid: a signature of two zeros': { signature: () => Uint8Array.of(0x30, 6, 2, 1, 0, 2, 1, 0) },
  '7.2.21 malformed_signature: a negative r': { signature: () => Uint8Array.of(0x30, 6, 2, 1, 0x80, 2, 1, 1) },
  '7.2.21 stored_key_malformed: none': { stored: { publicKey: Uint8Array.of(1) } },
  '7.2.21 stored_key_malformed: a byte after it': { stored: { publicKey: concat(cbor(COSE), Uint8Array.of(0)) } },
  '7.2.21 stored_key_malformed: a member twice': { stored: { publicKey: cbor({ pairs: [...COSE.pairs, [-3, 0]] }) } },
  '7.2.21 stored_key_malformed: of another algorithm': { stored: { algorithm: -257 } },
  '7.2.21 stored_key_malformed: off its curve': {
    stored: { publicKey: cbor(withMember(COSE, -2, new Uint8Array(32))) },
  },
  '7.2.22 counter_regression: a counter that fell to zero': { signCount: 0 },
}

it.each(refusalsOf(refusals))('an authentication is refused for: %s', async (_what, changes, refusal) => {
  expectRefusal(await judgedAuthentication(authentication(changes)), refusal)
})

it.each(testAlgorithms)('a signature that was changed by one bit is refused with algorithm %i', async (algorithm) => {
  const flipped = (good: Uint8Array) => good.map((byte, i) => (i === good.length - 1 ? byte ^ 1 : byte))
  const verdict = await judgedAuthentication(authentication({ key: testKey(algorithm), signature: flipped }))
  expectRefusal(verdict, { word: 'signature_invalid', step: '7.2.21' })
})

it.each([-8, -53, -257, -37, -48])('a signature of algorithm %i that is cut short is malformed', async (algorithm) => {
  const key = testKey(algorithm)
  const verdict = await judgedAuthentication(authentication({ key, signature: (good) => good.slice(1) }))
  expectRefusal(verdict, { word: 'malformed_signature', step: '7.2.21' })
})

it.each(testAlgorithms)('a good authentication is accepted with algorithm %i', async (algorithm) => {
  const verdict = await judgedAuthentication(authentication({ key: testKey(algorithm) }))
  expect(verdict.failure).toBeUndefined()
})

it('a good authentication gives what the record is to be updated with', async () => {
  const flags = FLAGS | FLAG.BE | FLAG.BS
  const verdict = await judgedAuthentication(authentication({ flags, stored: { backupEligible: true } }))
  expect(verdict.value).toEqual({ id: ID, signCount: 8, userVerified: true, backupEligible: true, backupState: true })
})

it('a good authentication passes or skips every step of the specification, in its order', async () => {
  const { steps } = await judgedAuthentication(authentication())
  expect(steps.map(({ id }) => id)).toEqual(Array.from({ length: 25 }, (_, i) => `7.2.${i + 1}`))
  expect(steps.filter(({ outcome }) => outcome !== 'passed').map(({ id }) => id)).toEqual(['7.2.17'])
})

it('a good authentication may be one of several that were asked for', async () => {
  const allowCredentials = ['AAAA', ID].map((id) => ({ type: 'public-key', id }) as const)
  expect((await judgedAuthentication(authentication({ options: { allowCredentials } }))).accepted).toBe(true)
})

it('a good authentication may be any of the user when none was asked for', async () => {
  const verdict = await judgedAuthentication(authentication({ options: { allowCredentials: [] } }))
  expect(verdict.accepted).toBe(true)
  expect(outcomeOf(verdict, '7.2.5')).toBe('skipped')
})

it('a good authentication may come from an authenticator that does not count', async () => {
  const verdict = await judgedAuthentication(authentication({ signCount: 0, stored: { signCount: 0 } }))
  expect(verdict.accepted).toBe(true)
  expect(outcomeOf(verdict, '7.2.22')).toBe('skipped')
})

it('a good authentication may carry extension outputs', async () => {
  const extended = { flags: FLAGS | FLAG.ED, afterCounter: cbor(map(['hmac-secret', new Uint8Array(32)])) }
  expect((await judgedAuthentication(authentication(extended))).accepted).toBe(true)
})

it('a good authentication may count backwards where that is accepted, and the verdict says so', async () => {
  const verdict = await judgedAuthentication(authentication({ signCount: 3, case: { counterRegression: 'accept' } }))
  expect(verdict.value).toMatchObject({ signCount: 3 })
  const step = verdict.steps.find(({ id }) => id === '7.2.22')
  expect(step).toMatchObject({ outcome: 'passed', note: 'regression_accepted' })
})

it('says that an algorithm is unavailable instead of calling the signature wrong', async () => {
  const without: JudgeCrypto = { ...nodeCrypto, verify: () => err('unsupported') }
  const verdict = await judgeAuthentication(authentication(), without)
  expectRefusal(verdict, { word: 'algorithm_unavailable', step: '7.2.21' })
})

it('names the challenge first and still looks at the signature', async () => {
  const verdict = await judgedAuthentication(
    authentication({ clientData: { type: 'webauthn.get', challenge: 'AAAA', origin: ORIGIN, crossOrigin: false } }),
  )
  expectRefusal(verdict, { word: 'challenge_mismatch', step: '7.2.11' })
  expect(outcomeOf(verdict, '7.2.21')).toBe('passed')
  expect(outcomeOf(verdict, '7.2.25')).toBe('skipped')
})
