import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchEvent } from '../../src-main/core/contract/events.ts'
import type { RunReport } from '../../src-main/core/contract/run-report.ts'
import { readTrace } from './read-trace.ts'
import { taken } from './taken.ts'

/** Readings of real time, in any field: the only values that may differ between two runs of one seed. */
const WALL_FIELDS = new Set(['wall', 'took_us'])

export const withoutWallTimes = (event: BenchEvent): unknown =>
  JSON.parse(JSON.stringify(event, (key, value) => (WALL_FIELDS.has(key) ? undefined : value)))

/** Of each workspace of a run with `--trace on`, its events without what depends on real time, one text each. */
export const eventStreams = async (out: string): Promise<ReadonlyMap<string, readonly string[]>> => {
  const report: RunReport = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'))
  const streams = new Map<string, readonly string[]>()
  for (const { id, attempts } of report.scenarios) {
    for (const [i, { trace }] of attempts.entries()) {
      if (trace === undefined) continue
      const { events } = taken(await readTrace(new Blob([readFileSync(join(out, trace))]).stream()))
      streams.set(
        `${id} ${i}`,
        events.map((event) => JSON.stringify(withoutWallTimes(event))),
      )
    }
  }
  return streams
}

export type Difference = { readonly id: string; readonly at: number; readonly one: string; readonly other: string }

/** Where the streams of two runs first differ, for each workspace in which they do. */
export const differencesOf = (
  one: ReadonlyMap<string, readonly string[]>,
  other: ReadonlyMap<string, readonly string[]>,
): readonly Difference[] =>
  [...new Set([...one.keys(), ...other.keys()])].flatMap((id) => {
    const [a, b] = [one.get(id) ?? [], other.get(id) ?? []]
    const at = Array.from({ length: Math.max(a.length, b.length) }, (_, i) => i).find((i) => a[i] !== b[i])
    return at === undefined ? [] : [{ id, at, one: a[at] ?? 'nothing', other: b[at] ?? 'nothing' }]
  })

/** One short text for all streams of a run. */
export const hashOf = (streams: ReadonlyMap<string, readonly string[]>): string =>
  createHash('sha256')
    .update(JSON.stringify([...streams].toSorted()))
    .digest('hex')
    .slice(0, 16)
