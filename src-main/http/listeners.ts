import type { AddressInfo, Server } from 'node:net'
import type { StartProblem } from '../core/contract/start-problems.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'

export type ListenAddresses = { readonly port: number; readonly hosts: readonly string[] }

type BoundServers = ListenAddresses & { readonly servers: readonly Server[] }

const LOOPBACK = ['127.0.0.1', '::1']

/**
 * Maximum number of connections that wait to be accepted. Node's 511 are too few for 1,000 requests in one instant: the
 * system drops the first packet of each further connection, and the client repeats it only after a whole second.
 */
const MAX_WAITING_CONNECTIONS = 4096

/** Attempts with port 0: the port that one address got may be taken on the other. */
const ATTEMPTS = 20

/**
 * Starts one server for each host, all on one port; without hosts, only on loopback. A loopback address that the
 * machine does not have is left out.
 */
export const bindAll = async (
  make: () => Server,
  wanted: ListenAddresses,
): Promise<Result<BoundServers, StartProblem>> => {
  const where = { ...wanted, hosts: wanted.hosts.length === 0 ? LOOPBACK : wanted.hosts }
  for (let attempt = 1; ; attempt++) {
    const bound = await bindOnce(make, where)
    if (bound.ok || where.port !== 0 || bound.error.errno !== 'EADDRINUSE' || attempt === ATTEMPTS) {
      return bound.ok ? bound : err({ code: 'cannot_listen', params: bound.error })
    }
  }
}

type Failure = { readonly host: string; readonly port: number; readonly errno: string }

const bindOnce = async (make: () => Server, where: ListenAddresses): Promise<Result<BoundServers, Failure>> => {
  const servers: Server[] = []
  const hosts: string[] = []
  let port = where.port
  for (const host of where.hosts) {
    const server = make()
    const errno = await listen(server, { host, port })
    if (errno === undefined) {
      port = (server.address() as AddressInfo).port
      servers.push(server)
      hosts.push(host)
    } else if (!(isLoopback(host) && MISSING.has(errno))) {
      await Promise.all(servers.map(closeServer))
      return err({ host, port, errno })
    }
  }
  if (servers.length === 0) return err({ host: where.hosts.join(', '), port, errno: 'EADDRNOTAVAIL' })
  return ok({ port, hosts, servers })
}

const MISSING = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'])

const isLoopback = (host: string): boolean => host === '::1' || host.startsWith('127.')

const listen = (server: Server, at: { readonly host: string; readonly port: number }): Promise<string | undefined> =>
  new Promise((resolve) => {
    const failed = (reason: NodeJS.ErrnoException): void => resolve(reason.code ?? reason.message)
    server.once('error', failed)
    const ipv6Only = at.host.includes(':') && at.host !== '::'
    server.listen({ ...at, backlog: MAX_WAITING_CONNECTIONS, ipv6Only }, () => {
      server.off('error', failed)
      resolve(undefined)
    })
  })

const closeServer = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()))
