import { describe, expect, it } from 'vitest'
import { type AttestationRefusals, itRefusesEach } from '../../support/ceremony/attestations.ts'
import { ATTESTATION_NAME, attestationKey } from '../../support/ceremony/certificates.ts'
import { NOW, type RegistrationParts, registration } from '../../support/ceremony/registration.ts'
import { type SafetyNetChanges, safetyNetStatement } from '../../support/ceremony/statements.ts'
import { judgedRegistration } from '../../support/ceremony/verdicts.ts'

const safetyNet = (changes: SafetyNetChanges = {}): Partial<RegistrationParts> => ({
  format: 'android-safetynet',
  statement: safetyNetStatement(changes),
})

const refusals: AttestationRefusals = {
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
  itRefusesEach(refusals)
})

it('a good SafetyNet attestation is accepted', async () => {
  const verdict = await judgedRegistration(registration(safetyNet()))
  expect(verdict.failure).toBeUndefined()
  expect(verdict.value).toMatchObject({ format: 'android-safetynet', attestationType: 'basic' })
})
