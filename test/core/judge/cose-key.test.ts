import { createHash, createPrivateKey, createPublicKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { decodeCbor } from '../../../src-main/core/judge/cbor.ts'
import { decodeCoseKey } from '../../../src-main/core/judge/cose-key.ts'
import { verifySignature } from '../../../src-main/core/judge/signature.ts'
import { encodeSpki } from '../../../src-main/core/judge/spki.ts'
import { type Bytes, fromHex } from '../../../src-main/core/protocol/bytes.ts'
import { portableKeys } from '../../../src-main/phones/authenticator/private-key.ts'
import { nodeCrypto } from '../../../src-main/service/second-opinion/node-crypto.ts'
import { type Cbor, cbor, map } from '../../support/ceremony/cbor.ts'
import { coseBytes, testAlgorithms, testKey, withMember } from '../../support/ceremony/keys.ts'

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

  it('is refused at the origin', () => {
    const origin = withMember(withMember(cose, -2, new Uint8Array(size)), -3, new Uint8Array(size))
    expect(words(origin)).toEqual(['public_key_not_on_curve'])
  })

  it('is refused with a coordinate as large as the field', () => {
    expect(words(withMember(cose, -2, new Uint8Array(size).fill(0xff)))).toEqual(['public_key_not_on_curve'])
  })

  it('is refused with a leading zero too many', () => {
    const longer = Uint8Array.from([0, ...coseBytes(cose, -2)])
    expect(words(withMember(cose, -2, longer))).toEqual(['public_key_length'])
  })
})

const SEED = new Uint8Array(32)
const rsa = testKey(-257).cose
const n = coseBytes(rsa, -1)

it.each([
  ['with a modulus of 1,024 bits', withMember(rsa, -1, n.slice(0, 128)), 'public_key_length'],
  ['with a modulus of 32,768 bits', withMember(rsa, -1, new Uint8Array(4096).fill(1)), 'public_key_length'],
  ['with a leading zero in its modulus', withMember(rsa, -1, Uint8Array.from([0, ...n])), 'malformed_public_key'],
  ['with a leading zero in its exponent', withMember(rsa, -2, Uint8Array.of(0, 3)), 'malformed_public_key'],
  ['with the exponent 1', withMember(rsa, -2, Uint8Array.of(1)), 'public_key_exponent'],
  ['with an even exponent', withMember(rsa, -2, Uint8Array.of(1, 0)), 'public_key_exponent'],
  ['without an exponent', withMember(rsa, -2, new Uint8Array()), 'public_key_exponent'],
  ['with its private exponent', { pairs: [...rsa.pairs, [-3, n]] }, 'public_key_private_part'],
] as const)('an RSA key is refused: %s', (_, cose, word) => expect(words(cose)).toEqual([word]))

it.each([
  ['with a type that is text', withMember(testKey(-8).cose, 1, 'OKP'), 'malformed_public_key'],
  ['with x that is text', withMember(testKey(-8).cose, -2, 'x'), 'malformed_public_key'],
  ['on X25519', withMember(testKey(-8).cose, -1, 4), 'public_key_curve_mismatch'],
  ['on Ed448 for EdDSA', withMember(testKey(-8).cose, -1, 7), 'public_key_curve_mismatch'],
  ['of ML-DSA with another length', withMember(testKey(-48).cose, -1, new Uint8Array(1311)), 'public_key_length'],
  ['of ML-DSA with their seed', { pairs: [...testKey(-48).cose.pairs, [-2, SEED]] }, 'public_key_private_part'],
  ['of ML-DSA with a key ID', { pairs: [...testKey(-48).cose.pairs, [2, SEED]] }, 'public_key_extra_member'],
  ['of the type symmetric', map([1, 4], [3, 5], [-1, new Uint8Array(32)]), 'public_key_type_unsupported'],
  ['of an algorithm for HMAC', withMember(testKey(-7).cose, 3, 5), 'unsupported_algorithm'],
  [
    'of a type without a number',
    withMember(testKey(-7).cose, 1, { raw: Uint8Array.of(0x1b, 255, 255, 255, 255, 255, 255, 255, 255) }),
    'public_key_type_unsupported',
  ],
] as const)('other keys are refused: %s', (_, cose, word) => expect(words(cose)).toEqual([word]))

