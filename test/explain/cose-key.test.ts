import { describe, expect, it } from 'vitest'
import { decodeCbor } from '../../src-main/explain/cbor.ts'
import { decodeCoseKey } from '../../src-main/explain/cose-key.ts'
import { encodeSpki } from '../../src-main/explain/spki.ts'
import { type Cbor, cbor, map } from '../support/ceremony/cbor.ts'
import { coseBytes, testAlgorithms, testKey, withMember } from '../support/ceremony/keys.ts'

const decoded = (value: Cbor) => {
  const item = decodeCbor(cbor(value))
  if (!item.ok) throw new Error(item.error.fault)
  return decodeCoseKey(item.value.item)
}

const words = (value: Cbor) => decoded(value).findings.map(({ word }) => word)

describe.each(testAlgorithms)('a key of algorithm %i', (algorithm) => {
  const { cose, spki } = testKey(algorithm)

  it('is read, with the place of every member', () => {
    const { value, findings } = decoded(cose)
    expect(findings).toEqual([])
    expect(value?.algorithm).toBe(algorithm)
    expect(value?.members).toHaveLength(cose.pairs.length)
    expect(value?.members.some(({ name }) => name === 'other')).toBe(false)
    const bytes = cbor(cose)
    expect(value?.members.map(({ end }) => end).at(-1)).toBe(bytes.length)
  })

  it('is the key that the platform exports', () => {
    const { value } = decoded(cose)
    expect(value && encodeSpki(value.key)).toEqual(spki)
  })

  it('is refused without any of its members', () => {
    for (const [label] of cose.pairs)
      expect(words(withMember(cose, Number(label), undefined))).toEqual(['malformed_public_key'])
  })
})

describe.each([-7, -35, -36, -47])('a point of algorithm %i', (algorithm) => {
  const { cose } = testKey(algorithm)
  const size = coseBytes(cose, -2).length

  it('is refused off its curve', () => {
    expect(words(withMember(cose, -3, coseBytes(cose, -2)))).toEqual(['public_key_not_on_curve'])
    expect(words(withMember(withMember(cose, -2, new Uint8Array(size)), -3, new Uint8Array(size)))).toEqual([
      'public_key_not_on_curve',
    ])
  })

  it('is refused with a coordinate as large as the field', () => {
    expect(words(withMember(cose, -2, new Uint8Array(size).fill(0xff)))).toEqual(['public_key_not_on_curve'])
  })

  it('is refused with a leading zero too many', () => {
    const longer = Uint8Array.from([0, ...coseBytes(cose, -2)])
    expect(words(withMember(cose, -2, longer))).toEqual(['public_key_length'])
  })
})

const rsa = testKey(-257).cose
const n = coseBytes(rsa, -1)

describe('an RSA key is refused', () => {
  it.each([
    ['with a modulus of 1,024 bits', withMember(rsa, -1, n.slice(0, 128)), 'public_key_length'],
    ['with a modulus of 32,768 bits', withMember(rsa, -1, new Uint8Array(4096).fill(1)), 'public_key_length'],
    ['with a leading zero in its modulus', withMember(rsa, -1, Uint8Array.from([0, ...n])), 'malformed_public_key'],
    ['with a leading zero in its exponent', withMember(rsa, -2, Uint8Array.of(0, 3)), 'malformed_public_key'],
    ['with the exponent 1', withMember(rsa, -2, Uint8Array.of(1)), 'public_key_exponent'],
    ['with an even exponent', withMember(rsa, -2, Uint8Array.of(1, 0)), 'public_key_exponent'],
    ['without an exponent', withMember(rsa, -2, new Uint8Array()), 'public_key_exponent'],
    ['with its private exponent', { pairs: [...rsa.pairs, [-3, n]] }, 'public_key_private_part'],
  ] as const)('%s', (_, cose, word) => expect(words(cose)).toEqual([word]))
})

describe('other keys are refused', () => {
  it.each([
    ['that are no map', 5, 'malformed_public_key'],
    ['with a type that is text', withMember(testKey(-8).cose, 1, 'OKP'), 'malformed_public_key'],
    ['with an algorithm that is text', withMember(testKey(-8).cose, 3, 'EdDSA'), 'malformed_public_key'],
    ['with x that is text', withMember(testKey(-8).cose, -2, 'x'), 'malformed_public_key'],
    ['with x of 31 bytes', withMember(testKey(-8).cose, -2, new Uint8Array(31)), 'public_key_length'],
    ['on X25519', withMember(testKey(-8).cose, -1, 4), 'public_key_curve_mismatch'],
    ['on Ed448 for EdDSA', withMember(testKey(-8).cose, -1, 7), 'public_key_curve_mismatch'],
    ['of ML-DSA with another length', withMember(testKey(-48).cose, -1, new Uint8Array(1311)), 'public_key_length'],
    [
      'of ML-DSA with their seed',
      { pairs: [...testKey(-48).cose.pairs, [-2, new Uint8Array(32)]] },
      'public_key_private_part',
    ],
    ['of the type symmetric', map([1, 4], [3, 5], [-1, new Uint8Array(32)]), 'public_key_type_unsupported'],
    ['of an algorithm for HMAC', withMember(testKey(-7).cose, 3, 5), 'unsupported_algorithm'],
    [
      'of a type without a number',
      withMember(testKey(-7).cose, 1, { raw: Uint8Array.of(0x1b, 255, 255, 255, 255, 255, 255, 255, 255) }),
      'public_key_type_unsupported',
    ],
  ] as const)('%s', (_, cose, word) => expect(words(cose)).toEqual([word]))
})
