import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { decodeSpki } from '../../../src-main/core/judge/spki.ts'
import { type Bytes, fromHex, toHex, utf8 } from '../../../src-main/core/protocol/bytes.ts'
import {
  ALGORITHMS,
  type AlgorithmName,
  algorithmNamed,
  type MlDsaAlgorithm,
} from '../../../src-main/phones/authenticator/algorithms.ts'
import { drawPrivateKey, portableKeys, publicKeyDer, sign } from '../../../src-main/phones/authenticator/private-key.ts'
import { authentication } from '../../support/ceremony/authentication.ts'
import { testKey } from '../../support/ceremony/keys.ts'
import { registration } from '../../support/ceremony/registration.ts'
import vectors from '../../vectors/ml-dsa/sign-seed.json' with { type: 'json' }
import { must } from './support/requests.ts'
import { seededRandom } from './support/seeded-random.ts'
import { verifySignature } from './support/verify-signature.ts'

const runtime = vi.hoisted(() => ({ isBoring: false }))
vi.mock('node:crypto', async (real) => {
  const { boringCrypto } = await import('../../support/boringssl.ts')
  return boringCrypto(await real(), () => runtime.isBoring)
})

const hex = (text: string) => must(fromHex(text))
const DATA = utf8('what is signed')

it('the portable keys have 36 cases of Wycheproof to go by', () => {
  expect(vectors).toHaveLength(36)
})

it.each(vectors)('Wycheproof’s signature: $algorithm, $comment', ({ algorithm, seed, message, signature_sha256 }) => {
  const signature = portableKeys(algorithm as MlDsaAlgorithm['name']).sign(hex(message), hex(seed))
  expect(createHash('sha256').update(signature).digest('hex')).toBe(signature_sha256)
})

it.each([
  // RFC 8032 §7.4, "Blank" and "1 octet".
  [
    'Ed448',
    '6c82a562cb808d10d632be89c8513ebf6c929f34ddfa8c9f63c9960ef6e348a3528c8a3fcc2f044e39a3fc5b94492f8f032e7549a20098f95b',
    '',
    '5fd7449b59b461fd2ce787ec616ad46a1da1342485a70e1f8a0ea75d80e96778edf124769b46c7061bd6783df1e50f6cd1fa1abeafe8256180',
    '533a37f6bbe457251f023c0d88f976ae2dfb504a843e34d2074fd823d41a591f2b233f034f628281f2fd7a22ddd47d7828c59bd0a21bfd3980ff0d2028d4b18a9df63e006c5d1c2d345b925d8dc00b4104852db99ac5c7cdda8530a113a0f4dbb61149f05a7363268c71d95808ff2e652600',
  ],
  [
    'Ed448',
    'c4eab05d357007c632f3dbb48489924d552b08fe0c353a0d4a1f00acda2c463afbea67c5e8d2877c5e3bc397a659949ef8021e954e0a12274e',
    '03',
    '43ba28f430cdff456ae531545f7ecd0ac834a55d9358c0372bfa0c6c6798c0866aea01eb00742802b8438ea4cb82169c235160627b4c3a9480',
    '26b8f91727bd62897af15e41eb43c377efb9c610d48f2335cb0bd0087810f4352541b143c4b981b7e18f62de8ccdf633fc1bf037ab7cd779805e0dbcc0aae1cbcee1afb2e027df36bc04dcecbf154336c19f0af7e0a6472905e799f1953d2a0ff3348ab21aa4adafd1d234441cf807c03a00',
  ],
  // RFC 6979 on secp256k1 as Bitcoin's libraries test it, which take n - s for s: the key 1 and "Satoshi Nakamoto".
  [
    'secp256k1',
    '0000000000000000000000000000000000000000000000000000000000000001',
    '5361746f736869204e616b616d6f746f',
    '0479be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8',
    '3046022100934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d8022100dbbd3162d46e9f9bef7feb87c16dc13b4f6568a87f4e83f728e2443ba586675c',
  ],
] as const)('the portable keys of %s sign as published', (name, secret, data, publicKey, signature) => {
  const keys = portableKeys(name)
  expect(toHex(keys.publicKey(hex(secret)))).toBe(publicKey)
  expect(toHex(keys.sign(hex(data), hex(secret)))).toBe(signature)
})

