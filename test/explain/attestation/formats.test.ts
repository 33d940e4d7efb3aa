import { describe, expect, it } from 'vitest'
import { concat } from '../../../src-main/protocol/bytes.ts'
import { cbor, map } from '../../support/ceremony/cbor.ts'
import {
  ATTESTATION_NAME,
  attestationKey,
  C,
  type CertificateParts,
  CN,
  certificate,
  extension,
  name,
  O,
  OU,
} from '../../support/ceremony/certificates.ts'
import { context, octets, sequence, tlv } from '../../support/ceremony/der.ts'
import { type TestKey, testKey } from '../../support/ceremony/keys.ts'
import {
  AAGUID,
  NOW,
  type RegistrationParts,
  registration,
  selfStatement,
  uint16,
} from '../../support/ceremony/registration.ts'
import {
  type AndroidChanges,
  androidAllApplications,
  androidKeyStatement,
  androidOrigin,
  androidPurpose,
  appleStatement,
  packedStatement,
  type SafetyNetChanges,
  safetyNetStatement,
  TPM_MANUFACTURER,
  TPM_NAMES,
  type TpmChanges,
  tpmAlternativeName,
  tpmExtensions,
  tpmPublicArea,
  tpmStatement,
  u2fParts,
} from '../../support/ceremony/statements.ts'
import { expectRefusal, judgedRegistration, type Refusals, refusalsOf } from '../../support/ceremony/verdicts.ts'

/** Statements with one thing wrong. */
type AttestationRefusals = Refusals<Partial<RegistrationParts>>

const itRefusesEach = (refusals: AttestationRefusals): void =>
  it.each(refusalsOf(refusals, '7.1.22'))('%s', async (_what, changes, refusal) =>
    expectRefusal(await judgedRegistration(registration(changes)), refusal),
  )

const otherKey = testKey(-35)

const u2fRefusals: AttestationRefusals = {
  'u2f_aaguid_not_zero: an AAGUID': { ...u2fParts(), aaguid: AAGUID },
  'u2f_certificate_count: two certificates': u2fParts({ chain: [certificate(), certificate()] }),
  'attestation_chain_empty: no certificate': u2fParts({ chain: [] }),
  'attestation_statement_extra_member: an algorithm in its statement': u2fParts({ members: { alg: -7 } }),
  'u2f_certificate_key: a certificate on P-384': u2fParts({ attestationKey: attestationKey(-35) }),
  'u2f_certificate_key: an RSA certificate': u2fParts({ attestationKey: attestationKey(-257) }),
  'u2f_credential_key: a credential on P-384': { ...u2fParts(), key: otherKey, cose: otherKey.cose },
  'attestation_signature_invalid: the signature of another key': u2fParts({
    attestationKey: testKey(-7, 'other'),
    certificate: { key: attestationKey() },
  }),
  'attestation_signature_invalid: the signature of the packed format': {
    ...u2fParts(),
    statement: packedStatement({ members: { alg: undefined } }),
  },
}

describe('a U2F attestation is refused for', () => {
  itRefusesEach(u2fRefusals)
})

it('a good U2F attestation is accepted', async () => {
  const verdict = await judgedRegistration(registration(u2fParts()))
  expect(verdict.failure).toBeUndefined()
  expect(verdict.value).toMatchObject({ format: 'fido-u2f', attestationType: 'basic' })
})

const safetyNet = (changes: SafetyNetChanges = {}): Partial<RegistrationParts> => ({
  format: 'android-safetynet',
  statement: safetyNetStatement(changes),
})

const safetyNetRefusals: AttestationRefusals = {
  'attestation_statement_member_missing: no response': safetyNet({ members: { response: undefined } }),
  'malformed_attestation_statement: a version that is a number': safetyNet({ members: { ver: 14 } }),
  'safetynet_version_missing: an empty version': safetyNet({ members: { ver: '' } }),
  'safetynet_response_malformed: a response of two parts': safetyNet({
    jws: (good) => good.split('.').slice(0, 2).join('.'),
  }),
  'safetynet_response_malformed: an algorithm that is none': safetyNet({ header: { alg: 'none' } }),
  'safetynet_response_malformed: certificates that are no base64': safetyNet({ header: { x5c: ['-_'] } }),
  'attestation_chain_empty: no certificates': safetyNet({ header: { x5c: undefined } }),
  'safetynet_nonce_mismatch: another nonce': safetyNet({ payload: { nonce: 'AAAA' } }),
  'safetynet_integrity_failed: a device without integrity': safetyNet({ payload: { ctsProfileMatch: false } }),
  'safetynet_timestamp_stale: a response from the future': safetyNet({ payload: { timestampMs: NOW + 1 } }),
  'safetynet_timestamp_stale: a response of two minutes ago': safetyNet({ payload: { timestampMs: NOW - 120_000 } }),
  'safetynet_host_mismatch: the certificate of another host': safetyNet({ certificate: { subject: ATTESTATION_NAME } }),
  'attestation_signature_invalid: the signature of another key': safetyNet({
    certificate: { key: attestationKey(-258) },
  }),
}

