import { createHash, createPublicKey, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { algorithmNamed } from '../../src-main/authenticator/algorithms.ts'
import { mlDsaPublicKey, signMlDsaDeterministic } from '../../src-main/authenticator/ml-dsa.ts'
import { makePrivateKey, publicKeyDer } from '../../src-main/authenticator/private-key.ts'
import { toBase64url, utf8 } from '../../src-main/protocol/bytes.ts'
import { seededRandom } from './support/seeded-random.ts'
import { octets } from './support/simplewebauthn.ts'

const NAMES = ['ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'] as const

const keyOf = async (name: (typeof NAMES)[number], seed: string) => {
  const key = await makePrivateKey(algorithmNamed(name), seededRandom(seed))
  if (key.kty !== 'AKP') throw new Error('not a key of ML-DSA')
  return key
}

describe.each(NAMES)('deterministic %s', (name) => {
  it('has the public key that node:crypto makes of the same seed', async () => {
    const key = await keyOf(name, 'key')
    expect(toBase64url(mlDsaPublicKey(name, octets(key.priv)))).toBe(key.pub)
  })

  it('gives signatures that node:crypto accepts, and the same one each time', async () => {
    for (let i = 0; i < 12; i++) {
      const key = await keyOf(name, `key ${i}`)
      const seed = octets(key.priv)
      const data = createHash('sha512')
        .update(utf8(`data ${i}`))
        .digest()
      const signature = signMlDsaDeterministic({ name, seed, data })
      const publicKey = createPublicKey({ key: Buffer.from(publicKeyDer(key)), format: 'der', type: 'spki' })
      expect(verify(null, data, publicKey, signature)).toBe(true)
      expect(verify(null, Buffer.from('other'), publicKey, signature)).toBe(false)
      expect(signMlDsaDeterministic({ name, seed, data })).toEqual(signature)
    }
  })
})
