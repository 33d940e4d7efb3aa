import { readdirSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { errorNameOf } from '../../core/contract/errors.ts'
import type { Observe } from '../../core/contract/events.ts'
import type { Log } from '../../core/protocol/log.ts'
import { orNothing } from '../../core/protocol/result.ts'
import type { PoolFigures } from '../../service/store/store.ts'

type Figures = { readonly pool: PoolFigures | undefined; readonly workspaces: number | undefined }

/** Labels come from closed tables, never from a caller; no workspace, user or key is among them. */
export const createMetrics = (version: string) => {
  const requests = createCounter({
    name: 'handset_requests_total',
    help: 'Requests that were answered, by the route and the code of the answer.',
    labels: ['interface', 'route', 'method', 'status', 'code'],
  })
  const seconds = createHistogram({
    name: 'handset_request_seconds',
    help: 'How long requests took to answer.',
    labels: ['interface', 'route'],
  })
  const messages = createCounter({
    name: 'handset_messages_total',
    help: 'Messages that came into a state.',
    labels: ['ceremony', 'state'],
  })
  const verdicts = createCounter({
    name: 'handset_verdicts_total',
    help: 'Ceremonies that were judged, and by which word those that were refused.',
    labels: ['ceremony', 'verdict', 'word'],
  })
  const pushes = createCounter({ name: 'handset_pushes_total', help: 'Pushes to phones.', labels: ['stage'] })
  const troubles = createCounter({
    name: 'handset_log_lines_total',
    help: 'Lines of the log that tell of trouble.',
    labels: ['level'],
  })

  return {
    /** Returns a log that also counts its lines. */
    reading:
      (log: Log): Log =>
      (line) => {
        if (line.level === 'error' || line.level === 'warn') troubles.add([line.level])
        const side = INTERFACES[line.event]
        if (side !== undefined) {
          const route = String(line.call ?? line.route ?? '')
          const { code = 0, status = 0, method = '', took_us } = line
          requests.add([
            side,
            route,
            METHODS.has(String(method)) ? String(method) : 'other',
            String(status),
            code === 0 || errorNameOf(Number(code)) !== undefined ? String(code) : 'other',
          ])
          if (typeof took_us === 'number') seconds.observe([side, route], took_us / 1e6)
        }
        log(line)
      },
    /** Returns an `observe` that also counts its events. Each process counts only its own. */
    seeing:
      (observe: Observe): Observe =>
      (workspace, draft, at) => {
        if (draft.kind === 'message') messages.add([draft.ceremony, draft.to])
        else if (draft.kind === 'push') pushes.add([draft.stage])
        else if (draft.kind === 'verdict') {
          verdicts.add([draft.ceremony, draft.accepted ? 'accepted' : 'refused', draft.failure?.word ?? ''])
        }
        observe(workspace, draft, at)
      },
    text: ({ pool, workspaces }: Figures): string =>
      [
        gaugesText({ name: 'handset_build_info', help: 'The version that runs.' }, 'version', { [version]: 1 }),
        gaugeText({ name: 'handset_workspaces', help: 'Workspaces that are open.' }, workspaces),
        ...[requests, seconds, messages, verdicts, pushes, troubles].map((family) => family.text()),
        pool === undefined ? '' : poolText(pool),
        processText(),
      ].join(''),
  }
}

const poolText = ({ most, open, idle, waiting }: PoolFigures): string =>
  gaugesText(
    {
      name: 'handset_database_connections',
      help: 'Connections to the database: the most there may be, those that work and those that are idle.',
    },
    'state',
    { most, busy: open - idle, idle },
  ) + gaugeText({ name: 'handset_database_waiting', help: 'Requests that wait for a connection.' }, waiting)

/** Interfaces by the event of the log line. */
const INTERFACES: Readonly<Record<string, string>> = {
  'rp request': 'rp',
  'app request': 'app',
  'control request': 'control',
  'page request': 'page',
  'request refused': 'none',
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

let delay: ReturnType<typeof createDelayMonitor> | undefined

/** Resources of the process, under their usual metric names. The event loop is watched from the first call on. */
const processText = (): string => {
  const { rss, heapUsed, heapTotal } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  delay ??= createDelayMonitor()
  const seconds = { name: 'process_cpu_seconds_total', help: 'Processor time, user and system.' }
  const gauges = {
    process_resident_memory_bytes: ['Resident memory.', rss],
    process_start_time_seconds: ['When it was started, since 1970.', performance.timeOrigin / 1e3],
    process_open_fds: ['Open files and sockets.', openFiles()],
    nodejs_heap_used_bytes: ['Heap in use.', heapUsed],
    nodejs_heap_total_bytes: ['Heap that is reserved.', heapTotal],
    nodejs_eventloop_delay_p99_seconds: ['How late the event loop was, over the last one to two minutes.', delay.p99()],
  } as const
  const texts = Object.entries(gauges).map(([name, [help, value]]) => gaugeText({ name, help }, value))
  return gaugeText(seconds, (user + system) / 1e6, 'counter') + texts.join('')
}

const openFiles = (): number | undefined => orNothing(() => readdirSync('/proc/self/fd').length)

type Histogram = Pick<ReturnType<typeof monitorEventLoopDelay>, 'count' | 'percentile' | 'reset'>

type Wanted = { readonly watch?: () => Histogram; readonly every?: (ms: number, change: () => void) => void }

/** Prometheus reads at this interval by default: no delay is missed between two readings. */
export const DELAY_WINDOW_MS = 60_000
const RESOLUTION_MS = 20
const NANOSECONDS_PER_SECOND = 1e9

/** Two histograms are emptied in turn; the one that covers more time is read, so all readers see one value. */
export const createDelayMonitor = ({ watch = watchLoop, every = everyUnref }: Wanted = {}) => {
  let [older, younger] = [watch(), watch()]
  every(DELAY_WINDOW_MS, () => {
    older.reset()
    ;[older, younger] = [younger, older]
  })
  return {
    /**
     * The 99th percentile in seconds over the last one to two windows. Node records the time between two samples, which
     * equals the resolution if nothing is late; so the resolution is subtracted.
     */
    p99: () =>
      older.count === 0 ? 0 : Math.max(0, older.percentile(99) / NANOSECONDS_PER_SECOND - RESOLUTION_MS / 1_000),
  }
}

const watchLoop = (): Histogram => {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  histogram.enable()
  return histogram
}

const everyUnref = (ms: number, change: () => void): void => void setInterval(change, ms).unref()

/** Label values of a series, in the order of the family's names. Prometheus' text format, version 0.0.4. */
type Labels = readonly string[]

type About = { readonly name: string; readonly help: string }
type Family = About & { readonly labels: Labels }

/** Maximum number of series of a family. Further values count as `other`, so no caller can grow it without end. */
export const MAX_SERIES = 2_000
const OTHER = 'other'

/** A tree with one level per label: joining labels into one key per request costs more than the lookups. */
type Branch<T> = { readonly next: Map<string, Branch<T>>; value?: T }

const createSeries = <T>(count: number, make: () => T) => {
  const root: Branch<T> = { next: new Map() }
  const series: { readonly labels: Labels; readonly value: T }[] = []
  const others: Labels = new Array<string>(count).fill(OTHER)
  const begin = (labels: Labels): T => {
    let branch = root
    for (const label of labels) {
      const next: Branch<T> = branch.next.get(label) ?? { next: new Map() }
      branch.next.set(label, next)
      branch = next
    }
    const value = make()
    branch.value = value
    series.push({ labels, value })
    return value
  }
  const of = (labels: Labels): T => {
    let known: Branch<T> | undefined = root
    for (const label of labels) known = known?.next.get(label)
    if (known?.value !== undefined) return known.value
    return series.length >= MAX_SERIES && labels !== others ? of(others) : begin(labels)
  }
  return { of, all: () => series }
}

export const createCounter = ({ labels: names, ...about }: Family) => {
  const series = createSeries(names.length, () => ({ count: 0 }))
  return {
    add: (labels: Labels): void => {
      series.of(labels).count++
    },
    text: (): string => {
      const samples = series.all().map(({ labels, value }) => sample(about.name, names, labels, value.count))
      return familyText(about, 'counter', samples)
    },
  }
}

const gaugeText = (about: About, value: number | undefined, type: 'gauge' | 'counter' = 'gauge'): string =>
  value === undefined ? '' : familyText(about, type, [sample(about.name, [], [], value)])

const gaugesText = (about: About, label: string, values: Readonly<Record<string, number>>): string => {
  const samples = Object.entries(values).map(([of, value]) => sample(about.name, [label], [of], value))
  return familyText(about, 'gauge', samples)
}

/** In seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export const createHistogram = ({ labels: names, ...about }: Family) => {
  const { name } = about
  const series = createSeries(names.length, () => ({
    buckets: new Array<number>(BUCKETS.length).fill(0),
    count: 0,
    sum: 0,
  }))
  return {
    observe: (labels: Labels, seconds: number): void => {
      const value = series.of(labels)
      value.count++
      value.sum += seconds
      let at = 0
      while (seconds > (BUCKETS[at] ?? Number.POSITIVE_INFINITY)) at++
      if (at < BUCKETS.length) value.buckets[at] = (value.buckets[at] ?? 0) + 1
    },
    text: (): string => {
      const samples = series.all().flatMap(({ labels, value: { buckets, count, sum } }) => {
        let below = 0
        const rows = BUCKETS.map((most, i) => {
          below += buckets[i] ?? 0
          return sample(`${name}_bucket`, [...names, 'le'], [...labels, String(most)], below)
        })
        return [
          ...rows,
          sample(`${name}_bucket`, [...names, 'le'], [...labels, '+Inf'], count),
          sample(`${name}_sum`, names, labels, sum),
          sample(`${name}_count`, names, labels, count),
        ]
      })
      return familyText(about, 'histogram', samples)
    },
  }
}

const familyText = ({ name, help }: About, type: string, samples: readonly string[]): string =>
  `# HELP ${name} ${help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')}\n# TYPE ${name} ${type}\n${samples.join('')}`

const sample = (name: string, names: readonly string[], labels: Labels, value: number): string => {
  const pairs = names.map((label, i) => `${label}="${escaped(labels[i] ?? '')}"`)
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`
}

const escaped = (text: string): string => text.replace(/[\\"\n]/g, (found) => (found === '\n' ? '\\n' : `\\${found}`))
