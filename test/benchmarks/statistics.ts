import { existsSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join } from 'node:path'

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

/** Cells of the tables that a bench prints. */
export const number = (value: number, digits = 0): string =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })

export const range = ({ low, high }: Interval, digits = 0): string => `${number(low, digits)} – ${number(high, digits)}`

export const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** A head of which every column but the first holds numbers. */
export const head = (...cells: readonly string[]): readonly string[] => [
  row(...cells),
  row('---', ...cells.slice(1).map(() => '---:')),
]

const root = join(import.meta.dirname, '../..')

export const machineName = (): string => {
  const machine = `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}`
  return `${machine}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}, Node ${process.versions.node}`
}

/** On what something was measured, and how. */
export const machineLine = (): string => {
  const program = existsSync(join(root, 'out/main/cli.js')) ? 'built' : 'from source'
  return `${machineName()}, ${program}. All on loopback. Sides are measured in turn, ratios within a round; intervals are of the median, 95 %.`
}
