import { expect, test } from 'vitest'
import { median, medianInterval, quantile } from './statistics.ts'

test('quantiles lie between the nearest ranks', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 3, 2])).toBe(2.5)
  expect(quantile([1, 2, 3, 4, 5], 0.99)).toBeCloseTo(4.96)
})

test.each([
  [3, 1, 3],
  [15, 4, 12],
  [21, 6, 16],
  [3_000, 1446, 1555],
])('the interval of the median of %i takes the binomial table’s ranks, the whole range of too few', (n, low, high) => {
  expect(medianInterval(Array.from({ length: n }, (_, i) => n - i))).toEqual({ low, high })
})
