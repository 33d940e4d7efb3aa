import { describe, expect, it } from 'vitest'
import { type AttestationRefusal, expectAttestationRefusal } from '../../support/ceremony/attestations.ts'
import { ATTESTATION_NAME, attestationKey } from '../../support/ceremony/certificates.ts'
import { NOW, type RegistrationParts, registration } from '../../support/ceremony/registration.ts'
import { type SafetyNetChanges, safetyNetStatement } from '../../support/ceremony/statements.ts'
import { judgedRegistration } from '../../support/ceremony/verdicts.ts'

const safetyNet = (changes: SafetyNetChanges = {}): Partial<RegistrationParts> => ({
  format: 'android-safetynet',
  statement: safetyNetStatement(changes),
})

const refusals: readonly AttestationRefusal[] = [
  ['no response', safetyNet({ members: { response: undefined } }), 'attestation_statement_member_missing'],
  ['a version that is a number', safetyNet({ members: { ver: 14 } }), 'malformed_attestation_statement'],
  ['an empty version', safetyNet({ members: { ver: '' } }), 'safetynet_version_missing'],
  [
    'a response of two parts',
    safetyNet({ jws: (good) => good.split('.').slice(0, 2).join('.') }),
    'safetynet_response_malformed',
  ],
  ['an algorithm that is none', safetyNet({ header: { alg: 'none' } }), 'safetynet_response_malformed'],
  ['certificates that are no base64', safetyNet({ header: { x5c: ['-_'] } }), 'safetynet_response_malformed'],
  ['no certificates', safetyNet({ header: { x5c: undefined } }), 'attestation_chain_empty'],
  ['another nonce', safetyNet({ payload: { nonce: 'AAAA' } }), 'safetynet_nonce_mismatch'],
  ['a device nobody vouches for', safetyNet({ payload: { ctsProfileMatch: false } }), 'safetynet_integrity_failed'],
  ['a response from the future', safetyNet({ payload: { timestampMs: NOW + 1 } }), 'safetynet_timestamp_stale'],
  [
    'a response of two minutes ago',
    safetyNet({ payload: { timestampMs: NOW - 120_000 } }),
    'safetynet_timestamp_stale',
  ],
  [
    'the certificate of another host',
    safetyNet({ certificate: { subject: ATTESTATION_NAME } }),
    'safetynet_host_mismatch',
  ],
  [
    'the signature of another key',
    safetyNet({ certificate: { key: attestationKey(-258) } }),
    'attestation_signature_invalid',
  ],
]

describe('a SafetyNet attestation is refused for', () => {
  it.each(refusals)('%s', (_, changes, word) => expectAttestationRefusal(changes, word))
})

it('a good SafetyNet attestation is accepted', async () => {
  const verdict = await judgedRegistration(registration(safetyNet()))
  expect(verdict.failure).toBeUndefined()
  expect(verdict.value).toMatchObject({ format: 'android-safetynet', attestationType: 'basic' })
})
