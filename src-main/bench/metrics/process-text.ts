import { readdirSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { gaugeText } from './instruments.ts'

let delay: LoopDelay | undefined

/** What a process uses, under the names that other programs give it. The event loop is watched from the first time on. */
export const processText = (): string => {
  const { rss, heapUsed, heapTotal } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  delay ??= createLoopDelay()
  return [
    gaugeText(
      { name: 'process_cpu_seconds_total', help: 'Processor time, user and system.' },
      (user + system) / 1e6,
      'counter',
    ),
    gaugeText({ name: 'process_resident_memory_bytes', help: 'Resident memory.' }, rss),
    gaugeText(
      { name: 'process_start_time_seconds', help: 'When it was started, since 1970.' },
      performance.timeOrigin / 1e3,
    ),
    gaugeText({ name: 'process_open_fds', help: 'Open files and sockets.' }, openFiles()),
    gaugeText({ name: 'nodejs_heap_used_bytes', help: 'Heap in use.' }, heapUsed),
    gaugeText({ name: 'nodejs_heap_total_bytes', help: 'Heap that is reserved.' }, heapTotal),
    gaugeText(
      {
        name: 'nodejs_eventloop_delay_p99_seconds',
        help: 'How late the event loop was, over the last one to two minutes.',
      },
      delay.p99(),
    ),
  ].join('')
}

const openFiles = (): number | undefined => {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return undefined
  }
}

type Histogram = Pick<ReturnType<typeof monitorEventLoopDelay>, 'count' | 'percentile' | 'reset'>

type LoopDelay = {
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
