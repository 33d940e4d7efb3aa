import { monitorEventLoopDelay } from 'node:perf_hooks'

type Histogram = Pick<ReturnType<typeof monitorEventLoopDelay>, 'count' | 'percentile' | 'reset'>

export type LoopDelay = {
  /** In seconds, over the last one to two windows. Reading it changes nothing. */
  p99(): number
}

type Wanted = {
  readonly watch?: () => Histogram
  readonly every?: (ms: number, change: () => void) => void
}

/** Prometheus reads once in this time unless it is told otherwise: no delay falls between two readings. */
export const WINDOW_MS = 60_000
const RESOLUTION_MS = 20
const NANOSECONDS = 1e9

/**
 * How late the event loop is. Two histograms are emptied in turn, one with each window, and the one that has seen more
 * is read: any number of readers see the same.
 */
export const createLoopDelay = ({ watch = watchLoop, every = everyUnref }: Wanted = {}): LoopDelay => {
  let [older, younger] = [watch(), watch()]
  every(WINDOW_MS, () => {
    older.reset()
    ;[older, younger] = [younger, older]
  })
  return {
    // Node records the time from one sample to the next, which is the resolution where nothing is late.
    p99: () => (older.count === 0 ? 0 : Math.max(0, older.percentile(99) / NANOSECONDS - RESOLUTION_MS / 1_000)),
  }
}

const watchLoop = (): Histogram => {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  return histogram
}

const everyUnref = (ms: number, change: () => void): void => void setInterval(change, ms).unref()
