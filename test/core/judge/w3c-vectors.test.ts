import { describe, expect, it } from 'vitest'
import type { RelaxedRules } from '../../../src-main/core/contract/profile.ts'
import { judgeAuthentication } from '../../../src-main/core/judge/judge-authentication.ts'
import { judgeRegistration } from '../../../src-main/core/judge/judge-registration.ts'
import { nodeCrypto } from '../../../src-main/service/second-opinion/node-crypto.ts'
import { type Vector, vectorAuthentication, vectorRegistration, vectors } from '../../support/ceremony/vectors.ts'

/** Where the vectors and a strict reading of the rules differ, each with the rule that is relaxed for it. */
const RELAXED: Readonly<Record<string, RelaxedRules>> = {
  'tpm-es256': ['tpm-manufacturer'],
  'android-key-es256': ['android-key-authorizations'],
  'fido-u2f-es256': ['u2f-aaguid'],
}

const EMBEDDED = ['none-es256-crossOrigin', 'none-es256-topOrigin']

const expectationsOf = ({ name }: Vector) => ({
  relaxed: RELAXED[name] ?? [],
  ...(EMBEDDED.includes(name) && { topOrigins: ['https://example.com'] }),
})

it('has fifteen vectors', () => expect(vectors).toHaveLength(15))

describe.each(vectors.map((vector) => [vector.name, vector] as const))('the W3C vector %s', (_, vector) => {
  it('[judge.w3c] registers, and its attestation leads to the root where it has one', async () => {
    const input = { ...vectorRegistration(vector), ...expectationsOf(vector) }
    const verdict = await judgeRegistration(input, nodeCrypto)
    expect(verdict.failure).toBeUndefined()
    expect(verdict.value?.trusted).toBe(!['none', 'self'].includes(verdict.value?.attestationType ?? ''))
  })

  it('[judge.w3c] authenticates', async () => {
    const input = { ...vectorAuthentication(vector), ...expectationsOf(vector) }
    const verdict = await judgeAuthentication(input, nodeCrypto)
    expect(verdict.failure).toBeUndefined()
  })
})
