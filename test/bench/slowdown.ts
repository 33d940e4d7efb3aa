import { medianInterval } from './statistics.ts'

/** Whether the full store is slower than the new one by more than ten percent; open where the interval has room for both. */
export type Slowdown = 'none' | 'none_by_cost' | 'slower' | 'open'

type Ratios = {
  /** What is done in a second. */
  readonly rates: readonly number[]
  /** Processor time, which other programs disturb less: either of them may tell. */
  readonly costs?: readonly number[]
}

/** Ratios of the full store to the new one. */
export const slowdownOf = ({ rates, costs = [] }: Ratios): Slowdown => {
  const [rate, cost] = [medianInterval(rates), medianInterval(costs)]
  if (rate.high < 0.9 || cost.low > 1.1) return 'slower'
  if (rate.low >= 0.9) return 'none'
  return cost.high <= 1.1 ? 'none_by_cost' : 'open'
}

export const SLOWDOWN_WORDS: Readonly<Record<Slowdown, string>> = {
  none: 'no slowdown past 10 %',
  none_by_cost: 'no slowdown past 10 % by processor time; by rate the interval reaches past it',
  slower: '**slower**',
  open: '**open**: the intervals reach past 10 % and do not lie past it',
}
