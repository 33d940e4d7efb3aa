import { createControlClient, openSession as exchangeCode, workspaceUrl } from '../src-main/sdk/client.ts'
import { PAGE_PREFIX } from '../src-main/views/timeline/timeline.ts'
import { problemOf } from './api.ts'
import { askOtherTabs } from './session-hand-over.ts'

/** Address of the page: `/` is the workspace main, `/w/<id>/` another one. */
export type Place = { readonly workspace: string; readonly controlUrl: string }

export const placeOf = ({ origin, pathname }: { readonly origin: string; readonly pathname: string }): Place => {
  const workspace = /^\/w\/([^/]+)/.exec(pathname)?.[1] ?? 'main'
  return { workspace, controlUrl: workspaceUrl(`${origin}/control/v1`, workspace) }
}

const STORED = 'handset.token'

const PAGE = 'handset.page'

/** Name of this page in its requests to the RP simulator: the events of the calls repeat it. */
export const pageName = (): string => {
  const known = sessionStorage.getItem(PAGE)
  if (known !== null) return known
  const name = PAGE_PREFIX + [...crypto.getRandomValues(new Uint8Array(9))].map((byte) => byte.toString(36)).join('')
  sessionStorage.setItem(PAGE, name)
  return name
}

/** Opens the page with the user's input: the token of this start, a code, or an address with a code in it. */
export const openWith = async (given: string): Promise<'open' | 'wrong' | 'unreachable'> => {
  const controlUrl = `${location.origin}/control/v1`
  const known = (token: string) =>
    createControlClient({ controlUrl, token })
      .call('bench.info')
      .then(() => token)
  const redeem = () => exchangeCode({ controlUrl, code: /[#&]code=([^&\s]+)/.exec(given)?.[1] ?? given.trim() })
  try {
    sessionStorage.setItem(STORED, await known(given.trim()).catch(redeem))
    return 'open'
  } catch (error) {
    return problemOf(error).kind === 'refused' ? 'wrong' : 'unreachable'
  }
}

export type Session =
  | { readonly kind: 'open'; readonly token: string }
  /** There is no code in the address, and no token from before. */
  | { readonly kind: 'none' }
  /** The code was used before, or is too old. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'unreachable' }

/** A tab in the background answers within that; a user without another tab waits this long for the gate. */
const ANOTHER_TAB_MS = 250

const fromAnotherTab = (): Promise<string | undefined> =>
  new Promise((resolve) => {
    const stop = askOtherTabs(placeOf(location).controlUrl, resolve)
    setTimeout(() => {
      stop()
      resolve(undefined)
    }, ANOTHER_TAB_MS)
  })

/** At the gate, for any reason: another tab may answer late, or have been opened again. */
export const waitForAnotherTab = (): (() => void) =>
  askOtherTabs(placeOf(location).controlUrl, (token) => {
    sessionStorage.setItem(STORED, token)
    location.reload()
  })

/**
 * Exchanges the one-time code in the address for the token, and takes the code out of the address bar. Without one, the
 * session is that of this tab, or of another tab of this browser.
 */
export const openSession = async (): Promise<Session> => {
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  if (code !== null) history.replaceState(null, '', location.pathname + location.search)
  const byCode = code === null ? ({ kind: 'none' } as const) : await redeemCode(code)
  if (byCode.kind === 'open') return byCode
  const token = sessionStorage.getItem(STORED) ?? (byCode.kind === 'unreachable' ? undefined : await fromAnotherTab())
  if (token === undefined) return byCode
  sessionStorage.setItem(STORED, token)
  return { kind: 'open', token }
}

const redeemCode = async (code: string): Promise<Session> => {
  try {
    const token = await exchangeCode({ controlUrl: `${location.origin}/control/v1`, code })
    sessionStorage.setItem(STORED, token)
    return { kind: 'open', token }
  } catch (error) {
    return problemOf(error).kind === 'refused' ? { kind: 'refused' } : { kind: 'unreachable' }
  }
}
