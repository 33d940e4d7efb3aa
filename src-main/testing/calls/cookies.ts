import { CookieJar } from 'tough-cookie'

export type Cookies = ReturnType<typeof createCookies>

/** The cookies of one user of an RP, as a browser keeps them. */
export const createCookies = () => {
  const jar = new CookieJar()
  return {
    headerFor: (url: URL): string | undefined => jar.getCookieStringSync(url.href) || undefined,
    /** Stores the `set-cookie` headers of an answer. Like a browser, it silently drops invalid ones. */
    keep: (url: URL, headers: readonly string[]): void => {
      for (const header of headers) jar.setCookieSync(header, url.href, { ignoreError: true })
    },
  }
}
