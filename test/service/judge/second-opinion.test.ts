import { describe, expect, it } from 'vitest'
import type { JudgeCrypto } from '../../../src-main/explain/crypto-port.ts'
import { judgeAuthentication } from '../../../src-main/explain/judge-authentication.ts'
import { judgeRegistration } from '../../../src-main/explain/judge-registration.ts'
import type { Bytes } from '../../../src-main/protocol/bytes.ts'
import { ok } from '../../../src-main/protocol/result.ts'
import { nodeCrypto } from '../../../src-main/service/judge/node-crypto.ts'
import { agrees, secondOpinion } from '../../../src-main/service/judge/second-opinion.ts'
import { authentication } from '../../support/ceremony/authentication.ts'
import { cbor, map, raw } from '../../support/ceremony/cbor.ts'
import {
  attestationKey,
  certificate,
  INTERMEDIATE_NAME,
  intermediateCertificate,
  intermediateKey,
  rootCertificate,
} from '../../support/ceremony/certificates.ts'
import { type TestKey, testKey } from '../../support/ceremony/keys.ts'
import { FLAG, NOW, type RegistrationParts, registration } from '../../support/ceremony/registration.ts'
import {
  androidKeyStatement,
  appleStatement,
  packedStatement,
  safetyNetStatement,
  tpmStatement,
  u2fParts,
} from '../../support/ceremony/statements.ts'

const wall = NOW
const WHOLE = { heard: true, by: '@simplewebauthn/server' }
const SIGNATURES = { heard: true, by: '@peculiar/webcrypto' }
const REFUSED = { ...WHOLE, accepts: false }
const chain = [certificate({ issuer: INTERMEDIATE_NAME, signer: intermediateKey() }), intermediateCertificate()]

describe('the second opinion on a good registration', () => {
  it.each<readonly [string, Partial<RegistrationParts>]>([
    ['self', {}],
    ['packed', { statement: packedStatement() }],
    ['fido-u2f', u2fParts()],
    ['apple', { format: 'apple', statement: appleStatement() }],
    ['tpm', { format: 'tpm', statement: tpmStatement() }],
  ])('of the format %s is that it is good', async (_, parts) => {
    expect(await secondOpinion(registration(parts), { wall })).toEqual({ ...WHOLE, accepts: true })
  })

  it.each([-7, -35, -36, -257, -258, -259, -37, -38, -39, -8, -48, -49, -50])(
    'with algorithm %i is that it is good',
    async (algorithm) => {
      const key = testKey(algorithm)
      expect(await secondOpinion(registration({ key, cose: key.cose }), { wall })).toEqual({ ...WHOLE, accepts: true })
      expect(await secondOpinion(authentication({ key }), { wall })).toEqual({ ...WHOLE, accepts: true })
    },
  )

  it('uses the roots of each ceremony, however many run at once', async () => {
    const statement = packedStatement({ chain })
    const trusted = registration({ statement, case: { attestation: 'require-trusted', roots: [rootCertificate()] } })
    const other = rootCertificate({ key: testKey(-7, 'other'), signer: testKey(-7, 'other') })
    const untrusted = registration({ statement, case: { attestation: 'require-trusted', roots: [other] } })
    const any = registration({ statement })
    const opinions = await Promise.all(
      [trusted, untrusted, any, trusted].map((input) => secondOpinion(input, { wall })),
    )
    expect(opinions.map((opinion) => opinion.heard && opinion.accepts)).toEqual([true, false, true, true])
  })
})

/** Other octets of the same length, where the signature’s numbers stand. */
const altered = (signature: Uint8Array): Bytes =>
  new Uint8Array(signature).with(signature.length - 9, (signature.at(-9) ?? 0) ^ 1)
/** A platform that says yes to every signature. */
const gullible: JudgeCrypto = { ...nodeCrypto, verify: () => ok(true) }

const halfFloat = { flags: FLAG.UP | FLAG.AT | FLAG.ED, extensions: cbor(map(['ext', [raw(0xf9, 0x3c, 0)]])) }
const revocationList = { id: '2.5.29.31', value: Uint8Array.of(0x30, 0) }
/** Why @simplewebauthn/server cannot be asked. */
const beyond: readonly (readonly [string, Partial<RegistrationParts>])[] = [
  ['with a key of ES256K', { key: testKey(-47), cose: testKey(-47).cose }],
  ['with a key of Ed448', { key: testKey(-53), cose: testKey(-53).cose }],
  ['with half floats in its extensions', halfFloat],
  ['of SafetyNet', { format: 'android-safetynet', statement: safetyNetStatement() }],
  [
    'with an Ed25519 key in its certificate',
    { statement: packedStatement({ attestationKey: testKey(-8, 'attestation') }) },
  ],
]

