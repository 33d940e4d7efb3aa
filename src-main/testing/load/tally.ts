import type { LoadReport } from '../../core/contract/load-report.ts'
import { CEREMONIES, type Ceremony, type CeremonyFailure, type CeremonyOutcome, STEPS } from './load-plan.ts'

export type Percentiles = NonNullable<LoadReport['latency']['all']>

type Counts = LoadReport['counts']

export type Tally = ReturnType<typeof createTally>
type Figures = Pick<LoadReport, 'counts' | 'latency' | 'steps' | 'failures' | 'timeline' | 'curve'>
/** `latencyMs` counts from the scheduled arrival. */
type Times = { readonly arrivalMs: number; readonly latencyMs: number }

/** Maximum number of points of a chart: it has no room for more. */
const MAX_SLICES = 300
/** Maximum number of kinds of failures: a service may answer with any number as its code. */
const MAX_FAILURES = 100
const CURVE = [
  0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.97, 0.98, 0.99, 0.995, 0.999, 0.9999, 1,
]

type Slice = { arrived: number; done: number; failed: number; dropped: number; readonly latency: Histogram }

/** All figures of a load, in memory that does not grow with it. */
export const createTally = ({ durationMs }: { readonly durationMs: number }) => {
  const sliceMs = Math.max(1000, Math.ceil(durationMs / MAX_SLICES / 1000) * 1000)
  const count = Math.max(1, Math.ceil(durationMs / sliceMs))
  const slices = Array.from({ length: count }, () => emptySlice())
  const sliceAt = (atMs: number): Slice =>
    slices[Math.min(count - 1, Math.max(0, Math.floor(atMs / sliceMs)))] ?? emptySlice()
  const all = createHistogram()
  const late = createHistogram()
  const byCeremony = { register: createHistogram(), auth: createHistogram() }
  const bySteps = CEREMONIES.map((ceremony) => ({
    ceremony,
    steps: STEPS.map((step) => ({ step, latency: createHistogram() })),
  }))
  const failures = new Map<string, { ceremony: Ceremony; count: number } & CeremonyFailure>()
  const counts = { arrived: 0, done: 0, failed: 0, dropped: 0, registered: 0, signed_in: 0 }

  const addFailure = (ceremony: Ceremony, { step, code }: CeremonyFailure): void => {
    const wanted = `${ceremony} ${step} ${code}`
    const fits = failures.has(wanted) || failures.size < MAX_FAILURES
    const key = fits ? wanted : 'others'
    const known = failures.get(key) ?? { ceremony, step, code: fits ? code : 'others', count: 0 }
    failures.set(key, { ...known, count: known.count + 1 })
  }

  return {
    arrived: (atMs: number): void => {
      counts.arrived += 1
      sliceAt(atMs).arrived += 1
    },
    /** No user was free to begin the ceremony. */
    dropped: (atMs: number): void => {
      counts.dropped += 1
      sliceAt(atMs).dropped += 1
    },
    /** Records how late the client began a ceremony; its latency includes this time. */
    begun: (lateMs: number): void => late.record(lateMs * 1000),
    ended: (ceremony: Ceremony, { steps, failure }: CeremonyOutcome, { arrivalMs, latencyMs }: Times): void => {
      // A ceremony counts at its arrival, so one that a pause delays is shown at the time of the pause.
      const slice = sliceAt(arrivalMs)
      const parts = bySteps.find((each) => each.ceremony === ceremony)?.steps ?? []
      for (const [name, ms] of steps) parts.find(({ step }) => step === name)?.latency.record(ms * 1000)
      if (failure !== undefined) {
        counts.failed += 1
        slice.failed += 1
        addFailure(ceremony, failure)
        return
      }
      counts.done += 1
      counts[ceremony === 'auth' ? 'signed_in' : 'registered'] += 1
      slice.done += 1
      for (const histogram of [all, byCeremony[ceremony], slice.latency]) histogram.record(latencyMs * 1000)
    },
    counts: (): Counts => ({ ...counts }),
    /** Latencies of all ceremonies that were done, and the client's lateness, in ms. */
    soFar: () => ({
      p50: milliseconds(all.quantile(0.5)),
      p99: milliseconds(all.quantile(0.99)),
      lateP99: milliseconds(late.quantile(0.99)),
    }),
    figures: (): Figures => ({
      counts: { ...counts },
      latency: {
        ...percentilesAs('all', all),
        ...percentilesAs('register', byCeremony.register),
        ...percentilesAs('auth', byCeremony.auth),
        ...percentilesAs('late', late),
      },
      steps: bySteps.flatMap(({ ceremony, steps }) =>
        steps.flatMap(({ step, latency }) =>
          latency.count() === 0 ? [] : [{ ceremony, step, ...percentilesOf(latency) }],
        ),
      ),
      failures: [...failures.values()].toSorted((a, b) => b.count - a.count),
      timeline: slices.map(({ latency, ...slice }, i) => ({
        at_ms: i * sliceMs,
        ...slice,
        ...(latency.count() === 0
          ? {}
          : {
              p50_ms: milliseconds(latency.quantile(0.5)),
              p99_ms: milliseconds(latency.quantile(0.99)),
              max_ms: milliseconds(latency.max()),
            }),
      })),
      curve: all.count() === 0 ? [] : CURVE.map((share) => ({ share, ms: milliseconds(all.quantile(share)) })),
    }),
  }
}

