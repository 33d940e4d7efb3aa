import { hkdfSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../src-main/bench/harness/random.ts'
import { toHex } from '../../../src-main/core/protocol/bytes.ts'
import { accountProof, makeAccountSecret, maskNumber, vaultKey } from '../../../src-main/phones/phone/account.ts'

const stream = (seed: number) => createRandom({ seed }).stream('main', 'phn_1', 'account-secret')
const account = { name: 'Alice', phone: '13812345678', secret: 'AAECAwQFBgcICQoLDA0ODw' }

describe('an account', () => {
  it('has a secret of 128 bits from its stream', () => {
    expect(Buffer.from(makeAccountSecret(stream(1)), 'base64url')).toHaveLength(16)
    expect(makeAccountSecret(stream(1))).toBe(makeAccountSecret(stream(1)))
    expect(makeAccountSecret(stream(1))).not.toBe(makeAccountSecret(stream(2)))
  })

  it('proves itself with HKDF over the secret, and seals with a key that the proof does not tell', () => {
    const secret = Buffer.from(account.secret, 'base64url')
    const expected = (info: string) => Buffer.from(hkdfSync('sha256', secret, '', info, 32))
    expect(accountProof(account)).toBe(expected('signin').toString('base64url'))
    expect(toHex(vaultKey(account))).toBe(expected('vault').toString('hex'))
  })

  it.each([
    ['13812345678', '138****5678'],
    ['+8613812345678', '+86****5678'],
    ['1234567', '****67'],
  ])('shows the number %s as %s', (number, masked) => {
    expect(maskNumber(number)).toBe(masked)
  })
})
