import { describe, expect, it } from 'vitest'
import { judgeAuthentication } from '../../../src-main/explain/judge-authentication.ts'
import { judgeRegistration } from '../../../src-main/explain/judge-registration.ts'
import { toBase64url, utf8 } from '../../../src-main/protocol/bytes.ts'
import { nodeCrypto } from '../../../src-main/service/judge/node-crypto.ts'
import { agrees, secondOpinion } from '../../../src-main/service/judge/second-opinion.ts'
import { authentication } from '../../support/ceremony/authentication.ts'
import { cbor, map, raw } from '../../support/ceremony/cbor.ts'
import {
  certificate,
  INTERMEDIATE_NAME,
  intermediateCertificate,
  intermediateKey,
  rootCertificate,
} from '../../support/ceremony/certificates.ts'
import { testKey } from '../../support/ceremony/keys.ts'
import { FLAG, NOW, type RegistrationParts, registration } from '../../support/ceremony/registration.ts'
import {
  appleStatement,
  packedStatement,
  safetyNetStatement,
  tpmStatement,
  u2fParts,
} from '../../support/ceremony/statements.ts'

const wall = NOW
const REFUSED = { heard: true, accepts: false }
const chain = [certificate({ issuer: INTERMEDIATE_NAME, signer: intermediateKey() }), intermediateCertificate()]

describe('the second opinion on a good registration', () => {
  it.each<readonly [string, Partial<RegistrationParts>]>([
    ['self', {}],
    ['packed', { statement: packedStatement() }],
    ['fido-u2f', u2fParts()],
    ['apple', { format: 'apple', statement: appleStatement() }],
    ['tpm', { format: 'tpm', statement: tpmStatement() }],
  ])('of the format %s is that it is good', async (_, parts) => {
    expect(await secondOpinion(registration(parts), { wall })).toEqual({ heard: true, accepts: true })
  })

  it.each([-7, -35, -36, -257, -258, -259, -37, -38, -39, -8, -48, -49, -50])(
    'with algorithm %i is that it is good',
    async (algorithm) => {
      const key = testKey(algorithm)
      expect(await secondOpinion(registration({ key, cose: key.cose }), { wall })).toEqual({
        heard: true,
        accepts: true,
      })
      expect(await secondOpinion(authentication({ key }), { wall })).toEqual({ heard: true, accepts: true })
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

describe('the second opinion is not heard', () => {
  it.each<readonly [string, Partial<RegistrationParts>]>([
    ['on ES256K', { key: testKey(-47), cose: testKey(-47).cose }],
    ['on Ed448', { key: testKey(-53), cose: testKey(-53).cose }],
    [
      'on extensions with half floats',
      { flags: FLAG.UP | FLAG.AT | FLAG.ED, extensions: cbor(map(['ext', [raw(0xf9, 0x3c, 0)]])) },
    ],
    ['on SafetyNet', { format: 'android-safetynet', statement: safetyNetStatement() }],
    [
      'on certificates with an Ed25519 key',
      { statement: packedStatement({ attestationKey: testKey(-8, 'attestation') }) },
    ],
    [
      'on certificates that have expired by one clock only',
      { statement: packedStatement(), case: { now: Date.UTC(2200, 0, 1) } },
    ],
    [
      'on certificates that name a revocation list',
      {
        statement: packedStatement({
          certificate: { extensions: [{ id: '2.5.29.31', value: Uint8Array.of(0x30, 0) }] },
        }),
      },
    ],
  ])('%s', async (_, parts) => {
    expect(await secondOpinion(registration(parts), { wall })).toMatchObject({ heard: false })
  })

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
    expect(await secondOpinion(accepting, { wall })).toEqual({ heard: true, accepts: true })
  })
})

describe('judge and second opinion', () => {
  it('agree on a good and on a bad ceremony', async () => {
    for (const input of [authentication(), authentication({ flags: 0 })]) {
      expect(agrees(await judgeAuthentication(input, nodeCrypto), await secondOpinion(input, { wall }))).toBe(true)
    }
  })

  it('disagree on a wrong user handle, which the library does not look at', async () => {
    const userHandle = toBase64url(utf8('user-2'))
    const input = authentication({ response: (built) => ({ ...built, response: { ...built.response, userHandle } }) })
    expect(agrees(await judgeAuthentication(input, nodeCrypto), await secondOpinion(input, { wall }))).toBe(false)
  })

  it('do not disagree where the library was not asked', async () => {
    const input = registration({ case: { credentialKnown: () => true } })
    expect(agrees(await judgeRegistration(input, nodeCrypto), await secondOpinion(input, { wall }))).toBe(true)
    const unknown = registration({ key: testKey(-47), cose: testKey(-47).cose })
    expect(agrees(await judgeRegistration(unknown, nodeCrypto), await secondOpinion(unknown, { wall }))).toBe(true)
  })
})
