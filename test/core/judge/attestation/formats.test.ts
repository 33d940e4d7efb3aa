import { describe, expect, it } from 'vitest'
import type { RelaxedRules } from '../../../../src-main/core/contract/profile.ts'
import { concat } from '../../../../src-main/core/protocol/bytes.ts'
import { cbor, map } from '../../../support/ceremony/cbor.ts'
import {
  attestationKey,
  C,
  type CertificateParts,
  CN,
  certificate,
  extension,
  name,
  O,
  OU,
  type TestExtension,
} from '../../../support/ceremony/certificates.ts'
import { octets, sequence, tlv } from '../../../support/ceremony/der.ts'
import { type TestKey, testKey } from '../../../support/ceremony/keys.ts'
import { AAGUID, type RegistrationParts, registration, uint16 } from '../../../support/ceremony/registration.ts'
import * as statements from '../../../support/ceremony/statements.ts'
import { expectRefusal, judgedRegistration, type Refusals, refusalsOf } from '../../../support/ceremony/verdicts.ts'

type Parts = Partial<RegistrationParts>

const other = testKey(-7, 'other')
const p384 = testKey(-35)
/** A signature by another key than the certificate's. */
const forged = { attestationKey: other, certificate: { key: attestationKey() } }

const safetyNet = (changes: statements.SafetyNetChanges = {}): Parts => ({
  format: 'android-safetynet',
  statement: statements.safetyNetStatement(changes),
})
const apple = (changes: Parameters<typeof statements.appleStatement>[0] = {}): Parts => ({
  format: 'apple',
  statement: statements.appleStatement(changes),
})
const android = (changes: statements.AndroidChanges = {}): Parts => ({
  format: 'android-key',
  statement: statements.androidKeyStatement(changes),
})
const tpm = (changes: statements.TpmChanges = {}, key: TestKey = testKey(-7)): Parts => ({
  key,
  cose: key.cose,
  format: 'tpm',
  statement: statements.tpmStatement(changes),
})
const tpmLeaf = (...extensions: readonly TestExtension[]): Parts => tpm({ certificate: { extensions } })
const [, ...modelAndVersion] = statements.TPM_NAMES
const packed = (changes: Parameters<typeof statements.packedStatement>[0] = {}): Parts => ({
  statement: statements.packedStatement(changes),
})
const packedLeaf = (certificate: Partial<CertificateParts>): Parts => packed({ certificate })
const aaguid15 = { id: '1.3.6.1.4.1.45724.1.1.4', value: octets(new Uint8Array(15)) }
const UNIT = [OU, 'Authenticator Attestation'] as const

