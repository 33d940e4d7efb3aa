/** Repeatable chance for tests: the same seed throws the same dice. */
export type Dice = {
  /** A whole number in [0, limit). */
  below(limit: number): number
  chance(probability: number): boolean
  /** True once in `times`. */
  once(times: number): boolean
  pick<T>(values: readonly T[]): T
  bytes(count: number): Buffer<ArrayBuffer>
  /** Dice of their own, so that one consumer does not disturb another. */
  fork(): Dice
}

/** Mulberry32: 32 bits of state, every seed is good. */
export const diceOf = (seed: number): Dice => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    chance: (probability) => next() < probability,
    once: (times) => below(times) === 0,
    pick: <T>(values: readonly T[]): T => values[below(values.length)] as T,
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => below(256))),
    fork: () => diceOf(below(0x1_0000_0000)),
  }
}
