import { describe, expect, it } from 'vitest'
import { ALGORITHMS, type AlgorithmName, algorithmNamed } from '../../src-main/authenticator/algorithms.ts'
import { isComputable } from '../../src-main/authenticator/computable.ts'
import { getAssertion } from '../../src-main/authenticator/get-assertion.ts'
import { makeCredential } from '../../src-main/authenticator/make-credential.ts'
import { goodAssertion, goodCreation, goodPorts, must } from './support/requests.ts'

describe('what a runtime can compute', () => {
  it.each(Object.keys(ALGORITHMS) as AlgorithmName[])('is on Node with OpenSSL also %s', (name) => {
    expect(isComputable(algorithmNamed(name))).toBe(true)
  })

  it('refuses to sign with a key that came from a runtime that can do more', async () => {
    const ports = await goodPorts()
    const { credential } = must(await makeCredential(goodCreation(), ports))
    const signed = await getAssertion(goodAssertion([credential]), { ...ports, isComputable: () => false })
    expect(signed).toMatchObject({ ok: false, error: { code: 'no_supported_algorithm' } })
  })
})
