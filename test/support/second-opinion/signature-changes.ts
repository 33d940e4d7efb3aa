import { concat } from '../../../src-main/protocol/bytes.ts'
import { tlv } from '../ceremony/der.ts'
import { testKey } from '../ceremony/keys.ts'
import { damageBytes } from './damage.ts'
import type { Dice } from './dice.ts'

/** A good signature with its form or its value changed. */
export const changeSignature = (good: Uint8Array, dice: Dice): Uint8Array<ArrayBuffer> =>
  dice.pick<() => Uint8Array<ArrayBuffer>>([
    () => damageBytes(good, dice),
    () => new Uint8Array(),
    () => new Uint8Array(good.length),
    () => concat(good, Uint8Array.of(0)),
    () => dice.bytes(64),
    () => testKey(-7, 'other').sign(good),
    () => withIntegers(good, ([r, s]) => [concat(Uint8Array.of(0), r), s]),
    () => withIntegers(good, ([r, s]) => [r, concat(Uint8Array.of(0, 0), s)]),
    () => withIntegers(good, ([r, s]) => [s, r]),
    () => withIntegers(good, ([r]) => [r, Uint8Array.of(0)]),
    () => withIntegers(good, ([r, s]) => [r, withoutSign(s)]),
    () => withIntegers(good, ([r, s]) => [r, s, Uint8Array.of(1)]),
    () => concat(Uint8Array.of(0x30, 0x81), good.subarray(1)),
  ])()

type Integers = readonly [Uint8Array, Uint8Array]

const withIntegers = (
  der: Uint8Array,
  change: (integers: Integers) => readonly Uint8Array[],
): Uint8Array<ArrayBuffer> => {
  const rLength = der[3] ?? 0
  if (der[0] !== 0x30 || der[2] !== 2 || der.length > 130) return concat(der, Uint8Array.of(1))
  const r = der.subarray(4, 4 + rLength)
  const s = der.subarray(6 + rLength)
  return tlv(0x30, ...change([r, s]).map((value) => tlv(0x02, value)))
}

/** A large number, written as if INTEGER were unsigned. */
const withoutSign = (value: Uint8Array): Uint8Array => (value[0] === 0 ? value.subarray(1) : value)
