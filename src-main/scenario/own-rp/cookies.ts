/** The cookies of one scenario, as a browser keeps them: by host and path, until they are deleted or expire. */
export type Cookies = {
  /** The `cookie` header for an address. */
  headerFor(url: URL): string | undefined
  /** `set-cookie` headers of its answer. */
  keep(url: URL, headers: readonly string[]): void
}

type Cookie = {
  readonly name: string
  readonly value: string
  /** With the hosts below it, where it was said. */
  readonly domain: string
  readonly hostOnly: boolean
  readonly path: string
  readonly secure: boolean
}

/** As browsers do. */
const MOST = 1000

export const createCookies = (): Cookies => {
  const jar = new Map<string, Cookie>()
  return {
    headerFor: (url) => {
      const fitting = [...jar.values()]
        .filter((cookie) => isFor(cookie, url))
        .toSorted((a, b) => b.path.length - a.path.length)
      return fitting.length === 0 ? undefined : fitting.map(({ name, value }) => `${name}=${value}`).join('; ')
    },
    keep: (url, headers) => {
      for (const header of headers) {
        const parsed = parseCookie(header, url)
        if (parsed === undefined) continue
        const { cookie, gone } = parsed
        const key = `${cookie.domain} ${cookie.path} ${cookie.name}`
        jar.delete(key)
        if (!gone && jar.size < MOST) jar.set(key, cookie)
      }
    },
  }
}

const isFor = ({ domain, hostOnly, path, secure }: Cookie, { hostname, pathname, protocol }: URL): boolean => {
  const host = hostname === domain || (!hostOnly && hostname.endsWith(`.${domain}`))
  const inPath = pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`)
  return host && inPath && (!secure || protocol === 'https:' || isLoopback(hostname))
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '127.0.0.1'

/** RFC 6265 §5.2 and §5.3, as far as a test needs it. */
const parseCookie = (header: string, url: URL): { readonly cookie: Cookie; readonly gone: boolean } | undefined => {
  const [pair = '', ...rest] = header.split(';')
  const split = pair.indexOf('=')
  if (split < 1) return undefined
  const attributes = new Map(
    rest.map((part) => {
      const [name = '', ...value] = part.split('=')
      return [name.trim().toLowerCase(), value.join('=').trim()]
    }),
  )
  const wanted = attributes.get('domain')?.replace(/^\./, '').toLowerCase()
  if (wanted !== undefined && wanted !== '' && url.hostname !== wanted && !url.hostname.endsWith(`.${wanted}`)) {
    return undefined
  }
  const path = attributes.get('path')
  const usual = url.pathname.slice(0, Math.max(1, url.pathname.lastIndexOf('/')))
  const maxAge = attributes.get('max-age')
  const expires = Date.parse(attributes.get('expires') ?? '')
  return {
    cookie: {
      name: pair.slice(0, split).trim(),
      value: pair.slice(split + 1).trim(),
      domain: wanted || url.hostname,
      hostOnly: !wanted,
      path: path?.startsWith('/') ? path : usual,
      secure: attributes.has('secure'),
    },
    // A date that lies this far back is how a cookie is deleted; others outlive a scenario.
    gone: maxAge === undefined ? expires <= Date.UTC(2000, 0) : Number(maxAge) <= 0,
  }
}