/** Each of a runtime with BoringSSL. */
const load = async () => {
  vi.resetModules()
  const { drawPrivateKey, publicKeyDer, importPrivateKey, sign } = await import(
    '../../../src-main/phones/authenticator/private-key.ts'
  )
  const { nodeCrypto } = await import('../../../src-main/service/second-opinion/node-crypto.ts')
  const { secondOpinion } = await import('../../../src-main/service/second-opinion/second-opinion.ts')
  return { drawPrivateKey, publicKeyDer, importPrivateKey, sign, nodeCrypto, secondOpinion }
}

describe('a runtime without some algorithms', () => {
  let boring: Awaited<ReturnType<typeof load>>
  beforeAll(async () => {
    boring = await load()
  })
  const inBoring = async <T>(work: () => T | Promise<T>): Promise<T> => {
    runtime.isBoring = true
    try {
      return await work()
    } finally {
      runtime.isBoring = false
    }
  }

  const lacking = ['ES256K', 'Ed448', 'ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'] as const
  it.each(lacking)('makes the same keys and signatures of %s under a seed as others', async (name) => {
    const algorithm = algorithmNamed(name)
    const mine = await inBoring(() => boring.drawPrivateKey(algorithm, seededRandom('key')))
    const theirs = drawPrivateKey(algorithm, seededRandom('key'))
    expect(mine).toEqual(theirs)
    const signing = { algorithm, privateKey: theirs, data: DATA, random: seededRandom('sign') }
    expect(await inBoring(() => boring.publicKeyDer(theirs))).toEqual(publicKeyDer(theirs))
    expect(await inBoring(() => boring.sign(signing))).toEqual(sign(signing))
    expect(await inBoring(() => boring.importPrivateKey(theirs))).toBeInstanceOf(Uint8Array)
    const short = 'priv' in theirs ? { ...theirs, priv: 'AA' } : { ...theirs, d: 'AA' }
    await expect(inBoring(() => boring.importPrivateKey(short))).rejects.toThrow()
  })

  it.each(Object.keys(ALGORITHMS) as AlgorithmName[])('signs and verifies %s as others do', async (name) => {
    const algorithm = algorithmNamed(name)
    const privateKey = drawPrivateKey(algorithm, seededRandom('key'))
    const random = seededRandom('sign', { repeatable: false })
    const made = await inBoring(() => boring.sign({ algorithm, privateKey, data: DATA, random }))
    expect(verifySignature({ algorithm, publicKey: publicKeyDer(privateKey), data: DATA, signature: made })).toBe(true)

    const key = decodeSpki(publicKeyDer(privateKey))
    if (key === undefined) throw new Error('no key')
    const verify = (data: Bytes, signature: Bytes) =>
      inBoring(() => boring.nodeCrypto.verify({ algorithm: algorithm.cose, key, data, signature }))
    // Of ECDSA half of the signatures have an s in the upper half of the order.
    for (const data of [...'abcdef'].map(utf8)) {
      const theirs = sign({ algorithm, privateKey, data, random: seededRandom('sign') })
      expect(await verify(data, theirs)).toEqual({ ok: true, value: true })
      expect(await verify(DATA, theirs)).toEqual({ ok: true, value: false })
    }
    expect(await verify(DATA, new Uint8Array(3))).toEqual({ ok: true, value: false })
  })

  it.each([-47, -53, -49])('has no second opinion on algorithm %i', async (algorithm) => {
    const key = testKey(algorithm)
    const wall = registration({}).now
    for (const ceremony of [registration({ key, cose: key.cose }), authentication({ key })]) {
      expect(await inBoring(() => boring.secondOpinion(ceremony, { wall }))).toMatchObject({
        heard: false,
        reason: { code: 'algorithm_not_known' },
      })
    }
  })
})
