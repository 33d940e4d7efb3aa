import { describe, expect, it } from 'vitest'
import { type AttestationRefusals, itRefusesEach } from '../../support/ceremony/attestations.ts'
import { cbor, map } from '../../support/ceremony/cbor.ts'
import { attestationKey, C, CN, certificate, extension, name, O, OU } from '../../support/ceremony/certificates.ts'
import { octets, tlv } from '../../support/ceremony/der.ts'
import { testKey } from '../../support/ceremony/keys.ts'
import { AAGUID, type RegistrationParts, registration, selfStatement } from '../../support/ceremony/registration.ts'
import { packedStatement } from '../../support/ceremony/statements.ts'
import { judgedRegistration } from '../../support/ceremony/verdicts.ts'

const packed = (changes: Parameters<typeof packedStatement>[0]): Partial<RegistrationParts> => ({
  statement: packedStatement(changes),
})
const leaf = (changes: Parameters<typeof certificate>[0]): Partial<RegistrationParts> =>
  packed({ certificate: changes ?? {} })
const UNIT = [OU, 'Authenticator Attestation'] as const
const AAGUID_ID = '1.3.6.1.4.1.45724.1.1.4'

const refusals: AttestationRefusals = {
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
  'attestation_certificate_key_unsupported: a key on an unknown curve': leaf({
    spki: tlv(0x30, tlv(0x30, tlv(0x06, Uint8Array.of(0x2a)))),
  }),
  'attestation_certificate_version: a certificate of version 1': leaf({ version: 1, extensions: [] }),
  'attestation_certificate_constraints_missing: no basic constraints': leaf({ extensions: [] }),
  'attestation_certificate_is_ca: the certificate of a CA': leaf({ extensions: [extension.constraints(true)] }),
  'attestation_certificate_country: no country': leaf({ subject: name([O, 'H'], UNIT, [CN, 'x']) }),
  'attestation_certificate_country: a country of three letters': leaf({
    subject: name([C, 'NLD'], [O, 'H'], UNIT, [CN, 'x']),
  }),
  'attestation_certificate_organization: no vendor': leaf({ subject: name([C, 'NL'], UNIT, [CN, 'x']) }),
  'attestation_certificate_unit: another unit': leaf({
    subject: name([C, 'NL'], [O, 'H'], [OU, 'authenticator attestation'], [CN, 'x']),
  }),
  'attestation_certificate_common_name: no common name': leaf({ subject: name([C, 'NL'], [O, 'H'], UNIT) }),
  'attestation_certificate_aaguid_mismatch: the AAGUID of another model': leaf({
    extensions: [extension.constraints(false), extension.aaguid(new Uint8Array(16))],
  }),
  'attestation_certificate_aaguid_critical: an AAGUID marked critical': leaf({
    extensions: [extension.constraints(false), extension.aaguid(AAGUID, true)],
  }),
  'attestation_certificate_aaguid_malformed: an AAGUID wrapped once': leaf({
    extensions: [extension.constraints(false), { id: AAGUID_ID, value: AAGUID }],
  }),
  'attestation_certificate_aaguid_malformed: an AAGUID of 15 bytes': leaf({
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
  itRefusesEach(refusals)
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
    expect((await judgedRegistration(registration(leaf({ extensions })))).accepted).toBe(true)
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