/** Those that no fault of a phone has: each fault is judged in test/phones/authenticator/faults. */
const refusals: Readonly<Record<string, Refusals<Parts>>> = {
  'a U2F': {
    'u2f_certificate_key: a certificate on P-384': statements.u2fParts({ attestationKey: attestationKey(-35) }),
    'u2f_certificate_key: an RSA certificate': statements.u2fParts({ attestationKey: attestationKey(-257) }),
    'u2f_credential_key: a credential on P-384': { ...statements.u2fParts(), key: p384, cose: p384.cose },
    'attestation_signature_invalid: the signature of the packed format': {
      ...statements.u2fParts(),
      statement: statements.packedStatement({ members: { alg: undefined } }),
    },
  },
  'a SafetyNet': {
    'attestation_statement_member_missing: no response': safetyNet({ members: { response: undefined } }),
    'malformed_attestation_statement: a version that is a number': safetyNet({ members: { ver: 14 } }),
    'safetynet_response_malformed: an algorithm that is none': safetyNet({ header: { alg: 'none' } }),
    'safetynet_response_malformed: certificates that are no base64': safetyNet({ header: { x5c: ['-_'] } }),
    'attestation_signature_invalid: another key': safetyNet({ certificate: { key: attestationKey(-258) } }),
  },
  'an Apple': {
    'attestation_statement_member_missing: no certificates': apple({ members: { x5c: undefined } }),
    'attestation_statement_extra_member: alg, by the rules of Level 2': apple({ members: { alg: -7 } }),
    'attestation_algorithm_mismatch: another alg': {
      ...apple({ members: { alg: -257 } }),
      case: { relaxed: ['apple-alg'] },
    },
    'malformed_attestation_statement: alg as text': {
      ...apple({ members: { alg: 'ES256' } }),
      case: { relaxed: ['apple-alg'] },
    },
  },
  'an Android key': {
    'attestation_statement_member_missing: no certificates': android({ members: { x5c: undefined } }),
    'attestation_signature_invalid: a certificate for another key': android({ certificate: { key: other } }),
    'android_all_applications: all applications in software': android({
      software: sequence(statements.androidAllApplications),
    }),
    'android_origin_not_generated: no known origin': android({ tee: sequence(statements.androidPurpose(2)) }),
    'android_purpose_not_sign: a key for no purpose': android({ tee: sequence(statements.androidOrigin(0)) }),
    'android_origin_not_generated: authorizations that are wrong, where none are needed': {
      ...android({ tee: sequence(statements.androidOrigin(2)) }),
      case: { relaxed: ['android-key-authorizations'] },
    },
  },
  'a TPM': {
    'attestation_statement_member_missing: no pubArea': tpm({ members: { pubArea: undefined } }),
    'attestation_statement_member_missing: no certificates': tpm({ members: { x5c: undefined } }),
    'tpm_pub_area_malformed: a byte more': tpm({ pubArea: (good) => concat(good, Uint8Array.of(0)) }),
    'tpm_pub_area_malformed: its length in front': tpm({ pubArea: (good) => concat(uint16(good.length), good) }),
    'tpm_pub_area_malformed: a symmetric key': tpm({ pubArea: (good) => concat(uint16(0x25), good.slice(2)) }),
    'tpm_pub_area_key_mismatch: the pubArea of an RSA key': tpm({
      pubArea: () => statements.tpmPublicArea(testKey(-257)),
    }),
    'attestation_certificate_aaguid_mismatch: another model': tpmLeaf(
      ...statements.tpmExtensions(),
      extension.aaguid(new Uint8Array(16)),
    ),
    'tpm_alternative_name_malformed: no directory': tpmLeaf(...statements.tpmExtensions({ san: sequence() })),
    'tpm_alternative_name_malformed: no manufacturer': tpmLeaf(
      ...statements.tpmExtensions({ san: statements.tpmAlternativeName(...modelAndVersion) }),
    ),
    'tpm_key_purpose_missing: another key purpose': tpmLeaf(...statements.tpmExtensions({ purpose: '2.23.133.8.1' })),
    'tpm_cert_info_malformed: a byte more': tpm({ afterCertInfo: Uint8Array.of(0) }),
    'tpm_name_algorithm_unsupported: a name of an unknown hash': tpm({ nameAlgorithm: 0x0012 }),
  },
  'a packed': {
    'malformed_attestation_statement: a certificate for a list': packed({ members: { x5c: new Uint8Array(3) } }),
    'malformed_attestation_statement: a list of text': packed({ members: { x5c: ['cert'] } }),
    'attestation_certificate_malformed: bytes after it': packed({ chain: [concat(certificate(), Uint8Array.of(0))] }),
    'attestation_chain_too_long: seventeen certificates': packed({ chain: Array(17).fill(certificate()) }),
    'attestation_signature_invalid: the signature of another key': packed(forged),
    'attestation_certificate_key_unsupported: an unknown curve': packedLeaf({
      spki: tlv(0x30, tlv(0x30, tlv(0x06, Uint8Array.of(0x2a)))),
    }),
    'attestation_certificate_country: of three letters': packedLeaf({
      subject: name([C, 'NLD'], [O, 'H'], UNIT, [CN, 'x']),
    }),
    'attestation_certificate_aaguid_malformed: of 15 bytes': packedLeaf({
      extensions: [extension.constraints(false), aaguid15],
    }),
  },
}

