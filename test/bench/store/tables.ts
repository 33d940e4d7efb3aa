import { SLOWDOWN_WORDS, slowdownOf } from '../slowdown.ts'
import { median, medianInterval, quantile } from '../statistics.ts'
import { head, number, range, row } from '../table.ts'
import type { Parts, StoreSample } from './measure.ts'
import type { StoreSide } from './sides.ts'

type Measured = {
  readonly samples: ReadonlyMap<StoreSide, readonly StoreSample[]>
  /** Milliseconds from the RP's request at one process to the phone's inbox at another. */
  readonly pushes: ReadonlyMap<StoreSide, readonly number[]>
  readonly empty: StoreSide
  readonly full: StoreSide
  /** Of the two, with the rounds that it took to compare them. */
  readonly pair: ReadonlyMap<StoreSide, readonly StoreSample[]>
  readonly scans: readonly { readonly table: string; readonly count: number }[]
  readonly size: { readonly filling: { readonly credentials: number; readonly messages: number } }
}

export const storeTables = ({ samples, pushes, empty, full, pair, scans, size }: Measured): string => {
  const all = [...samples]
  const { credentials, messages } = size.filling
  return [
    ...head('Whole sign-ins, 16 people', 'Per second', '95 %', 'p50', 'p99', 'Rounds'),
    ...all.map(([{ name }, own]) => rateRow(name, own)),
    '',
    ...head('Processor time of a sign-in', 'Service', 'Bench', 'Database', 'Client', 'All', 'What limits'),
    ...all.map(([{ name }, own]) => partsRow(name, own)),
    '',
    `“Full” has ${number(credentials)} credentials and ${number(messages)} live messages. ${slowdown(pair.get(empty) ?? [], pair.get(full) ?? [])}`,
    scanSentence(scans),
    '',
    ...head('A push, from the RP’s request at one process to the phone’s inbox at another', 'p50', 'p99', 'Pushes'),
    ...[...pushes].map(([{ name }, took]) =>
      row(name, `${number(quantile(took, 0.5), 1)} ms`, `${number(quantile(took, 0.99), 1)} ms`, String(took.length)),
    ),
    '',
  ].join('\n')
}

const rateRow = (name: string, own: readonly StoreSample[]): string => {
  const rates = own.map(({ perSecond }) => perSecond)
  const latencies = own.flatMap((sample) => sample.latencies)
  const at = (q: number): string => `${number(quantile(latencies, q), 1)} ms`
  return row(name, number(median(rates)), range(medianInterval(rates)), at(0.5), at(0.99), String(own.length))
}

const PARTS = ['service', 'bench', 'database', 'client'] as const satisfies readonly (keyof Parts)[]

const partsRow = (name: string, own: readonly StoreSample[]): string => {
  const of = (part: keyof Parts): number | undefined => {
    const values = own.flatMap(({ parts }) => parts[part] ?? [])
    return values.length === 0 ? undefined : median(values)
  }
  const figures = PARTS.map(of)
  const whole = figures.reduce<number>((sum, value) => sum + (value ?? 0), 0)
  const cells = [...figures, whole].map((value) => (value === undefined ? '–' : `${number(value, 2)} ms`))
  return row(name, ...cells, limitOf(own))
}

const NEARLY_ALL = 0.9

/** One thread does the work of a service's process: its processor is the limit before the machine is. */
const limitOf = (own: readonly StoreSample[]): string => {
  const [busiest, together] = [median(own.map((each) => each.busiest)), median(own.map((each) => each.together))]
  const told = `busiest process ${number(busiest * 100)} % of a processor, all parts ${number(together * 100)} % of the machine`
  if (busiest >= NEARLY_ALL) return `the service’s thread: ${told}`
  if (together >= NEARLY_ALL) return `the machine: ${told}`
  return `other programs or waiting for the disk: ${told}`
}

/** Of the full store to the new one, a ratio for each round. */
export const storeRatios = (empty: readonly StoreSample[], full: readonly StoreSample[]) => {
  const ratios = (figure: (sample: StoreSample) => number): readonly number[] =>
    full.map((sample, i) => figure(sample) / figure(empty[i] ?? sample))
  return {
    rates: ratios(({ perSecond }) => perSecond),
    costs: ratios(({ parts }) => parts.service + (parts.database ?? 0)),
  }
}

const slowdown = (empty: readonly StoreSample[], full: readonly StoreSample[]): string => {
  const { rates, costs } = storeRatios(empty, full)
  return `It does ${percent(median(rates))} of the sign-ins of the new one (95 %: ${range(medianInterval(rates), 2)}), for ${percent(median(costs))} of the processor time of service and database (95 %: ${range(medianInterval(costs), 2)}), in ${rates.length} rounds: ${SLOWDOWN_WORDS[slowdownOf({ rates, costs })]}.`
}

const percent = (ratio: number): string => `${number(ratio * 100)} %`

const scanSentence = (scans: Measured['scans']): string => {
  const found = scans.filter(({ count }) => count > 0)
  return found.length === 0
    ? `Meanwhile the server read none of its tables above 10,000 rows (${scans.map(({ table }) => table).join(', ')}) as a whole.`
    : `Meanwhile the server read whole tables above 10,000 rows: **${found.map(({ table, count }) => `${table} ${count} times`).join(', ')}**.`
}
