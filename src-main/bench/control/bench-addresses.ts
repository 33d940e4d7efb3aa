import { networkInterfaces } from 'node:os'
import { CONTROL_PREFIX } from '../../core/contract/control/routes.ts'
import { MAIN_WORKSPACE } from '../../core/protocol/ids.ts'
import type { ListenAddresses } from '../../http/listeners.ts'
import { createHostCheck } from '../../http/page-guard.ts'

export type AddressSettings = {
  /** 0 takes a free port. */
  readonly port: number
  /** 127.0.0.1 and ::1 when empty. */
  readonly hosts: readonly string[]
  /** Further names of the bench for its clients, with or without a port. */
  readonly allowHosts?: readonly string[]
  readonly prefix: string
  /** The origin under which clients reach the bench through a proxy. */
  readonly publicUrl?: string
}

type BenchAddressesOptions = AddressSettings & {
  readonly secure?: boolean
  readonly serviceUrl?: string
  /** The base_url of another service that answers through this one. */
  readonly target?: string | undefined
  readonly machineAddresses?: () => readonly string[]
}

export type OwnAddresses = ReturnType<typeof benchAddresses>

/** `localhost` reaches these on every machine, ::1 only on some. */
const LOCALHOST = new Set(['127.0.0.1', 'localhost', '0.0.0.0', '::'])
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])
const EVERYWHERE = new Set(['0.0.0.0', '::'])

/** The bench's own phones and RPs never go through a proxy. */
export const benchAddresses = (options: BenchAddressesOptions) => {
  const { prefix, publicUrl, serviceUrl, hosts, allowHosts = [], secure = false } = options
  const { machineAddresses = listMachineAddresses } = options
  const scheme = secure ? 'https' : 'http'
  const defaultPort = secure ? 443 : 80
  const hostText = hosts.some((host) => LOCALHOST.has(host)) ? 'localhost' : inUrl(hosts[0] ?? 'localhost')
  const everywhere = hosts.some((host) => EVERYWHERE.has(host))
  const named = [...hosts.filter((host) => !EVERYWHERE.has(host)).map(inUrl), ...allowHosts]
  const onLoopback = everywhere || hosts.length === 0 || hosts.some((host) => LOOPBACK.has(host))
  const given = publicUrl === undefined ? [] : [publicUrl]
  const atPort = (port: number) => {
    const own = `${scheme}://${hostText}${port === defaultPort ? '' : `:${port}`}`
    const originOf = (name: string): string =>
      new URL(`${scheme}://${/:\d+$/.test(name) ? name : `${name}:${port}`}`).origin
    const names = [...named, ...given.map((url) => new URL(url).host)]
    const loopback = onLoopback ? ['localhost', '127.0.0.1', '[::1]'] : []
    return {
      own,
      origin: publicUrl ?? own,
      originOf,
      ourOrigins: new Set([...[...loopback, ...named].map(originOf), ...given]),
      isOurHost: createHostCheck({ port, defaultPort, names, anyAddress: everywhere }),
    }
  }
  let now = atPort(options.port)

  return {
    baseUrl: (workspace: string): string => (serviceUrl ?? now.origin) + below(workspace) + prefix,
    appUrl: (workspace: string): string => `${serviceUrl ?? now.origin}${below(workspace)}/app`,
    controlUrl: (workspace: string): string => now.origin + below(workspace) + CONTROL_PREFIX,
    uiUrl: (workspace: string): string => `${now.origin}${below(workspace)}/`,
    target: options.target,
    ownOrigin: (): string => now.own,
    ownBaseUrl: (workspace: string): string => (serviceUrl ?? now.own) + below(workspace) + prefix,
    ownAppUrl: (workspace: string): string => `${serviceUrl ?? now.own}${below(workspace)}/app`,
    isOurHost: (host: string): boolean => now.isOurHost(host),
    // Interfaces come and go while the bench runs.
    isOurOrigin: (text: string): boolean =>
      now.ourOrigins.has(text) ||
      (everywhere && machineAddresses().some((address) => now.originOf(inUrl(address)) === text)),
    /** Sets the actual port once the server listens; until then the addresses have the wanted port. */
    listensOn: ({ port }: ListenAddresses): void => {
      now = atPort(port)
    },
  }
}

const below = (workspace: string): string => (workspace === MAIN_WORKSPACE ? '' : `/w/${workspace}`)

const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** Lists link-local addresses without their zone, which no origin can have. */
export const listMachineAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((list = []) => list.map(({ address }) => address))
