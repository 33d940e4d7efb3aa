import { createHash, createPublicKey, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { algorithmNamed, type MlDsaAlgorithm } from '../../src-main/authenticator/algorithms.ts'
import { signMlDsaDeterministic } from '../../src-main/authenticator/ml-dsa.ts'
import { makePrivateKey, publicKeyDer } from '../../src-main/authenticator/private-key.ts'
import { fromHex, utf8 } from '../../src-main/protocol/bytes.ts'
import vectors from '../vectors/ml-dsa/sign-seed.json' with { type: 'json' }
import { must } from './support/requests.ts'
import { seededRandom } from './support/seeded-random.ts'
import { octets } from './support/simplewebauthn.ts'

const hex = (text: string) => must(fromHex(text))

describe('deterministic ML-DSA', () => {
  it('has 36 cases of Wycheproof to go by', () => {
    expect(vectors).toHaveLength(36)
  })

  it.each(vectors)('signs as Wycheproof has it: $algorithm, $comment', (vector) => {
    const signature = signMlDsaDeterministic({
      name: vector.algorithm as MlDsaAlgorithm['name'],
      seed: hex(vector.seed),
      data: hex(vector.message),
    })
    expect(createHash('sha256').update(signature).digest('hex')).toBe(vector.signature_sha256)
  })

  it.each(['ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'] as const)(
    'gives %s signatures that node:crypto accepts',
    async (name) => {
      const key = await makePrivateKey(algorithmNamed(name), seededRandom('key'))
      if (key.kty !== 'AKP') throw new Error('not a key of ML-DSA')
      const data = utf8('what is signed')
      const signature = signMlDsaDeterministic({ name, seed: octets(key.priv), data })
      const publicKey = createPublicKey({ key: Buffer.from(publicKeyDer(key)), format: 'der', type: 'spki' })
      expect(verify(null, data, publicKey, signature)).toBe(true)
      expect(verify(null, utf8('something else'), publicKey, signature)).toBe(false)
    },
  )
})