describe('a SafetyNet attestation is refused for', () => {
  itRefusesEach(safetyNetRefusals)
})

it('a good SafetyNet attestation is accepted', async () => {
  const verdict = await judgedRegistration(registration(safetyNet()))
  expect(verdict.failure).toBeUndefined()
  expect(verdict.value).toMatchObject({ format: 'android-safetynet', attestationType: 'basic' })
})

const apple = (changes: Parameters<typeof appleStatement>[0] = {}): Partial<RegistrationParts> => ({
  format: 'apple',
  statement: appleStatement(changes),
})

const appleRefusals: AttestationRefusals = {
  'attestation_statement_member_missing: no certificates': apple({ members: { x5c: undefined } }),
  'attestation_chain_empty: an empty list': apple({ chain: [] }),
  'attestation_statement_extra_member: a signature in its statement': apple({ members: { sig: new Uint8Array(8) } }),
  'apple_nonce_missing: a certificate without a nonce': apple({
    certificate: { extensions: [extension.constraints(false)] },
  }),
  'apple_nonce_malformed: a nonce without its wrapping': apple({ nonce: octets(new Uint8Array(32)) }),
  'apple_nonce_mismatch: another nonce': apple({ nonce: sequence(context(1, octets(new Uint8Array(32)))) }),
  'apple_key_mismatch: a certificate for another key': apple({ certificate: { key: testKey(-7, 'other') } }),
}

describe('an Apple attestation is refused for', () => {
  itRefusesEach(appleRefusals)
})

it('a good Apple attestation is accepted', async () => {
  const verdict = await judgedRegistration(registration(apple()))
  expect(verdict.failure).toBeUndefined()
  expect(verdict.value).toMatchObject({ format: 'apple', attestationType: 'anonca' })
})

describe('an Apple attestation with alg, as devices sent it in 2020 and 2021', () => {
  const judged = (alg: number | string, switches = {}) =>
    judgedRegistration(registration({ ...apple({ members: { alg } }), case: { switches } }))
  const named = { acceptAppleAlg: true }

  it('is refused by the rules of Level 2', async () => {
    expect((await judged(-7)).failure?.word).toBe('attestation_statement_extra_member')
  })

  it('is refused all the same when alg is not the algorithm of the credential', async () => {
    expect((await judged(-257, named)).failure?.word).toBe('attestation_algorithm_mismatch')
    expect((await judged('ES256', named)).failure?.word).toBe('malformed_attestation_statement')
  })
})

const android = (changes: AndroidChanges = {}): Partial<RegistrationParts> => ({
  format: 'android-key',
  statement: androidKeyStatement(changes),
})
const other = testKey(-7, 'other')

const androidRefusals: AttestationRefusals = {
  'attestation_statement_member_missing: no certificates': android({ members: { x5c: undefined } }),
  'attestation_signature_invalid: a signature over other data': android({
    members: { sig: testKey(-7).sign(new Uint8Array(1)) },
  }),
  'attestation_signature_invalid: a certificate for another key': {
    ...android({ certificate: { key: other } }),
    ...{},
  },
  'android_key_mismatch: another key and its signature': {
    format: 'android-key',
    statement: (signed) => androidKeyStatement()({ ...signed, key: other }),
  },
  'android_extension_missing: a certificate without the description': android({
    certificate: { extensions: [extension.constraints(false)] },
  }),
  'android_extension_malformed: a description that is empty': android({ description: sequence() }),
  'android_challenge_mismatch: another challenge': android({ challenge: new Uint8Array(32) }),
  'android_all_applications: a key for all applications in hardware': android({
    tee: sequence(androidPurpose(2), androidAllApplications, androidOrigin(0)),
  }),
  'android_all_applications: a key for all applications in software': android({
    software: sequence(androidAllApplications),
  }),
  'android_origin_not_generated: an imported key': android({ tee: sequence(androidPurpose(2), androidOrigin(2)) }),
  'android_origin_not_generated: a key of no known origin': android({ tee: sequence(androidPurpose(2)) }),
  'android_purpose_not_sign: a key for encryption too': android({
    tee: sequence(androidPurpose(0, 2), androidOrigin(0)),
  }),
  'android_purpose_not_sign: a key for no purpose': android({ tee: sequence(androidOrigin(0)) }),
}

