import { describe, expect, it } from 'vitest'
import { judgeRegistration } from '../../src-main/explain/judge-registration.ts'
import { nodeCrypto } from '../../src-main/service/judge/node-crypto.ts'
import { testAlgorithms, testKey } from '../support/ceremony/keys.ts'
import { registration } from '../support/ceremony/registration.ts'

describe('a good registration', () => {
  it.each(testAlgorithms)('is accepted with algorithm %i and self attestation', async (algorithm) => {
    const verdict = await judgeRegistration(registration({ key: testKey(algorithm) }), nodeCrypto)
    expect(verdict.failure).toBeUndefined()
  })
})
