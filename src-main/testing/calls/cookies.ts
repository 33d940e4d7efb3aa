import { CookieJar } from 'tough-cookie'

/** The cookies of one user of an RP, as a browser keeps them. */
export type Cookies = {
  headerFor(url: URL): string | undefined
  /** Stores the `set-cookie` headers of an answer. Like a browser, it silently drops invalid ones. */
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
