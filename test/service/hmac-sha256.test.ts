import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { hmacSha256 } from '../../src-main/service/signing/hmac-sha256.ts'
import { diceOf } from '../robustness/dice.ts'

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
