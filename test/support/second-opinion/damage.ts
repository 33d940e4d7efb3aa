import { concat } from '../../../src-main/core/protocol/bytes.ts'
import type { Dice } from '../../robustness/dice.ts'
import { type Cbor, cbor, head, map } from '../ceremony/cbor.ts'

/** Octets with one thing wrong somewhere. */
export const damageBytes = (bytes: Uint8Array, dice: Dice): Uint8Array<ArrayBuffer> => {
  const at = dice.below(Math.max(bytes.length, 1))
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
  switch (dice.below(6)) {
    case 0:
      return concat(before)
    case 1:
      return concat(before, dice.bytes(1 + dice.below(4)), after)
    case 2:
      return concat(before, after.subarray(1 + dice.below(4)))
    case 3:
      return concat(bytes, dice.bytes(1 + dice.below(3)))
    default:
      return concat(before, Uint8Array.of((after[0] ?? 0) ^ (1 << dice.below(8))), after.subarray(1))
  }
}

type Pairs = readonly (readonly [Cbor, Cbor])[]

/** CBOR of any kind, some of it of kinds that no authenticator writes. */
export const anyCbor = (dice: Dice, depth = 0): Cbor => {
  const kinds: readonly (() => Cbor)[] = [
    () => dice.below(30),
    () => -1 - dice.below(300),
    () => dice.pick(['', 'a', 'alg', 'public-key']),
    () => dice.bytes(dice.below(40)),
    () => dice.once(2),
    () => null,
    () => ({ raw: dice.pick(ODDITIES) }),
    () => (depth > 2 ? 0 : Array.from({ length: dice.below(3) }, () => anyCbor(dice, depth + 1))),
    () =>
      depth > 2 ? 0 : map(...Array.from({ length: dice.below(3) }, (_, i) => [i, anyCbor(dice, depth + 1)] as const)),
  ]
  return dice.pick(kinds)()
}

/** Floats, tags, simple values, long heads and items without a definite length. */
const ODDITIES = [
  [0xf9, 0x3c, 0x00],
  [0xfa, 0x40, 0x49, 0x0f, 0xdb],
  [0xfb, 0x3f, 0xf1, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9a],
  [0xc1, 0x1a, 0x51, 0x4b, 0x67, 0xb0],
  [0xf7],
  [0xe0],
  [0xf8, 0x20],
  [0x18, 0x05],
  [0x19, 0x00, 0x05],
  [0x1b, 0, 0, 0, 1, 0, 0, 0, 0],
  [0x1b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
  [0x5f, 0x41, 0x00, 0xff],
  [0x9f, 0xff],
  [0xbf, 0xff],
  [0x61, 0xff],
  [0xa2, 0x01, 0x00, 0x01, 0x00],
].map((octets) => Uint8Array.from(octets))

/** A map whose structure is changed: a member less, more, twice, of another type, elsewhere. */
export const changeMap = (pairs: Pairs, dice: Dice): Pairs => {
  const at = dice.below(Math.max(pairs.length, 1))
  const pair = pairs[at]
  if (pair === undefined) return [['x', anyCbor(dice)]]
  const replaced = (value: Cbor): Pairs => pairs.map((old, i) => (i === at ? [old[0], value] : old))
  switch (dice.below(7)) {
    case 0:
      return pairs.filter((_, i) => i !== at)
    case 1:
      return [...pairs, [dice.pick(['x', 'ecdaaKeyId', 9, -9]), anyCbor(dice)]]
    case 2:
      return [...pairs.slice(0, at), pair, ...pairs.slice(at)]
    case 3:
      return pairs.toReversed()
    case 4:
      return pairs.map((old, i) => (i === at ? [anyCbor(dice), old[1]] : old))
    case 5:
      return pair[1] instanceof Uint8Array ? replaced(damageBytes(pair[1], dice)) : replaced(anyCbor(dice))
    default:
      return replaced(anyCbor(dice))
  }
}

/** The same map with a head that is longer than it need be, or that leaves the length open. */
export const oddHead = (pairs: Pairs, dice: Dice): Uint8Array<ArrayBuffer> => {
  const body = cbor(map(...pairs)).slice(head(5, pairs.length).length)
  return dice.once(2)
    ? concat(Uint8Array.of(0xb8, pairs.length), body)
    : concat(Uint8Array.of(0xbf), body, Uint8Array.of(0xff))
}
