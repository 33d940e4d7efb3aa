import type { Bytes } from './bytes.ts'

/** Under a seed the same stream gives the same values in the same order. */
export type RandomSource = {
  /** True under a seed: signers then choose deterministic signatures, so that a run repeats. */
  readonly repeatable: boolean
  bytes(count: number): Bytes
}

/**
 * Each entity and purpose has its own stream, so that parallel tasks do not change each other's values:
 * `stream('main', 'rp_…', 'challenge')`. Positions are part of a workspace's state (snapshot, restore).
 */
export type RandomStreams = {
  stream(workspace: string, entity: string, purpose: string): RandomSource
  positions(workspace: string): Readonly<Record<string, number>>
  restore(workspace: string, positions: Readonly<Record<string, number>>): void
  forget(workspace: string): void
}

/** A whole number in [0, limit), without bias. */
export const randomBelow = (source: RandomSource, limit: number): number => {
  const ceiling = Math.floor(0x1_0000_0000 / limit) * limit
  for (;;) {
    const [a = 0, b = 0, c = 0, d = 0] = source.bytes(4)
    const value = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
    if (value < ceiling) return value % limit
  }
}
