import { hkdfSync } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createRandom } from '../../../src-main/bench/harness/random.ts'
import { toHex } from '../../../src-main/core/protocol/bytes.ts'
import { accountProof, makeAccountSecret, maskNumber, vaultKey } from '../../../src-main/phones/phone/account-secret.ts'
import { seal, unseal } from '../../../src-main/phones/phone/vault.ts'

const stream = (seed: number) => createRandom({ seed }).stream('main', 'phn_1', 'account-secret')
const account = { name: 'Alice', phone: '13812345678', secret: 'AAECAwQFBgcICQoLDA0ODw' }

it('an account has a secret of 128 bits from its stream', () => {
  expect(Buffer.from(makeAccountSecret(stream(1)), 'base64url')).toHaveLength(16)
  expect(makeAccountSecret(stream(1))).toBe(makeAccountSecret(stream(1)))
  expect(makeAccountSecret(stream(1))).not.toBe(makeAccountSecret(stream(2)))
})

it('an account proves itself with HKDF over the secret, and seals with a key that the proof does not tell', () => {
  const secret = Buffer.from(account.secret, 'base64url')
  const expected = (info: string) => Buffer.from(hkdfSync('sha256', secret, '', info, 32))
  expect(accountProof(account)).toBe(expected('signin').toString('base64url'))
  expect(toHex(vaultKey(account))).toBe(expected('vault').toString('hex'))
})

it.each([
  ['13812345678', '138****5678'],
  ['+8613812345678', '+86****5678'],
  ['1234567', '****67'],
])('an account shows the number %s as %s', (number, masked) => {
  expect(maskNumber(number)).toBe(masked)
})

const key = new Uint8Array(32).fill(7)
const context = { key, credentialId: 'Y3JlZA' }
const random = () => createRandom({ seed: 1 }).stream('main', 'phn_1', 'vault')
const sealed = () => Buffer.from(seal(context, 'a credential', random()), 'base64url')

it('sealing for the cloud gives back what was sealed, whatever it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(text.isWellFormed())
      expect(unseal(context, seal(context, text, random()))).toBe(text)
    }),
  )
})

it('sealing for the cloud notices every bit that is not as it was sealed', () => {
  const good = sealed()
  for (let bit = 0; bit < good.length * 8; bit++) {
    const bad = Buffer.from(good)
    bad[bit >> 3] = (bad[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(unseal(context, bad.toString('base64url'))).toBeUndefined()
  }
})

it('sealing for the cloud opens for this credential id and this account only', () => {
  const text = sealed().toString('base64url')
  expect(unseal({ ...context, credentialId: 'b3RoZXI' }, text)).toBeUndefined()
  expect(unseal({ ...context, key: new Uint8Array(32) }, text)).toBeUndefined()
})

it.each(['', 'AQ', '!', 'AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'])('sealing for the cloud refuses %j', (text) => {
  expect(unseal(context, text)).toBeUndefined()
})

it('sealing for the cloud draws another nonce for another content even where the random stream was wound back', () => {
  const nonceOf = (text: string): string => seal(context, text, random()).slice(0, 16)
  expect(nonceOf('one')).not.toBe(nonceOf('two'))
  expect(nonceOf('one')).toBe(nonceOf('one'))
})
