import { describe, expect, it } from 'vitest'
import { type AttestationRefusals, itRefusesEach } from '../../support/ceremony/attestations.ts'
import { attestationKey, certificate } from '../../support/ceremony/certificates.ts'
import { testKey } from '../../support/ceremony/keys.ts'
import { AAGUID, registration } from '../../support/ceremony/registration.ts'
import { packedStatement, u2fParts } from '../../support/ceremony/statements.ts'
import { judgedRegistration } from '../../support/ceremony/verdicts.ts'

const otherKey = testKey(-35)

const refusals: AttestationRefusals = {
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
  itRefusesEach(refusals)
})

it('a good U2F attestation is accepted', async () => {
  const verdict = await judgedRegistration(registration(u2fParts()))
  expect(verdict.failure).toBeUndefined()
  expect(verdict.value).toMatchObject({ format: 'fido-u2f', attestationType: 'basic' })
})
