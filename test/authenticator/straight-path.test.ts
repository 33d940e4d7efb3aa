import { describe, expect, it } from 'vitest'
import { getAssertion } from '../../src-main/authenticator/get-assertion.ts'
import { makeCredential } from '../../src-main/authenticator/make-credential.ts'
import { goodAssertion, goodCreation, goodCreationOptions, goodPorts, must } from './support/requests.ts'
import { witnessAuthentication, witnessRegistration } from './support/simplewebauthn.ts'

describe('a phone with one ES256 credential', () => {
  it('registers with packed self attestation and then signs in, to an independent verifier', async () => {
    const ports = await goodPorts()
    const made = must(await makeCredential(goodCreation(), ports))
    const registration = await witnessRegistration(made.response)
    expect(registration.verified).toBe(true)
    expect(registration.registrationInfo?.fmt).toBe('packed')
    const stored = registration.registrationInfo?.credential
    const assertion = must(await getAssertion(goodAssertion([made.credential]), ports))
    expect(assertion.credential.signCount).toBe(1)
    const verdict = await witnessAuthentication(assertion.response, {
      credential: made.credential,
      publicKey: stored?.publicKey ?? new Uint8Array(0),
      counter: stored?.counter ?? -1,
    })
    expect(verdict.verified).toBe(true)
    expect(verdict.authenticationInfo.newCounter).toBe(1)
  })

  it('registers without attestation when the service wants none', async () => {
    const options = { ...goodCreationOptions, attestation: 'none' } as const
    const made = must(await makeCredential(goodCreation({ options }), await goodPorts()))
    const registration = await witnessRegistration(made.response)
    expect(registration.verified).toBe(true)
    expect(registration.registrationInfo?.fmt).toBe('none')
  })

  it('gives the same bytes for the same seed, key and signature included', async () => {
    const run = async (seed: string) => {
      const ports = await goodPorts(seed)
      const made = must(await makeCredential(goodCreation(), ports))
      return { made, assertion: must(await getAssertion(goodAssertion([made.credential]), ports)) }
    }
    expect(await run('one')).toEqual(await run('one'))
    expect((await run('one')).made.credential.id).not.toBe((await run('two')).made.credential.id)
  })
})
