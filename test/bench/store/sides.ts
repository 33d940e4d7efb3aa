import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestPostgres } from '../../support/postgres/start-postgres.ts'
import { type Ready, type Started, startLogging } from '../child.ts'
import { makePeople, ORIGIN, type Person } from '../people.ts'
import { type Filling, fillPostgres } from './fill-postgres.ts'
import { processorTreeMs } from './processors.ts'

/** A Handset with people who sign in, and what uses processors for it. */
export type StoreSide = {
  readonly name: string
  readonly people: readonly Person[]
  /** Processes of the service; of the bench beside them where it is apart; the database's processor time so far. */
  readonly services: readonly number[]
  readonly bench: number | undefined
  readonly databaseMs: () => number | undefined
  readonly url: string | undefined
  stop(): Promise<void>
}

const RP = ['--rp-id', 'shop.example', '--origin', ORIGIN]
const PEOPLE = 16

export const sqliteSide = async (data: string): Promise<StoreSide> => {
  const { ready, stop } = await startLogging(['--data', data, ...RP])
  return {
    name: 'SQLite, one process',
    people: await makePeople(ready, PEOPLE),
    services: [ready.pid],
    bench: undefined,
    databaseMs: () => undefined,
    url: undefined,
    stop,
  }
}

/** One process is service and bench in one; several have a bench beside them. */
export const postgresSide = async (
  server: TestPostgres,
  { processes, name, filling }: { readonly processes: number; readonly name: string; readonly filling?: Filling },
): Promise<StoreSide> => {
  const url = `${server.url}?schema=bench_${processes}${filling === undefined ? '' : '_full'}`
  const started = await (processes === 1 ? together(url) : apart(url, processes))
  if (filling !== undefined) await fillPostgres(url, filling)
  const postmaster = Number(readFileSync(join(server.folder, 'data/postmaster.pid'), 'utf8').split('\n')[0])
  const { key, ports, services, bench, stop } = started
  return {
    ...{ name, services, bench, stop, url },
    people: await makePeople(key, PEOPLE, ports),
    databaseMs: () => processorTreeMs(postmaster),
  }
}

type StartedSide = Pick<StoreSide, 'services' | 'bench' | 'stop'> & {
  readonly key: Ready
  readonly ports: readonly number[]
}

const portOf = ({ base_url }: Pick<Ready, 'base_url'>): number => Number(new URL(base_url).port)

const together = async (url: string): Promise<StartedSide> => {
  const { ready, stop } = await startLogging(['--store', url, ...RP])
  return { key: ready, ports: [portOf(ready)], services: [ready.pid], bench: undefined, stop }
}

const apart = async (url: string, processes: number): Promise<StartedSide> => {
  const services: Started<Ready>[] = []
  for (let n = 0; n < processes; n++) services.push(await startLogging(['--store', url, '--role', 'service']))
  const [first] = services
  const origin = `http://localhost:${first === undefined ? 0 : portOf(first.ready)}`
  const bench = await startLogging(['--store', url, '--role', 'bench', '--service-url', origin, ...RP])
  return {
    key: bench.ready,
    ports: services.map(({ ready }) => portOf(ready)),
    services: services.map(({ ready }) => ready.pid),
    bench: bench.ready.pid,
    stop: async () => {
      await bench.stop()
      await Promise.all(services.map(({ stop }) => stop()))
    },
  }
}
