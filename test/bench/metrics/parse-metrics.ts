export type Sample = {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Reads Prometheus' text format, strictly: each line is a comment of a family or one sample of it. */
export const parseMetrics = (text: string) => {
  const types = new Map<string, string>()
  const samples: Sample[] = []
  for (const line of text.split('\n').slice(0, -1)) {
    const type = /^# TYPE ([a-z0-9_]+) (counter|gauge|histogram)$/.exec(line)
    if (type !== null) types.set(type[1] ?? '', type[2] ?? '')
    else if (!line.startsWith('# HELP ')) samples.push(parseSample(line))
  }
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  const valueAt = (name: string, labels: Sample['labels']): number | undefined => {
    const wanted = JSON.stringify(Object.entries(labels).sort())
    return samples.find((one) => one.name === name && JSON.stringify(Object.entries(one.labels).sort()) === wanted)
      ?.value
  }
  return { samples, valueAt, typeOf: (name: string) => types.get(name) }
}

const parseSample = (line: string): Sample => {
  const found = /^([a-z0-9_]+)(?:\{(.*)\})? (\S+)$/.exec(line)
  const value = Number(found?.[3])
  if (found === null || Number.isNaN(value)) throw new Error(`this is no sample: ${line}`)
  const labels: Record<string, string> = {}
  const pairs = /([a-z0-9_]+)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/gy
  for (let rest = found[2] ?? ''; rest !== ''; ) {
    const pair = pairs.exec(found[2] ?? '')
    if (pair === null) throw new Error(`this is no label: ${rest}`)
    labels[pair[1] ?? ''] = (pair[2] ?? '').replace(/\\(.)/g, (_, escaped: string) =>
      escaped === 'n' ? '\n' : escaped,
    )
    rest = (found[2] ?? '').slice(pairs.lastIndex)
  }
  return { name: found[1] ?? '', labels, value }
}
