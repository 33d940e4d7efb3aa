/** A small seeded generator (mulberry32): the same seed throws the same dice. */
export type Dice = {
  /** A whole number in [0, limit). */
  below(limit: number): number
  /** True once in `times`. */
  once(times: number): boolean
  pick<T>(items: readonly T[]): T
  bytes(length: number): Uint8Array<ArrayBuffer>
}

export const createDice = (seed: number): Dice => {
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
    once: (times) => below(times) === 0,
    // The index is always one of the list's own, unless the list is empty.
    pick: <T>(items: readonly T[]): T => items[below(items.length)] as T,
    bytes: (length) => Uint8Array.from({ length }, () => below(256)),
  }
}
