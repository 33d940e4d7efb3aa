import { networkInterfaces } from 'node:os'
import { CONTROL_PREFIX } from '../../core/contract/control/routes.ts'
import { MAIN_WORKSPACE } from '../../core/protocol/ids.ts'
import type { ListenAddresses } from '../../http/listeners.ts'
import { createHostCheck } from '../../http/page-guard.ts'

export type BenchAddressesOptions = {
  readonly port: number
  readonly hosts: readonly string[]
  readonly prefix: string
  readonly publicUrl?: string
  readonly secure?: boolean
  readonly serviceUrl?: string
  /** The base_url of another service that answers through this one. */
  readonly target?: string | undefined
  readonly allowHosts?: readonly string[]
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
  let port = options.port
  const hostText = hosts.some((host) => LOCALHOST.has(host)) ? 'localhost' : inUrl(hosts[0] ?? 'localhost')
  const originNow = (): string => `${scheme}://${hostText}${port === defaultPort ? '' : `:${port}`}`
  let own = originNow()
  let origin = publicUrl ?? own
  const everywhere = hosts.some((host) => EVERYWHERE.has(host))
  const named = hosts.filter((host) => !EVERYWHERE.has(host)).map(inUrl)
  const hostCheck = (): ((host: string) => boolean) =>
    createHostCheck({
      port,
      defaultPort,
      names: [...named, ...allowHosts, ...(publicUrl === undefined ? [] : [new URL(publicUrl).host])],
      anyAddress: everywhere,
    })
  let isOurHost = hostCheck()

  const originAt = (name: string): string =>
    new URL(`${scheme}://${/:\d+$/.test(name) ? name : `${name}:${port}`}`).origin
  const origins = (): ReadonlySet<string> => {
    const onLoopback = everywhere || hosts.length === 0 || hosts.some((host) => LOOPBACK.has(host))
    const names = [...(onLoopback ? ['localhost', '127.0.0.1', '[::1]'] : []), ...named, ...allowHosts]
    return new Set([...names.map(originAt), ...(publicUrl === undefined ? [] : [publicUrl])])
  }
  let ourOrigins = origins()

  return {
    baseUrl: (workspace: string): string => (serviceUrl ?? origin) + below(workspace) + prefix,
    appUrl: (workspace: string): string => `${serviceUrl ?? origin}${below(workspace)}/app`,
    controlUrl: (workspace: string): string => origin + below(workspace) + CONTROL_PREFIX,
    uiUrl: (workspace: string): string => `${origin}${below(workspace)}/`,
    target: options.target,
    ownOrigin: (): string => own,
    ownBaseUrl: (workspace: string): string => (serviceUrl ?? own) + below(workspace) + prefix,
    ownAppUrl: (workspace: string): string => `${serviceUrl ?? own}${below(workspace)}/app`,
    isOurHost: (host: string): boolean => isOurHost(host),
    // Interfaces come and go while the bench runs.
    isOurOrigin: (text: string): boolean =>
      ourOrigins.has(text) || (everywhere && machineAddresses().some((address) => originAt(inUrl(address)) === text)),
    /** Sets the actual port once the server listens; until then the addresses have the wanted port. */
    listensOn: (listening: ListenAddresses): void => {
      port = listening.port
      own = originNow()
      origin = publicUrl ?? own
      isOurHost = hostCheck()
      ourOrigins = origins()
    },
  }
}

const below = (workspace: string): string => (workspace === MAIN_WORKSPACE ? '' : `/w/${workspace}`)

const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** Lists link-local addresses without their zone, which no origin can have. */
export const listMachineAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((list = []) => list.map(({ address }) => address))