/** Precise to 2 %, enough for a chart. */
const emptySlice = (): Slice => ({
  ...{ arrived: 0, done: 0, failed: 0, dropped: 0 },
  latency: createHistogram({ exact: 64 }),
})

const percentilesAs = (name: string, histogram: Histogram) =>
  histogram.count() === 0 ? {} : { [name]: percentilesOf(histogram) }

const percentilesOf = (histogram: Histogram): Percentiles => ({
  count: histogram.count(),
  min_ms: milliseconds(histogram.min()),
  mean_ms: milliseconds(histogram.mean()),
  p50_ms: milliseconds(histogram.quantile(0.5)),
  p90_ms: milliseconds(histogram.quantile(0.9)),
  p95_ms: milliseconds(histogram.quantile(0.95)),
  p99_ms: milliseconds(histogram.quantile(0.99)),
  p999_ms: milliseconds(histogram.quantile(0.999)),
  max_ms: milliseconds(histogram.max()),
})

const milliseconds = (micros: number): number => Math.round(micros) / 1000

type Histogram = ReturnType<typeof createHistogram>

const LONGEST = 2 ** 32 - 1

/**
 * Counts of durations in a fixed amount of memory, up to an hour: by default exact to 1 µs below 1 ms, to 0.2 % above.
 * Each µs below `exact`, a power of two, has its own counter; each doubling above it has `exact / 2` counters.
 */
export const createHistogram = ({ exact = 1024 }: { readonly exact?: number } = {}) => {
  const half = exact / 2
  const bits = Math.log2(exact)
  const counts = new Uint32Array(exact + (32 - bits) * half)

  const slotOf = (micros: number): number => {
    if (micros < exact) return micros
    const doublings = 32 - Math.clz32(micros) - bits
    return exact + (doublings - 1) * half + ((micros >>> doublings) - half)
  }

  /** The largest value of a slot: the reported value is never less than the measured one. */
  const topOf = (slot: number): number => {
    if (slot < exact) return slot
    const doublings = Math.floor((slot - exact) / half) + 1
    return (half + ((slot - exact) % half) + 1) * 2 ** doublings - 1
  }

  let count = 0
  let sum = 0
  let min = Number.NaN
  let max = Number.NaN
  return {
    record: (micros: number): void => {
      const value = Math.min(LONGEST, Math.max(0, Math.round(micros)))
      const slot = slotOf(value)
      counts[slot] = (counts[slot] ?? 0) + 1
      min = count === 0 ? value : Math.min(min, value)
      max = count === 0 ? value : Math.max(max, value)
      count += 1
      sum += value
    },
    count: () => count,
    /** In µs, like the three below; NaN if nothing was recorded. */
    min: () => min,
    max: () => max,
    mean: () => sum / count,
    /** The smallest value that this share of all values does not exceed. */
    quantile: (share: number): number => {
      const rank = Math.max(1, Math.ceil(share * count))
      let seen = 0
      for (let slot = 0; slot < counts.length; slot++) {
        seen += counts[slot] ?? 0
        if (seen >= rank) return Math.min(topOf(slot), max)
      }
      return max
    },
  }
}
