import { ourHosts } from '../http/page-guard.ts'
import type { Listening } from '../http/server.ts'
import { MAIN_WORKSPACE } from '../protocol/ids.ts'
import { CONTROL_PREFIX } from './contract/routes.ts'

export type BenchAddressesOptions = {
  readonly port: number
  readonly hosts: readonly string[]
  readonly prefix: string
  readonly publicUrl?: string
}

/** Where everything is. What the bench's own phones and RPs use never goes through a proxy. */
export type OwnAddresses = {
  baseUrl(workspace: string): string
  appUrl(workspace: string): string
  controlUrl(workspace: string): string
  uiUrl(workspace: string): string
  ownOrigin(): string
  ownBaseUrl(workspace: string): string
  ownAppUrl(workspace: string): string
  isOurHost(host: string): boolean
  isOurOrigin(origin: string): boolean
  /** The port is known once the server listens; until then the one that was asked for is shown. */
  listensOn(listening: Listening): void
}

/** Where the name localhost leads on every machine; to ::1 it leads on some. */
const LOCALHOST = new Set(['127.0.0.1', 'localhost', '0.0.0.0', '::'])
const EVERYWHERE = new Set(['0.0.0.0', '::'])

export const benchAddresses = (options: BenchAddressesOptions): OwnAddresses => {
  const { prefix, publicUrl, hosts } = options
  let port = options.port
  const hostText = hosts.some((host) => LOCALHOST.has(host)) ? 'localhost' : inUrl(hosts[0] ?? 'localhost')
  const ownOrigin = (): string => `http://${hostText}${port === 80 ? '' : `:${port}`}`
  const origin = (): string => publicUrl ?? ownOrigin()
  const hostCheck = (): ((host: string) => boolean) =>
    ourHosts({
      port,
      names: [...hosts.map(inUrl), ...(publicUrl === undefined ? [] : [new URL(publicUrl).host])],
      anyAddress: hosts.some((host) => EVERYWHERE.has(host)),
    })
  let isOurHost = hostCheck()

  return {
    baseUrl: (workspace) => origin() + below(workspace) + prefix,
    appUrl: (workspace) => `${origin()}${below(workspace)}/app`,
    controlUrl: (workspace) => origin() + below(workspace) + CONTROL_PREFIX,
    uiUrl: (workspace) => `${origin()}${below(workspace)}/`,
    ownOrigin,
    ownBaseUrl: (workspace) => ownOrigin() + below(workspace) + prefix,
    ownAppUrl: (workspace) => `${ownOrigin()}${below(workspace)}/app`,
    isOurHost: (host) => isOurHost(host),
    // A page that came from one of our own names is ours: the server behind that name is this one.
    isOurOrigin: (text) =>
      text === publicUrl || (text.startsWith('http://') && isOurHost(text.slice('http://'.length))),
    listensOn: (listening) => {
      port = listening.port
      isOurHost = hostCheck()
    },
  }
}

const below = (workspace: string): string => (workspace === MAIN_WORKSPACE ? '' : `/w/${workspace}`)

const inUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host)