/**
 * The examples of RFC 9964 (ML-DSA for JOSE and COSE, May 2026) as the working group's repository
 * cose-wg/draft-ietf-cose-dilithium makes them, commit 7f2084be, examples/cose/examples: numbers and hashes alone. The
 * seed of each key is 32 octets of zero.
 */
const EXAMPLES = [
  {
    name: 'ML-DSA-44',
    algorithm: -48,
    protectedHead: 'a201382f045820',
    publicKey: 'eb4e7302842153b0fa19e8620739ad258af4929c26dd89079a7ec7d4282208e1',
    key: '5ac49c5fea351102110da8b2ea70f3fda68be824742f5781ffa523e9d2792636',
    signature: '70322443c0af44300780ef1cbd5430f2b9a6d8e7b851f3afd25c36c36087d584',
  },
  {
    name: 'ML-DSA-65',
    algorithm: -49,
    protectedHead: 'a2013830045820',
    publicKey: '085ba380ff386dd52e42349c6eb88489d6058ea541a4e3fb0dce9a3fd1f7a911',
    key: '5d9c2afabcd55e97bbae229241b9847f573878644dda3f70027c582760f5ca69',
    signature: 'c2bc88f954417f756f94b9ae60d7de54b8700348c5b941488e191047bf32d25b',
  },
  {
    name: 'ML-DSA-87',
    algorithm: -50,
    protectedHead: 'a2013831045820',
    publicKey: '1d4a461707fc50a7ec93a9c02454778a8b82321ca460eea345e7bbfaff38a3aa',
    key: '0f8192abac17a2907e8891251602530e87985789bbc2bfd727a372645e3aac44',
    signature: 'c788e2ed7d023ec2244076f0b656a68270a6865a65e74dbd698bae7dc782bbe6',
  },
] as const

const bytesOf = (hex: string): Bytes => {
  const bytes = fromHex(hex)
  if (!bytes.ok) throw new Error('no hex')
  return bytes.value
}
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const publicKeyOf = (name: (typeof EXAMPLES)[number]['name']): Uint8Array => {
  const arc = { 'ML-DSA-44': 0x11, 'ML-DSA-65': 0x12, 'ML-DSA-87': 0x13 }[name]
  const head = bytesOf(`3034020100300b06096086480165030403${arc.toString(16)}04228020`)
  const key = createPrivateKey({ key: Buffer.concat([head, SEED]), format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return Uint8Array.from(spki.subarray(22))
}

describe('[judge.ml-dsa] the keys and signatures of RFC 9964', () => {
  it.each(EXAMPLES)('$name is $algorithm with key type 7', async (example) => {
    const { name, algorithm } = example
    const pub = publicKeyOf(name)
    expect(sha256(pub)).toBe(example.publicKey)
    const bare = cbor(map([1, 7], [3, algorithm], [-1, pub]))
    // The key ID is the thumbprint of RFC 9679: the hash of the members that the key type needs.
    const kid = sha256(bare)
    const whole = cbor(map([2, bytesOf(kid)], [1, 7], [3, algorithm], [-1, pub], [-2, SEED]))
    expect(sha256(whole)).toBe(example.key)

    const item = decodeCbor(bare)
    if (!item.ok) throw new Error('no CBOR')
    const { value, findings } = decodeCoseKey(item.value.item)
    expect(findings).toEqual([])
    expect(value).toMatchObject({ algorithm, key: { kty: 'AKP', name } })

    const payload = new TextEncoder().encode('hello post quantum signatures')
    const protectedHeader = bytesOf(`${example.protectedHead}${kid}`)
    const data = cbor(['Signature1', protectedHeader, new Uint8Array(), payload])
    const signature = portableKeys(name).sign(data, SEED)
    expect(sha256(signature)).toBe(example.signature)
    if (value === undefined) throw new Error('no key')
    const check = { algorithm, key: value.key, data, signature }
    expect(await verifySignature(check, nodeCrypto)).toEqual({ outcome: 'valid' })
  })
})
