/** The metric types of Prometheus' text format, version 0.0.4, as far as they are used. */
export type Labels = readonly string[]

export type Family = { text(): string }

type About = { readonly name: string; readonly help: string; readonly labels?: readonly string[] }

/** Beyond that, further values are counted under labels that all say `other`: no caller can grow a family without end. */
export const MOST_SERIES = 2_000
const OTHER = 'other'

/** By one label after the other: to put them together into one key for each request costs more than to look them up. */
type Branch<T> = { readonly next: Map<string, Branch<T>>; value?: T }

const createSeries = <T>(count: number, make: () => T) => {
  const root: Branch<T> = { next: new Map() }
  const series: { readonly labels: Labels; readonly value: T }[] = []
  const others: Labels = new Array<string>(count).fill(OTHER)
  const find = (labels: Labels): T | undefined => {
    let branch: Branch<T> | undefined = root
    for (const label of labels) branch = branch?.next.get(label)
    return branch?.value
  }
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
    const known = find(labels)
    if (known !== undefined) return known
    return series.length >= MOST_SERIES && labels !== others ? of(others) : begin(labels)
  }
  return { of, all: () => series }
}

export const createCounter = (about: About): Family & { add(labels: Labels, by?: number): void } => {
  const { labels: names = [] } = about
  const series = createSeries(names.length, () => ({ count: 0 }))
  if (names.length === 0) series.of([])
  return {
    add: (labels, by = 1) => {
      series.of(labels).count += by
    },
    text: () =>
      familyText(
        about,
        'counter',
        series.all().map(({ labels, value }) => sample(about.name, names, labels, value.count)),
      ),
  }
}

/** Read when it is asked for. */
export const gaugeText = (about: About, value: number | undefined, type: 'gauge' | 'counter' = 'gauge'): string =>
  value === undefined ? '' : familyText(about, type, [sample(about.name, [], [], value)])

export const labelledGaugeText = (about: About, values: readonly (readonly [Labels, number])[]): string =>
  values.length === 0
    ? ''
    : familyText(
        about,
        'gauge',
        values.map(([labels, value]) => sample(about.name, about.labels ?? [], labels, value)),
      )

/** In seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export const createHistogram = (about: About): Family & { observe(labels: Labels, seconds: number): void } => {
  const { labels: names = [], name } = about
  const series = createSeries(names.length, () => ({
    buckets: new Array<number>(BUCKETS.length).fill(0),
    count: 0,
    sum: 0,
  }))
  return {
    observe: (labels, seconds) => {
      const value = series.of(labels)
      value.count++
      value.sum += seconds
      const at = BUCKETS.findIndex((most) => seconds <= most)
      if (at >= 0) value.buckets[at] = (value.buckets[at] ?? 0) + 1
    },
    text: () =>
      familyText(
        about,
        'histogram',
        series.all().flatMap(({ labels, value: { buckets, count, sum } }) => {
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
        }),
      ),
  }
}

const familyText = ({ name, help }: About, type: string, samples: readonly string[]): string =>
  `# HELP ${name} ${help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')}\n# TYPE ${name} ${type}\n${samples.join('')}`

const sample = (name: string, names: readonly string[], labels: Labels, value: number): string => {
  const pairs = names.map((label, i) => `${label}="${escaped(labels[i] ?? '')}"`)
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}\n`
}

const escaped = (text: string): string => text.replace(/[\\"\n]/g, (found) => (found === '\n' ? '\\n' : `\\${found}`))
