/** Counts of durations in a fixed amount of memory, up to an hour: by default exact to 1 µs below 1 ms, to 0.2 % above. */
export type Histogram = {
  record(micros: number): void
  readonly count: () => number
  /** In µs, as the three below; NaN while there is nothing. */
  readonly min: () => number
  readonly max: () => number
  readonly mean: () => number
  /** The smallest value that a share of all do not exceed. */
  quantile(share: number): number
  clear(): void
}

const LONGEST = 2 ** 32 - 1

/** Below `exact`, a power of two, each µs counts by itself; above, each doubling is divided into half as many steps. */
export const createHistogram = ({ exact = 1024 }: { readonly exact?: number } = {}): Histogram => {
  const half = exact / 2
  const bits = Math.log2(exact)
  const counts = new Uint32Array(exact + (32 - bits) * half)

  const slotOf = (micros: number): number => {
    if (micros < exact) return micros
    const doublings = 32 - Math.clz32(micros) - bits
    return exact + (doublings - 1) * half + ((micros >>> doublings) - half)
  }

  /** The largest value of a slot: what is told is never less than what was measured. */
  const topOf = (slot: number): number => {
    if (slot < exact) return slot
    const doublings = Math.floor((slot - exact) / half) + 1
    return (half + ((slot - exact) % half) + 1) * 2 ** doublings - 1
  }

  let count = 0
  let sum = 0
  let min = Number.NaN
  let max = Number.NaN
  return {
    record: (micros) => {
      const value = Math.min(LONGEST, Math.max(0, Math.round(micros)))
      const slot = slotOf(value)
      counts[slot] = (counts[slot] ?? 0) + 1
      min = count === 0 ? value : Math.min(min, value)
      max = count === 0 ? value : Math.max(max, value)
      count += 1
      sum += value
    },
    count: () => count,
    min: () => min,
    max: () => max,
    mean: () => sum / count,
    quantile: (share) => {
      const rank = Math.max(1, Math.ceil(share * count))
      let seen = 0
      for (let slot = 0; slot < counts.length; slot++) {
        seen += counts[slot] ?? 0
        if (seen >= rank) return Math.min(topOf(slot), max)
      }
      return max
    },
    clear: () => {
      counts.fill(0)
      count = 0
      sum = 0
      min = Number.NaN
      max = Number.NaN
    },
  }
}
