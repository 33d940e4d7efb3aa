import { createECDH, createPublicKey, verify } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toBase64url } from '../../../src-main/core/protocol/bytes.ts'
import { ALGORITHMS, type AlgorithmName, algorithmNamed } from '../../../src-main/phones/authenticator/algorithms.ts'
import {
  CURVES,
  drawPrivateKey,
  fitsKey,
  publicKeyDer,
  scalarFrom,
  sign,
  signEcdsaDeterministic,
} from '../../../src-main/phones/authenticator/private-key.ts'
import { scriptedRandom, seededRandom } from './support/seeded-random.ts'
import { verifySignature } from './support/verify-signature.ts'

it.each(Object.keys(CURVES) as (keyof typeof CURVES)[])('deterministic ECDSA on %s verifies in node:crypto', (name) => {
  const curve = CURVES[name]
  const property = fc.property(fc.uint8Array({ maxLength: 200 }), fc.string(), (data, seed) => {
    const scalar = scalarFrom(curve, seededRandom(seed))
    const ecdh = createECDH(curve.name)
    ecdh.setPrivateKey(scalar)
    const point = ecdh.getPublicKey()
    const half = (point.length - 1) / 2
    const [x, y] = [point.subarray(1, 1 + half), point.subarray(1 + half)].map((part) => toBase64url(part))
    const key = createPublicKey({ key: { kty: 'EC', crv: name, x: x ?? '', y: y ?? '' }, format: 'jwk' })
    const signature = signEcdsaDeterministic({ curve, hash: 'sha384', scalar, data })
    expect(verify('sha384', data, key, signature)).toBe(true)
  })
  fc.assert(property, { numRuns: 25 })
})

it('deterministic ECDSA draws a scalar again when it is zero or not below the order', () => {
  const zero = new Uint8Array(32)
  const tooLarge = new Uint8Array(32).fill(0xff)
  const good = new Uint8Array(32).fill(7)
  expect(scalarFrom(CURVES['P-256'], scriptedRandom([zero, tooLarge, good]))).toEqual(good)
})

it('deterministic ECDSA masks the bits that the order of P-521 does not have', () => {
  const drawn = new Uint8Array(66).fill(0xff)
  drawn[65] = 0
  drawn[1] = 0
  expect(scalarFrom(CURVES['P-521'], scriptedRandom([drawn]))[0]).toBe(1)
})

const DATA = new Uint8Array(3)
const names = Object.keys(ALGORITHMS) as AlgorithmName[]
const random = seededRandom('keys')
const keys = names.map((name) => [name, drawPrivateKey(algorithmNamed(name), random)] as const)
const kinds = (name: AlgorithmName) => {
  const algorithm = algorithmNamed(name)
  return 'curve' in algorithm ? algorithm.curve : algorithm.kind === 'rsa' ? 'RSA' : name
}

it.each(names)('%s signs what node:crypto verifies with its key and refuses by others, repeated or not', (name) => {
  const algorithm = algorithmNamed(name)
  for (const [other, privateKey] of keys) {
    expect(fitsKey(algorithm, privateKey), other).toBe(kinds(name) === kinds(other))
    for (const repeatable of [true, false]) {
      const signing = () => sign({ algorithm, privateKey, data: DATA, random: { ...random, repeatable } })
      const check = () => ({ algorithm, publicKey: publicKeyDer(privateKey), data: DATA, signature: signing() })
      if (name === other) expect(verifySignature(check())).toBe(true)
      else if (kinds(name) !== kinds(other)) expect(signing).toThrow()
    }
  }
})