describe('where @simplewebauthn/server cannot be asked, @peculiar/webcrypto', () => {
  it.each(beyond)('accepts a registration %s', async (_, parts) => {
    expect(await secondOpinion(registration(parts), { wall })).toEqual({ ...SIGNATURES, accepts: true })
  })

  it.each([-47, -53])('verifies a sign-in with algorithm %i, and refuses an altered signature', async (algorithm) => {
    const key = testKey(algorithm)
    expect(await secondOpinion(authentication({ key }), { wall })).toEqual({ ...SIGNATURES, accepts: true })
    const wrong = authentication({ key, signature: altered })
    const opinion = await secondOpinion(wrong, { wall })
    expect(opinion).toEqual({ ...SIGNATURES, accepts: false, reason: { code: 'signature_not_verified' } })
    expect(agrees(await judgeAuthentication(wrong, gullible), opinion)).toBe(false)
  })

  it.each<readonly [string, (key: (good: TestKey) => TestKey) => Partial<RegistrationParts>]>([
    ['self', (key) => ({ key: key(testKey(-47)), cose: testKey(-47).cose })],
    ['packed', (key) => ({ ...halfFloat, statement: packedStatement({ attestationKey: key(attestationKey()) }) })],
    [
      'tpm',
      (key) => ({ ...halfFloat, format: 'tpm', statement: tpmStatement({ attestationKey: key(attestationKey()) }) }),
    ],
    [
      'fido-u2f',
      (key) => u2fParts({ attestationKey: key(attestationKey()), certificate: { extensions: [revocationList] } }),
    ],
    ['android-key', (key) => ({ key: key(testKey(-7)), format: 'android-key', statement: androidKeyStatement() })],
  ])('refuses an altered attestation signature of the format %s that the judge would let pass', async (_, parts) => {
    expect(await secondOpinion(registration(parts((good) => good)), { wall })).toEqual({ ...SIGNATURES, accepts: true })
    const wrong = registration(parts((good) => ({ ...good, sign: (data) => altered(good.sign(data)) })))
    const opinion = await secondOpinion(wrong, { wall })
    expect(opinion).toEqual({ ...SIGNATURES, accepts: false, reason: { code: 'signature_not_verified' } })
    expect(agrees(await judgeRegistration(wrong, gullible), opinion)).toBe(false)
  })

  it('takes the new key of a registration in which nothing is signed', async () => {
    const key = testKey(-47)
    const parts = { key, cose: key.cose, format: 'none', statement: () => map() } as const
    expect(await secondOpinion(registration(parts), { wall })).toEqual({ ...SIGNATURES, accepts: true })
  })

  it('says so where it has no such algorithm either', async () => {
    const parts = { ...halfFloat, key: testKey(-48), cose: testKey(-48).cose }
    expect(await secondOpinion(registration(parts), { wall })).toEqual({
      heard: false,
      why: { code: 'no_library_has', params: { algorithm: 'ML-DSA-44 (-48)' } },
    })
  })
})

describe('the second opinion is not heard', () => {
  it('on a credential that is not known', async () => {
    expect(await secondOpinion(authentication({ case: { credential: () => undefined } }), { wall })).toMatchObject({
      heard: false,
    })
  })
})

describe('the second opinion', () => {
  it.each([null, 7, 'text', [], {}, { id: 1 }, { id: 'AAAA', response: null }])(
    'refuses %j instead of throwing',
    async (response) => {
      expect(await secondOpinion(registration({ response: () => response }), { wall })).toMatchObject(REFUSED)
    },
  )

  it('gives the reason in the words of the library', async () => {
    const opinion = await secondOpinion(registration({ clientData: { type: 'webauthn.get' } }), { wall })
    expect(opinion).toEqual({ ...REFUSED, reason: 'Unexpected registration response type: webauthn.get' })
  })

  it('knows the counter and how regressions are taken', async () => {
    expect(await secondOpinion(authentication({ signCount: 7 }), { wall })).toMatchObject(REFUSED)
    const accepting = authentication({ signCount: 7, case: { counterRegression: 'accept' } })
    expect(await secondOpinion(accepting, { wall })).toEqual({ ...WHOLE, accepts: true })
  })
})

describe('judge and second opinion', () => {
  it('do not disagree where the library was not asked', async () => {
    const input = registration({ case: { credentialKnown: () => true } })
    expect(agrees(await judgeRegistration(input, nodeCrypto), await secondOpinion(input, { wall }))).toBe(true)
  })
})
