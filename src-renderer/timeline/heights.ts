/**
 * How high each of many things is that stand below each other, and where each begins: a tree of sums, so that to change
 * one of a hundred thousand, or to find which of them stands at some height, takes a few steps.
 */
export type Heights = {
  readonly set: (index: number, height: number) => void
  readonly total: () => number
  /** Where it begins. */
  readonly top: (index: number) => number
  /** Which of them covers this height; -1 when none does. What has no height covers nothing. */
  readonly at: (y: number) => number
}

export const createHeights = (): Heights => {
  const own: number[] = []
  // sums[i - 1] holds the sum of the last lowest-bit-of-i heights before i, which makes every sum one of log n parts.
  const sums: number[] = []
  let total = 0

  const append = (height: number): void => {
    own.push(height)
    const i = own.length
    let sum = height
    for (let j = i - 1; j > i - (i & -i); j -= j & -j) sum += sums[j - 1] ?? 0
    sums.push(sum)
    total += height
  }

  return {
    set: (index, height) => {
      while (own.length < index) append(0)
      if (index === own.length) return append(height)
      const more = height - (own[index] ?? 0)
      if (more === 0) return
      own[index] = height
      total += more
      for (let i = index + 1; i <= sums.length; i += i & -i) sums[i - 1] = (sums[i - 1] ?? 0) + more
    },
    total: () => total,
    top: (index) => {
      let sum = 0
      for (let i = Math.min(index, own.length); i > 0; i -= i & -i) sum += sums[i - 1] ?? 0
      return sum
    },
    at: (y) => {
      if (y < 0 || y >= total) return -1
      let index = 0
      let left = y
      for (let step = 2 ** Math.floor(Math.log2(own.length)); step > 0; step >>= 1) {
        const sum = sums[index + step - 1]
        if (sum === undefined || index + step > own.length || sum > left) continue
        index += step
        left -= sum
      }
      return index
    },
  }
}
