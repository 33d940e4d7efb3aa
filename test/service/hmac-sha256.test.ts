import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { hmacSha256 } from '../../src-main/service/signing/hmac-sha256.ts'
import { diceOf } from '../robustness/dice.ts'

const hex = (text: string) => Buffer.from(text, 'hex')

/** RFC 4231: key, data, HMAC-SHA-256. */
const vectors = [
  [Buffer.alloc(20, 0x0b), Buffer.from('Hi There'), 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
  [
    Buffer.from('Jefe'),
    Buffer.from('what do ya want for nothing?'),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
  [Buffer.alloc(20, 0xaa), Buffer.alloc(50, 0xdd), '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe'],
  [
    hex('0102030405060708090a0b0c0d0e0f10111213141516171819'),
    Buffer.alloc(50, 0xcd),
    '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
  ],
  [
    Buffer.alloc(131, 0xaa),
    Buffer.from('Test Using Larger Than Block-Size Key - Hash Key First'),
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  ],
] as const

test.each(vectors)('the vectors of RFC 4231, %#', (key, data, expected) => {
  expect(hmacSha256(key)(data.toString('latin1'))).toBe(expected)
})

test('it is what node:crypto computes, for keys and messages of every length, and one key serves many messages', () => {
  const dice = diceOf(1)
  for (let length = 0; length <= 200; length++) {
    const key = dice.bytes(length)
    const hmac = hmacSha256(key)
    for (const message of [dice.bytes(0), dice.bytes(length), dice.bytes(dice.below(1_000))]) {
      expect(hmac(message.toString('latin1'))).toBe(createHmac('sha256', key).update(message).digest('hex'))
    }
  }
})
