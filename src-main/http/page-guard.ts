import { type Reason, type Refusal, refuse } from '../core/contract/errors.ts'
import type { HeaderPair } from '../core/protocol/canonical-request.ts'
import { isHostName } from '../core/protocol/host-name.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { countHeaders, findHeader, type RawRequest, type RawResponse } from './message.ts'

/**
 * Keeps foreign web pages out of interfaces that listen on this machine: a Host that is not ours is DNS rebinding, an
 * Origin that is not allowed comes from a foreign page. Programs send no Origin and pass.
 */
export type PageRules = {
  isOurHost(host: string): boolean
  isAllowedOrigin(origin: string): boolean | Promise<boolean>
}

type Addresses = { isOurHost(host: string): boolean; isOurOrigin(origin: string): boolean }

export const pageRules = (
  { isOurHost, isOurOrigin }: Addresses,
  rpsOf: () => Promise<readonly { readonly origins: readonly string[] }[]>,
): PageRules => ({
  isOurHost,
  isAllowedOrigin: async (origin) =>
    isOurOrigin(origin) || (await rpsOf()).some(({ origins }) => origins.includes(origin)),
})

/** Returns the headers that an allowed page needs to read the answer. */
export const guardPage = async (
  request: Pick<RawRequest, 'headers'>,
  rules: PageRules,
): Promise<Result<readonly HeaderPair[], Refusal>> => {
  const host = findHeader(request.headers, 'host') ?? ''
  if (!rules.isOurHost(host)) return err(refuse('foreign_host', foreignHost(host)))
  const origin = findHeader(request.headers, 'origin')
  if (origin === undefined) return ok([])
  // With two headers, a different parser may read the second.
  if (countHeaders(request.headers, 'origin') > 1 || !(await rules.isAllowedOrigin(origin)))
    return err(refuse('foreign_origin', { code: 'got', params: { got: JSON.stringify(origin) } }))
  return ok([
    ['Access-Control-Allow-Origin', origin],
    ['Access-Control-Expose-Headers', 'ETag, Retry-After'],
    ['Vary', 'Origin'],
  ])
}

const foreignHost = (host: string): Reason =>
  isHostName(host)
    ? { code: 'host_could_be_allowed', params: { host } }
    : { code: 'got', params: { got: JSON.stringify(host) } }

export const isPreflight = ({ method, headers }: Pick<RawRequest, 'method' | 'headers'>): boolean =>
  method === 'OPTIONS' && findHeader(headers, 'access-control-request-method') !== undefined

export const preflightResponse = (cors: readonly HeaderPair[], methods: readonly string[]): RawResponse => ({
  status: 204,
  headers: [
    ...cors,
    ['Access-Control-Allow-Methods', methods.join(', ')],
    ['Access-Control-Allow-Headers', 'Authorization, Content-Type, If-Match, If-None-Match, Last-Event-ID'],
    ['Access-Control-Max-Age', '600'],
  ],
  body: '',
})

/**
 * Accepts loopback names with the server's port, and the given names (`name` or `name:port`). A literal IP address
 * can't be rebound, so a server that listens on all addresses accepts any.
 */
export const createHostCheck = (ours: {
  readonly port: number
  /** The port that a Host header may leave out: 443 for https. */
  readonly defaultPort?: number
  readonly names?: readonly string[]
  readonly anyAddress?: boolean
}): ((host: string) => boolean) => {
  const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])
  const given = new Set((ours.names ?? []).map((name) => name.toLowerCase()))
  return (written) => {
    const host = written.toLowerCase()
    // A given name needs no matching port: a proxy in front has its own port, or none.
    if (given.has(host)) return true
    const [, name = '', port] = /^(\[.+\]|[^:]+)(?::(\d{1,5}))?$/.exec(host) ?? []
    if (Number(port ?? ours.defaultPort ?? 80) !== ours.port) return false
    if (loopback.has(name) || given.has(name)) return true
    const mayBeOurs = name.endsWith('.localhost') || (ours.anyAddress === true && /^[\d.]+$|^\[/.test(name))
    return mayBeOurs && isHostName(host)
  }
}
