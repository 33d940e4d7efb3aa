import { describe, expect, it } from 'vitest'
import { judgeAuthentication } from '../../src-main/explain/judge-authentication.ts'
import { nodeCrypto } from '../../src-main/service/judge/node-crypto.ts'
import { authentication } from '../support/ceremony/authentication.ts'
import { testAlgorithms, testKey } from '../support/ceremony/keys.ts'

describe('a good authentication', () => {
  it.each(testAlgorithms)('is accepted with algorithm %i', async (algorithm) => {
    const verdict = await judgeAuthentication(authentication({ key: testKey(algorithm) }), nodeCrypto)
    expect(verdict.failure).toBeUndefined()
  })
})
