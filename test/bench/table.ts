import { type Interval, median, medianInterval } from './statistics.ts'

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

export const measured = (name: string, samples: readonly number[], unit: string, digits = 0): string =>
  row(
    name,
    `${number(median(samples), digits)} ${unit}`,
    range(medianInterval(samples), digits),
    String(samples.length),
  )
