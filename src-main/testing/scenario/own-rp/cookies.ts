import { CookieJar } from 'tough-cookie'

/** The cookies of one user of an RP, as a browser keeps them. */
export type Cookies = {
  /** The `cookie` header for an address. */
  headerFor(url: URL): string | undefined
  /** `set-cookie` headers of its answer; a browser drops those that it does not take without a word. */
  keep(url: URL, headers: readonly string[]): void
}

export const createCookies = (): Cookies => {
  const jar = new CookieJar()
  return {
    headerFor: (url) => jar.getCookieStringSync(url.href) || undefined,
    keep: (url, headers) => {
      for (const header of headers) jar.setCookieSync(header, url.href, { ignoreError: true })
    },
  }
}
