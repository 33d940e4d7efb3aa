import { cpuMs } from '../child.ts'
import { signInFor } from '../people.ts'
import type { StoreSide } from './sides.ts'

/** Processor time for each sign-in, in ms; undefined where there is no such part. */
export type Parts = {
  readonly service: number
  readonly bench: number | undefined
  readonly database: number | undefined
  readonly client: number
}

export type StoreSample = {
  readonly perSecond: number
  readonly latencies: readonly number[]
  readonly parts: Parts
  /** Share of one processor that the busiest process of the service used, and of all processors that all parts used. */
  readonly busiest: number
  readonly together: number
}

/** Whole sign-ins at each of them in turn, each round beginning with another one. A first round only warms up. */
export const measureInTurn = async (
  sides: readonly StoreSide[],
  { rounds, seconds, cores }: { readonly rounds: number; readonly seconds: number; readonly cores: number },
): Promise<ReadonlyMap<StoreSide, readonly StoreSample[]>> => {
  const samples = new Map<StoreSide, StoreSample[]>(sides.map((side) => [side, []]))
  for (let round = -1; round < rounds; round++) {
    for (let turn = 0; turn < sides.length; turn++) {
      const side = sides[(turn + round + sides.length) % sides.length]
      if (side === undefined) continue
      const sample = await measure(side, { seconds, cores })
      if (round >= 0) samples.get(side)?.push(sample)
    }
  }
  return samples
}

const measure = async (
  side: StoreSide,
  { seconds, cores }: { readonly seconds: number; readonly cores: number },
): Promise<StoreSample> => {
  const before = read(side)
  const { perSecond, latencies, took } = await signInFor(side.people, seconds)
  const after = read(side)
  const each = (ms: number): number => ms / latencies.length
  const services = after.services.map((ms, i) => ms - (before.services[i] ?? 0))
  const service = sum(services)
  const bench = difference(before.bench, after.bench)
  const database = difference(before.database, after.database)
  const client = after.client - before.client
  return {
    perSecond,
    latencies,
    parts: {
      service: each(service),
      bench: bench === undefined ? undefined : each(bench),
      database: database === undefined ? undefined : each(database),
      client: each(client),
    },
    busiest: Math.max(...services) / (took * 1000),
    together: (service + (bench ?? 0) + (database ?? 0) + client) / (took * 1000 * cores),
  }
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

const difference = (before: number | undefined, after: number | undefined): number | undefined =>
  before === undefined || after === undefined ? undefined : after - before

const read = ({ services, bench, databaseMs }: StoreSide) => {
  const { user, system } = process.cpuUsage()
  return {
    services: services.map((pid) => cpuMs(pid) ?? Number.NaN),
    bench: bench === undefined ? undefined : cpuMs(bench),
    database: databaseMs(),
    client: (user + system) / 1000,
  }
}
