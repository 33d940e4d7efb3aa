import { expect, test } from 'vitest'
import { createRandom } from '../../src-main/harness/random.ts'
import { arrivalTimes } from '../../src-main/load/arrival-times.ts'

const times = (kind: 'poisson' | 'fixed', rate: number, durationMs: number, seed = 1): readonly number[] => [
  ...arrivalTimes({ kind, rate, durationMs, random: createRandom({ seed }).stream('test', 'arrivals', 'times') }),
]

test('fixed arrivals are at equal distances, and no rounding adds up', () => {
  const all = times('fixed', 3, 3_600_000)
  expect(all).toHaveLength(10_800)
  expect(all.at(-1)).toBeCloseTo(3_600_000 - 1000 / 3, 6)
})

test('arrivals at random come at their rate, with gaps as long as their spread', () => {
  const all = times('poisson', 100, 40_000)
  const gaps = all.map((at, i) => at - (all[i - 1] ?? 0))
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
  const spread = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length)
  expect(Math.abs(mean / 10 - 1)).toBeLessThan(0.06)
  expect(Math.abs(spread / mean - 1)).toBeLessThan(0.06)
})

test('a seed draws the same arrivals, another one others', () => {
  expect(times('poisson', 50, 1000, 7)).toEqual(times('poisson', 50, 1000, 7))
  expect(times('poisson', 50, 1000, 7)).not.toEqual(times('poisson', 50, 1000, 8))
})
