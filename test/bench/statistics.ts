export const sorted = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b)

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** Linear between the two nearest ranks. */
export const quantile = (values: readonly number[], q: number): number => {
  const order = sorted(values)
  const place = (order.length - 1) * q
  const low = order[Math.floor(place)] ?? Number.NaN
  const high = order[Math.ceil(place)] ?? Number.NaN
  return low + (high - low) * (place - Math.floor(place))
}

export type Interval = { readonly low: number; readonly high: number }

/**
 * An interval that holds the true median with at least 95 %, whatever the distribution: the widest-in ranks whose
 * binomial tails leave no more than 2.5 % on each side.
 */
export const medianInterval = (values: readonly number[]): Interval => {
  const order = sorted(values)
  const n = order.length
  let tail = 0
  let rank = 0
  // Logarithms: of many samples, the chance of the first rank is smaller than any number there is.
  for (let k = 0, log = n * Math.log(0.5); k < n; log += Math.log((n - k) / (k + 1)), k++) {
    tail += Math.exp(log)
    if (tail > 0.025) break
    rank = k + 1
  }
  return { low: order[Math.max(0, rank - 1)] ?? Number.NaN, high: order[Math.min(n - 1, n - rank)] ?? Number.NaN }
}
