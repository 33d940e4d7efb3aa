import { describe, expect, it } from 'vitest'
import { concat } from '../../../src-main/protocol/bytes.ts'
import { type AttestationRefusals, itRefusesEach } from '../../support/ceremony/attestations.ts'
import {
  ATTESTATION_NAME,
  attestationKey,
  type CertificateParts,
  extension,
} from '../../support/ceremony/certificates.ts'
import { sequence } from '../../support/ceremony/der.ts'
import { type TestKey, testKey } from '../../support/ceremony/keys.ts'
import { type RegistrationParts, registration, uint16 } from '../../support/ceremony/registration.ts'
import {
  TPM_MANUFACTURER,
  TPM_NAMES,
  type TpmChanges,
  tpmAlternativeName,
  tpmExtensions,
  tpmPublicArea,
  tpmStatement,
} from '../../support/ceremony/statements.ts'
import { judgedRegistration } from '../../support/ceremony/verdicts.ts'

const tpm = (changes: TpmChanges = {}, key: TestKey = testKey(-7)): Partial<RegistrationParts> => ({
  key,
  cose: key.cose,
  format: 'tpm',
  statement: tpmStatement(changes),
})
const leaf = (certificate: Partial<CertificateParts>): Partial<RegistrationParts> => tpm({ certificate })
const [, ...modelAndVersion] = TPM_NAMES

const refusals: AttestationRefusals = {
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
  itRefusesEach(refusals)
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
