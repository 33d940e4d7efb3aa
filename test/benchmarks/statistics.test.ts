import { expect, test } from 'vitest'
import { median, medianInterval, quantile } from './statistics.ts'

test('quantiles lie between the nearest ranks', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 3, 2])).toBe(2.5)
  expect(quantile([1, 2, 3, 4, 5], 0.99)).toBeCloseTo(4.96)
})

test('the interval of the median takes the ranks of the binomial table', () => {
  const values = Array.from({ length: 15 }, (_, i) => i + 1)
  expect(medianInterval(values)).toEqual({ low: 4, high: 12 })
  expect(medianInterval(Array.from({ length: 21 }, (_, i) => i + 1))).toEqual({ low: 6, high: 16 })
})

test('the interval of the median is as narrow as it should be with thousands of samples', () => {
  const values = Array.from({ length: 3_000 }, (_, i) => i + 1)
  expect(medianInterval(values)).toEqual({ low: 1446, high: 1555 })
})

test('too few samples give the whole range', () => {
  expect(medianInterval([5, 1, 3])).toEqual({ low: 1, high: 5 })
})
