import { describe, expect, it } from 'vitest'
import { type AttestationRefusals, itRefusesEach } from '../../support/ceremony/attestations.ts'
import { extension } from '../../support/ceremony/certificates.ts'
import { sequence } from '../../support/ceremony/der.ts'
import { testKey } from '../../support/ceremony/keys.ts'
import { type RegistrationParts, registration } from '../../support/ceremony/registration.ts'
import {
  type AndroidChanges,
  androidAllApplications,
  androidKeyStatement,
  androidOrigin,
  androidPurpose,
} from '../../support/ceremony/statements.ts'
import { judgedRegistration } from '../../support/ceremony/verdicts.ts'

const android = (changes: AndroidChanges = {}): Partial<RegistrationParts> => ({
  format: 'android-key',
  statement: androidKeyStatement(changes),
})
const other = testKey(-7, 'other')

const refusals: AttestationRefusals = {
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
  itRefusesEach(refusals)
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
