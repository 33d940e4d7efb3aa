import { freePort } from '../free-port.ts'
import { nextInTurn, startHaproxy } from '../postgres/start-haproxy.ts'
import { startPgbouncer } from '../postgres/start-pgbouncer.ts'

/** How the processes reach the database. */
export const WAYS = ['with notifications', 'without notifications', 'through PgBouncer'] as const
export type Way = (typeof WAYS)[number]

export type SeveralProcesses = {
  /** Where each service listens. */
  readonly ports: readonly number[]
  /** Of the balancer before them. */
  readonly port: number
  /** A database URL with a schema that no other test has. */
  readonly newUrl: () => string
  /** For the next service. */
  readonly release: () => void
}

/** Balancers that no service of this test file uses just now. */
const free: SeveralProcesses[] = []

/** Where the run says that services are to be three behind a balancer; undefined elsewhere. */
export const severalProcesses = async (): Promise<SeveralProcesses | undefined> => {
  const way = WAYS.find((each) => each === process.env.HANDSET_TEST_PROCESSES)
  return way && (free.pop() ?? (await begin(way)))
}

const begin = async (way: Way): Promise<SeveralProcesses> => {
  const { newSchemaUrl } = await import('../postgres/postgres-url.ts')
  const ports = await Promise.all([1, 2, 3].map(freePort))
  // Octets pass as they are: what is tested is the interface, not how a proxy reads it.
  const balancer = await startHaproxy(nextInTurn(ports, 'tcp'))
  const more = way === 'without notifications' ? '&pool=3&notifications=off' : '&pool=3'
  const pooler = way === 'through PgBouncer' ? await startPgbouncer(Number(new URL(newSchemaUrl()).port)) : undefined
  balancer.leave()
  pooler?.leave()
  const processes: SeveralProcesses = {
    ports,
    port: balancer.port,
    release: () => void free.push(processes),
    newUrl: () => {
      const url = new URL(newSchemaUrl(more))
      if (pooler !== undefined) url.port = String(pooler.port)
      return url.href
    },
  }
  return processes
}
