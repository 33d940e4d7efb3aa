import { expect, test } from 'vitest'
import { createRandom } from '../../src-main/harness/random.ts'
import { createHistogram } from '../../src-main/load/histogram.ts'
import { below } from '../../src-main/protocol/random.ts'

const random = createRandom({ seed: 1 }).stream('test', 'histogram', 'values')

test('its quantiles are those of the sorted values, at most 0.2 % above, never below', () => {
  const histogram = createHistogram()
  const values = Array.from({ length: 1000 }, () => below(random, 2 ** below(random, 31)) + 1)
  for (const value of values) histogram.record(value)
  const sorted = values.toSorted((a, b) => a - b)
  for (const share of [0.001, 0.1, 0.5, 0.9, 0.99, 0.999, 1]) {
    const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN
    expect(histogram.quantile(share)).toBeGreaterThanOrEqual(exact)
    expect(histogram.quantile(share)).toBeLessThanOrEqual(exact * 1.002)
  }
  expect(histogram.min()).toBe(sorted[0])
  expect(histogram.max()).toBe(sorted.at(-1))
  expect(histogram.mean()).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / values.length, 6)
})

test.each([64, 1024])('a value of every size is told within its precision of %i', (exact) => {
  for (let bits = 0; bits < 32; bits++) {
    for (const value of [2 ** bits - 1, 2 ** bits, 2 ** bits + 1]) {
      const histogram = createHistogram({ exact })
      histogram.record(2 ** 32 - 1)
      histogram.record(value)
      expect(histogram.quantile(0.5)).toBeGreaterThanOrEqual(value)
      expect(histogram.quantile(0.5)).toBeLessThanOrEqual(value * (1 + 2 / exact))
    }
  }
})

test('what is longer than it can count is told as the longest it can', () => {
  const histogram = createHistogram()
  histogram.record(1e12)
  expect(histogram.max()).toBe(2 ** 32 - 1)
  expect(histogram.quantile(0.5)).toBe(2 ** 32 - 1)
})

test('nothing recorded has no quantiles', () => {
  expect(createHistogram().quantile(0.5)).toBeNaN()
})