describe.each(Object.entries(refusals))('%s attestation is refused for', (_, rows) => {
  it.each(refusalsOf(rows, '7.1.22'))('%s', async (_what, changes, refusal) =>
    expectRefusal(await judgedRegistration(registration(changes)), refusal),
  )
})

it.each([
  ['fido-u2f', 'basic', statements.u2fParts()],
  ['android-safetynet', 'basic', safetyNet()],
  ['apple', 'anonca', apple()],
  ['android-key', 'basic', android()],
  [
    'android-key',
    'basic',
    android({ software: sequence(statements.androidPurpose(2), statements.androidOrigin(0)), tee: sequence() }),
  ],
] as const)('a good attestation of the format %s is accepted as %s', async (format, attestationType, parts) => {
  const verdict = await judgedRegistration(registration(parts))
  expect(verdict.failure).toBeUndefined()
  expect(verdict.value).toMatchObject({ format, attestationType })
})

it.each([-7, -35, -36, -257, -37])('a TPM attestation of a credential with algorithm %i is good', async (algorithm) => {
  const verdict = await judgedRegistration(registration(tpm({}, testKey(algorithm))))
  expect(verdict.failure).toBeUndefined()
  expect(verdict.value).toMatchObject({ format: 'tpm', attestationType: 'attca' })
})

it.each([11, 12, 13])('a good TPM attestation is accepted with name algorithm %i', async (nameAlgorithm) => {
  expect((await judgedRegistration(registration(tpm({ nameAlgorithm })))).accepted).toBe(true)
})

it('a good TPM attestation is accepted with an RSA attestation key', async () => {
  expect((await judgedRegistration(registration(tpm({ attestationKey: attestationKey(-257) })))).accepted).toBe(true)
})

it.each([-7, -35, -36, -257, -258, -259, -37, -8, -53, -48])(
  'a good packed attestation is accepted with an attestation key of algorithm %i',
  async (algorithm) => {
    const verdict = await judgedRegistration(registration(packed({ attestationKey: attestationKey(algorithm) })))
    expect(verdict.failure).toBeUndefined()
    expect(verdict.value).toMatchObject({ format: 'packed', attestationType: 'basic', trusted: false })
  },
)

it('a good packed attestation may name its model in the certificate', async () => {
  const extensions = [extension.constraints(false), extension.aaguid(AAGUID)]
  expect((await judgedRegistration(registration(packedLeaf({ extensions })))).accepted).toBe(true)
})

it('a good packed attestation lists every check of its format', async () => {
  const { steps } = await judgedRegistration(registration(packed()))
  const checks = steps.find(({ id }) => id === '7.1.22')?.checks ?? []
  expect(checks.length).toBeGreaterThan(10)
  expect(checks.every(({ outcome }) => outcome === 'passed')).toBe(true)
})

it('reads the statement from canonical CBOR only', async () => {
  const members = { x5c: [certificate()], sig: new Uint8Array(8), alg: -7 }
  const unordered = { raw: cbor(map(...Object.entries(members))) }
  const verdict = await judgedRegistration(registration({ statement: () => unordered }))
  expect(verdict.failure?.word).toBe('cbor_keys_unordered')
})

it('judges a certificate by the relaxed rules of each registration, however it was judged before', async () => {
  const parts = packed({ chain: [certificate({ unusedBits: 2 })] })
  const judged = async (relaxed: RelaxedRules) =>
    (await judgedRegistration(registration({ ...parts, case: { relaxed } }))).accepted
  expect(await judged(['certificate-unused-bits'])).toBe(true)
  expect(await judged([])).toBe(false)
  expect(await judged(['certificate-unused-bits'])).toBe(true)
})
