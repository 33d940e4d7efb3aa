import { describe, expect, it } from 'vitest'
import { type AttestationRefusals, itRefusesEach } from '../../support/ceremony/attestations.ts'
import { extension } from '../../support/ceremony/certificates.ts'
import { context, octets, sequence } from '../../support/ceremony/der.ts'
import { testKey } from '../../support/ceremony/keys.ts'
import { type RegistrationParts, registration } from '../../support/ceremony/registration.ts'
import { appleStatement } from '../../support/ceremony/statements.ts'
import { judgedRegistration } from '../../support/ceremony/verdicts.ts'

const apple = (changes: Parameters<typeof appleStatement>[0] = {}): Partial<RegistrationParts> => ({
  format: 'apple',
  statement: appleStatement(changes),
})

const refusals: AttestationRefusals = {
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
  itRefusesEach(refusals)
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