describe('an Android key attestation is refused for', () => {
  itRefusesEach(androidRefusals)
})

it('a good Android key attestation is accepted', async () => {
  const verdict = await judgedRegistration(registration(android()))
  expect(verdict.failure).toBeUndefined()
  expect(verdict.value).toMatchObject({ format: 'android-key', attestationType: 'basic' })
})

it('the authorizations of an Android key may be in the software list', async () => {
  const software = sequence(androidPurpose(2), androidOrigin(0))
  const verdict = await judgedRegistration(registration(android({ software, tee: sequence() })))
  expect(verdict.accepted).toBe(true)
})

it('the switch for absent authorizations does not accept wrong ones', async () => {
  const switches = { acceptAndroidKeyWithoutAuthorizations: true }
  const absent = registration({ ...android({ tee: sequence() }), case: { switches } })
  expect((await judgedRegistration(absent)).accepted).toBe(true)
  const wrong = registration({ ...android({ tee: sequence(androidOrigin(2)) }), case: { switches } })
  expect((await judgedRegistration(wrong)).failure?.word).toBe('android_origin_not_generated')
})

const tpm = (changes: TpmChanges = {}, key: TestKey = testKey(-7)): Partial<RegistrationParts> => ({
  key,
  cose: key.cose,
  format: 'tpm',
  statement: tpmStatement(changes),
})
const leaf = (certificate: Partial<CertificateParts>): Partial<RegistrationParts> => tpm({ certificate })
const [, ...modelAndVersion] = TPM_NAMES

const tpmRefusals: AttestationRefusals = {
  'attestation_statement_member_missing: no pubArea': tpm({ members: { pubArea: undefined } }),
  'attestation_statement_member_missing: no certificates': tpm({ members: { x5c: undefined } }),
  'tpm_version_unsupported: TPM version 1.2': tpm({ members: { ver: '1.2' } }),
  'tpm_pub_area_malformed: a pubArea cut short': tpm({ pubArea: (good) => good.slice(0, -1) }),
  'tpm_pub_area_malformed: a pubArea with a byte more': tpm({ pubArea: (good) => concat(good, Uint8Array.of(0)) }),
  'tpm_pub_area_malformed: a pubArea with its length in front': tpm({
    pubArea: (good) => concat(uint16(good.length), good),
  }),
  'tpm_pub_area_malformed: a pubArea of a symmetric key': tpm({
    pubArea: (good) => concat(uint16(0x25), good.slice(2)),
  }),
  'tpm_pub_area_key_mismatch: the pubArea of another key': tpm({ pubArea: () => tpmPublicArea(testKey(-7, 'other')) }),
  'tpm_pub_area_key_mismatch: the pubArea of an RSA key': tpm({ pubArea: () => tpmPublicArea(testKey(-257)) }),
  'tpm_subject_not_empty: a certificate with a subject': leaf({ subject: ATTESTATION_NAME }),
  'attestation_certificate_version: a certificate of version 1': leaf({ version: 1, extensions: [] }),
  'attestation_certificate_is_ca: the certificate of a CA': leaf({
    extensions: [extension.constraints(true), ...tpmExtensions().slice(1)],
  }),
  'attestation_certificate_aaguid_mismatch: the AAGUID of another model': leaf({
    extensions: [...tpmExtensions(), extension.aaguid(new Uint8Array(16))],
  }),
  'tpm_alternative_name_missing: no alternative name': leaf({
    extensions: tpmExtensions().filter(({ id }) => id !== '2.5.29.17'),
  }),
  'tpm_alternative_name_malformed: an alternative name without a directory': leaf({
    extensions: tpmExtensions({ san: sequence() }),
  }),
  'tpm_alternative_name_malformed: no manufacturer': leaf({
    extensions: tpmExtensions({ san: tpmAlternativeName(...modelAndVersion) }),
  }),
  'tpm_manufacturer_unknown: an unregistered manufacturer': leaf({
    extensions: tpmExtensions({ san: tpmAlternativeName([TPM_MANUFACTURER, 'id:00000000'], ...modelAndVersion) }),
  }),
  'tpm_key_purpose_missing: another key purpose': leaf({ extensions: tpmExtensions({ purpose: '2.23.133.8.1' }) }),
  'tpm_key_purpose_missing: no key purpose': leaf({
    extensions: tpmExtensions().filter(({ id }) => id !== '2.5.29.37'),
  }),
  'attestation_signature_invalid: the signature of another key': tpm({
    attestationKey: testKey(-7, 'other'),
    certificate: { key: attestationKey() },
  }),
  'attestation_signature_invalid: a certInfo cut short': tpm({ members: { certInfo: new Uint8Array(9) } }),
  'tpm_cert_info_malformed: a certInfo with a byte more': tpm({ afterCertInfo: Uint8Array.of(0) }),
  'tpm_magic_mismatch: a certInfo not made by a TPM': tpm({ magic: 0xff544348 }),
  'tpm_type_mismatch: a certInfo that quotes': tpm({ type: 0x8018 }),
  'tpm_extra_data_mismatch: a certInfo for other data': tpm({ extraData: new Uint8Array(32) }),
  'tpm_name_mismatch: the name of another key': tpm({
    name: (good) => good.map((byte, i) => (i === 9 ? byte ^ 1 : byte)),
  }),
  'tpm_name_algorithm_unsupported: a name of an unknown hash': tpm({ nameAlgorithm: 0x0012 }),
}

