/** Repeatable chance for tests: the same seed throws the same dice. */
export type Dice = {
  /** In [0, 1). */
  next(): number
  /** A whole number in [0, limit). */
  below(limit: number): number
  chance(probability: number): boolean
  pick<T>(values: readonly [T, ...T[]] | readonly T[]): T
  bytes(count: number): Buffer
  /** Dice of their own, so that one consumer does not disturb another. */
  fork(): Dice
}

/** SplitMix32: 32 bits of state, every seed is good. */
export const diceOf = (seed: number): Dice => {
  let state = seed >>> 0
  const word = (): number => {
    state = (state + 0x9e37_79b9) >>> 0
    let z = state
    z = Math.imul(z ^ (z >>> 16), 0x85eb_ca6b)
    z = Math.imul(z ^ (z >>> 13), 0xc2b2_ae35)
    return (z ^ (z >>> 16)) >>> 0
  }
  const below = (limit: number): number => Math.floor((word() / 0x1_0000_0000) * limit)
  return {
    next: () => word() / 0x1_0000_0000,
    below,
    chance: (probability) => word() / 0x1_0000_0000 < probability,
    pick: <T>(values: readonly T[]): T => values[below(values.length)] as T,
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => word() & 255)),
    fork: () => diceOf(word()),
  }
}
