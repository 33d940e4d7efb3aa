import { expect, it } from 'vitest'
import { ALGORITHMS, type AlgorithmName, algorithmNamed } from '../../../src-main/phones/authenticator/algorithms.ts'
import { drawPrivateKey, fitsKey, sign } from '../../../src-main/phones/authenticator/private-key.ts'
import { seededRandom } from './support/seeded-random.ts'

const names = Object.keys(ALGORITHMS) as AlgorithmName[]
const random = seededRandom('keys')
const keys = names.map((name) => [name, drawPrivateKey(algorithmNamed(name), random)] as const)
const kinds = (name: AlgorithmName) => {
  const algorithm = algorithmNamed(name)
  return 'curve' in algorithm ? algorithm.curve : algorithm.kind === 'rsa' ? 'RSA' : name
}

it.each(names)('%s signs with a key that fits it and refuses every other, whether or not it repeats', (name) => {
  const algorithm = algorithmNamed(name)
  for (const [other, privateKey] of keys) {
    expect(fitsKey(algorithm, privateKey), other).toBe(kinds(name) === kinds(other))
    for (const repeatable of [true, false]) {
      const signing = () => sign({ algorithm, privateKey, data: new Uint8Array(3), random: { ...random, repeatable } })
      if (name === other) expect(signing().length).toBeGreaterThan(0)
      else if (kinds(name) !== kinds(other)) expect(signing).toThrow()
    }
  }
})
