import { describe, expect, it } from 'vitest'
import { decodeSpki, encodeSpki } from '../../../src-main/explain/spki.ts'
import { toHex, utf8 } from '../../../src-main/protocol/bytes.ts'
import { nodeCrypto } from '../../../src-main/service/judge/node-crypto.ts'
import { testAlgorithms, testKey } from '../../support/ceremony/keys.ts'

const DATA = utf8('what was signed')

const publicKeyOf = (algorithm: number) => {
  const key = decodeSpki(testKey(algorithm).spki)
  if (key === undefined) throw new Error('a test key cannot be read')
  return key
}

describe.each(testAlgorithms)('the algorithm %i', (algorithm) => {
  const signature = testKey(algorithm).sign(DATA)

  it('verifies a good signature', async () => {
    expect(await nodeCrypto.verify({ algorithm, key: publicKeyOf(algorithm), data: DATA, signature })).toEqual({
      ok: true,
      value: true,
    })
  })

  it('does not verify other data', async () => {
    const check = { algorithm, key: publicKeyOf(algorithm), data: utf8('something else'), signature }
    expect(await nodeCrypto.verify(check)).toEqual({ ok: true, value: false })
  })

  it('does not verify a signature that is no such thing', async () => {
    const check = { algorithm, key: publicKeyOf(algorithm), data: DATA, signature: new Uint8Array(3) }
    expect(await nodeCrypto.verify(check)).toEqual({ ok: true, value: false })
  })

  it('writes the key as node:crypto does', () => {
    expect(encodeSpki(publicKeyOf(algorithm))).toEqual(testKey(algorithm).spki)
  })
})

it('does not verify with a point off its curve', async () => {
  const key = { kty: 'EC2', crv: 'P-256', x: new Uint8Array(32).fill(1), y: new Uint8Array(32).fill(1) } as const
  const signature = testKey(-7).sign(DATA)
  expect(await nodeCrypto.verify({ algorithm: -7, key, data: DATA, signature })).toEqual({ ok: true, value: false })
})

it.each([
  ['an unknown algorithm', -1],
  ['an algorithm of another kind of key', -257],
])('calls %s unsupported', async (_, algorithm) => {
  const check = { algorithm, key: publicKeyOf(-7), data: DATA, signature: new Uint8Array(8) }
  expect(await nodeCrypto.verify(check)).toEqual({ ok: false, error: 'unsupported' })
})

it('leaves the event loop to others while a signature is verified', async () => {
  const check = { algorithm: -7, key: publicKeyOf(-7), data: DATA, signature: testKey(-7).sign(DATA) }
  let done = false
  const verified = Promise.resolve(nodeCrypto.verify(check)).finally(() => {
    done = true
  })
  // Only the event loop brings what a thread has found.
  for (let i = 0; i < 1_000; i++) await undefined
  expect(done).toBe(false)
  expect(await verified).toEqual({ ok: true, value: true })
})

it('tells PSS from PKCS #1 and one hash from another', async () => {
  const signature = testKey(-257).sign(DATA)
  for (const algorithm of [-37, -258]) {
    const check = { algorithm, key: publicKeyOf(-257), data: DATA, signature }
    expect(await nodeCrypto.verify(check)).toEqual({ ok: true, value: false })
  }
})

it.each([
  ['SHA-1', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'],
  ['SHA-256', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['SHA-384', '38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b'],
] as const)('hashes nothing with %s as everybody does', async (hash, hex) => {
  expect(toHex(await nodeCrypto.digest(hash, new Uint8Array()))).toBe(hex)
})
