import { expect, test } from 'vitest'
import { slowdownOf } from './slowdown.ts'

const around = (middle: number, width: number) => Array.from({ length: 15 }, (_, i) => middle + ((i - 7) / 7) * width)

test.each([
  ['none', { rates: around(1, 0.05) }],
  ['slower', { rates: around(0.8, 0.05) }],
  ['open', { rates: around(0.9, 0.2) }],
  ['open', { rates: around(1.04, 0.4) }],
  ['none_by_cost', { rates: around(1.04, 0.4), costs: around(1, 0.05) }],
  ['open', { rates: around(1.04, 0.4), costs: around(1.02, 0.4) }],
  ['slower', { rates: around(1, 0.05), costs: around(1.3, 0.05) }],
] as const)('the full store is %s: %o', (expected, ratios) => {
  expect(slowdownOf(ratios)).toBe(expected)
})