describe('a TPM attestation is refused for', () => {
  itRefusesEach(tpmRefusals)
})

describe('a good TPM attestation', () => {
  it.each([-7, -35, -36, -257, -37])('is accepted with a credential of algorithm %i', async (algorithm) => {
    const verdict = await judgedRegistration(registration(tpm({}, testKey(algorithm))))
    expect(verdict.failure).toBeUndefined()
    expect(verdict.value).toMatchObject({ format: 'tpm', attestationType: 'attca' })
  })

  it.each([11, 12, 13])('is accepted with name algorithm %i', async (nameAlgorithm) => {
    expect((await judgedRegistration(registration(tpm({ nameAlgorithm })))).accepted).toBe(true)
  })

  it('is accepted with an RSA attestation key', async () => {
    expect((await judgedRegistration(registration(tpm({ attestationKey: attestationKey(-257) })))).accepted).toBe(true)
  })
})

const packed = (changes: Parameters<typeof packedStatement>[0]): Partial<RegistrationParts> => ({
  statement: packedStatement(changes),
})
const packedLeaf = (changes: Parameters<typeof certificate>[0]): Partial<RegistrationParts> =>
  packed({ certificate: changes ?? {} })
const UNIT = [OU, 'Authenticator Attestation'] as const
const AAGUID_ID = '1.3.6.1.4.1.45724.1.1.4'

const packedRefusals: AttestationRefusals = {
  'attestation_statement_member_missing: no algorithm': packed({ members: { alg: undefined } }),
  'attestation_statement_member_missing: no signature': packed({ members: { sig: undefined } }),
  'malformed_attestation_statement: a signature that is text': packed({ members: { sig: 'sig' } }),
  'malformed_attestation_statement: a certificate instead of a list': packed({ members: { x5c: new Uint8Array(3) } }),
  'malformed_attestation_statement: a list of text': packed({ members: { x5c: ['cert'] } }),
  'attestation_statement_extra_member: a member of Level 1': packed({ members: { ecdaaKeyId: new Uint8Array(3) } }),
  'attestation_chain_empty: an empty list of certificates': packed({ chain: [] }),
  'attestation_certificate_malformed: a certificate that is none': packed({ chain: [Uint8Array.of(0x30, 0)] }),
  'attestation_certificate_malformed: bytes after a certificate': packed({
    chain: [Uint8Array.from([...certificate(), 0])],
  }),
  'attestation_chain_too_long: seventeen certificates': packed({
    chain: Array.from({ length: 17 }, () => certificate()),
  }),
  'attestation_algorithm_unsupported: an unknown algorithm': packed({ members: { alg: -4 } }),
  'attestation_algorithm_mismatch: an RSA algorithm with an EC key': packed({ members: { alg: -257 } }),
  'attestation_signature_malformed: a signature that is no DER': packed({ members: { sig: new Uint8Array(64) } }),
  'attestation_signature_invalid: the signature of another key': packed({
    attestationKey: testKey(-7, 'other'),
    certificate: { key: attestationKey() },
  }),
  'attestation_certificate_key_unsupported: a key on an unknown curve': packedLeaf({
    spki: tlv(0x30, tlv(0x30, tlv(0x06, Uint8Array.of(0x2a)))),
  }),
  'attestation_certificate_version: a certificate of version 1': packedLeaf({ version: 1, extensions: [] }),
  'attestation_certificate_constraints_missing: no basic constraints': packedLeaf({ extensions: [] }),
  'attestation_certificate_is_ca: the certificate of a CA': packedLeaf({ extensions: [extension.constraints(true)] }),
  'attestation_certificate_country: no country': packedLeaf({ subject: name([O, 'H'], UNIT, [CN, 'x']) }),
  'attestation_certificate_country: a country of three letters': packedLeaf({
    subject: name([C, 'NLD'], [O, 'H'], UNIT, [CN, 'x']),
  }),
  'attestation_certificate_organization: no vendor': packedLeaf({ subject: name([C, 'NL'], UNIT, [CN, 'x']) }),
  'attestation_certificate_unit: another unit': packedLeaf({
    subject: name([C, 'NL'], [O, 'H'], [OU, 'authenticator attestation'], [CN, 'x']),
  }),
  'attestation_certificate_common_name: no common name': packedLeaf({ subject: name([C, 'NL'], [O, 'H'], UNIT) }),
  'attestation_certificate_aaguid_mismatch: the AAGUID of another model': packedLeaf({
    extensions: [extension.constraints(false), extension.aaguid(new Uint8Array(16))],
  }),
  'attestation_certificate_aaguid_critical: an AAGUID marked critical': packedLeaf({
    extensions: [extension.constraints(false), extension.aaguid(AAGUID, true)],
  }),
  'attestation_certificate_aaguid_malformed: an AAGUID wrapped once': packedLeaf({
    extensions: [extension.constraints(false), { id: AAGUID_ID, value: AAGUID }],
  }),
  'attestation_certificate_aaguid_malformed: an AAGUID of 15 bytes': packedLeaf({
    extensions: [extension.constraints(false), { id: AAGUID_ID, value: octets(new Uint8Array(15)) }],
  }),
  'attestation_algorithm_mismatch: another algorithm than the credential’s in self attestation': {
    statement: (signed) => map(['alg', -8], ['sig', signed.key.sign(new Uint8Array())]),
  },
  'attestation_signature_invalid: a self signature over other data': {
    statement: (signed) => selfStatement({ ...signed, clientDataHash: new Uint8Array(32) }),
  },
}

describe('a packed attestation is refused for', () => {
  itRefusesEach(packedRefusals)
})

describe('a good packed attestation', () => {
  it.each([-7, -35, -36, -257, -258, -259, -37, -8, -53, -48])(
    'is accepted with an attestation key of algorithm %i',
    async (algorithm) => {
      const verdict = await judgedRegistration(registration(packed({ attestationKey: attestationKey(algorithm) })))
      expect(verdict.failure).toBeUndefined()
      expect(verdict.value).toMatchObject({ format: 'packed', attestationType: 'basic', trusted: false })
    },
  )

  it('may name its model in the certificate', async () => {
    const extensions = [extension.constraints(false), extension.aaguid(AAGUID)]
    expect((await judgedRegistration(registration(packedLeaf({ extensions })))).accepted).toBe(true)
  })

  it('lists every check of its format', async () => {
    const { steps } = await judgedRegistration(registration(packed({})))
    const checks = steps.find(({ id }) => id === '7.1.22')?.checks ?? []
    expect(checks.length).toBeGreaterThan(10)
    expect(checks.every(({ outcome }) => outcome === 'passed')).toBe(true)
  })
})

it('reads the statement from canonical CBOR only', async () => {
  const members = { x5c: [certificate()], sig: new Uint8Array(8), alg: -7 }
  const unordered = { raw: cbor(map(...Object.entries(members))) }
  const verdict = await judgedRegistration(registration({ statement: () => unordered }))
  expect(verdict.failure?.word).toBe('cbor_keys_unordered')
})
