import { createControlClient, openSession as exchangeCode, workspaceUrl } from '../src-main/sdk/client.ts'
import { PAGE_PREFIX } from '../src-main/views/timeline/timeline.ts'
import { toApiProblem } from './api.ts'

/** `/` is the workspace main, `/w/<id>/` another one. */
export type Place = { readonly workspace: string; readonly controlUrl: string }

export const placeOf = ({ origin, pathname }: { readonly origin: string; readonly pathname: string }): Place => {
  const workspace = /^\/w\/([^/]+)/.exec(pathname)?.[1] ?? 'main'
  return { workspace, controlUrl: workspaceUrl(`${origin}/control/v1`, workspace) }
}

const STORED = 'handset.token'

const PAGE = 'handset.page'

/** Name of this page in its requests to the RP simulator; the events of these calls contain it. */
export const pageName = (): string => {
  const known = sessionStorage.getItem(PAGE)
  if (known !== null) return known
  const name = PAGE_PREFIX + [...crypto.getRandomValues(new Uint8Array(9))].map((byte) => byte.toString(36)).join('')
  sessionStorage.setItem(PAGE, name)
  return name
}

/** `given`: the token of this start, a code, or an address with a code in it. */
export const openWithSecret = (given: string): Promise<Session> => {
  const token = given.trim()
  const known = createControlClient({ controlUrl: mainUrl(), token }).call('bench.info')
  const code = /[#&]code=([^&\s]+)/.exec(given)?.[1] ?? token
  return keepToken(
    known.then(
      () => token,
      () => redeem(code),
    ),
  )
}

const mainUrl = (): string => `${location.origin}/control/v1`

const redeem = (code: string): Promise<string> => exchangeCode({ controlUrl: mainUrl(), code })

const keepToken = async (pending: Promise<string>): Promise<Session> => {
  try {
    const token = await pending
    sessionStorage.setItem(STORED, token)
    return { kind: 'open', token }
  } catch (error) {
    return { kind: toApiProblem(error).kind }
  }
}

export type Session =
  | { readonly kind: 'open'; readonly token: string }
  /** The address has no code, and no earlier token is stored. */
  | { readonly kind: 'none' }
  /** The code has been used already, or has expired. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'unreachable' }

/** A background tab answers within this time. A user without another tab waits this long for the gate. */
const ANOTHER_TAB_MS = 250

const fromAnotherTab = (): Promise<string | undefined> =>
  new Promise((resolve) => {
    const stop = askOtherTabs(placeOf(location).controlUrl, resolve)
    setTimeout(() => {
      stop()
      resolve(undefined)
    }, ANOTHER_TAB_MS)
  })

/** While the gate is shown, waits for another tab, which may answer late or be opened later. */
export const waitForAnotherTab = (): (() => void) =>
  askOtherTabs(placeOf(location).controlUrl, (token) => {
    sessionStorage.setItem(STORED, token)
    location.reload()
  })

/**
 * Exchanges the one-time code in the address for the token, and removes the code from the address bar. Without a code,
 * uses the session of this tab or of another tab of this browser.
 */
export const openSession = async (): Promise<Session> => {
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  if (code !== null) history.replaceState(null, '', location.pathname + location.search)
  const byCode: Session = code === null ? { kind: 'none' } : await keepToken(redeem(code))
  if (byCode.kind === 'open') return byCode
  const token = sessionStorage.getItem(STORED) ?? (byCode.kind === 'unreachable' ? undefined : await fromAnotherTab())
  if (token === undefined) return byCode
  sessionStorage.setItem(STORED, token)
  return { kind: 'open', token }
}

/** Channel between the tabs of one browser with the same origin, including the port. */
const CHANNEL = 'handset.session'

type Talk = { readonly kind: 'ask' } | { readonly kind: 'have'; readonly token: string }

/** Tabs that wait at the gate get this session, and so do tabs opened later. */
export const offerSession = (token: string): void => {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage({ kind: 'have', token } satisfies Talk)
  channel.addEventListener('message', ({ data }: MessageEvent<Talk>) => {
    if (data.kind === 'ask') channel.postMessage({ kind: 'have', token } satisfies Talk)
  })
}

/** A token that does not find the workspace is used only if no better one arrives within this time. */
const BETTER_WITHIN_MS = 100

/** Asks the other tabs for a token that can read this workspace. Returns a function that stops it. */
const askOtherTabs = (controlUrl: string, onToken: (token: string) => void): (() => void) => {
  const channel = new BroadcastChannel(CHANNEL)
  const tried = new Set<string>()
  const stopped = new AbortController()
  const stop = () => {
    stopped.abort()
    channel.close()
  }
  const take = (token: string): void => {
    if (stopped.signal.aborted) return
    stop()
    onToken(token)
  }
  const weigh = async (token: string): Promise<void> => {
    tried.add(token)
    const fit = await fitOf(controlUrl, token)
    if (fit === 'opens') take(token)
    // The workspace was closed, or this token is limited to other workspaces.
    else if (fit === 'elsewhere') setTimeout(() => take(token), BETTER_WITHIN_MS)
  }
  channel.addEventListener('message', ({ data }: MessageEvent<Talk>) => {
    if (data.kind === 'have' && !tried.has(data.token)) void weigh(data.token)
  })
  channel.postMessage({ kind: 'ask' } satisfies Talk)
  return stop
}

/** The token may be from an earlier start of the service and no longer valid. */
const fitOf = (controlUrl: string, token: string): Promise<'opens' | 'elsewhere' | 'not'> =>
  createControlClient({ controlUrl, token })
    .call('overview')
    .then(
      () => 'opens' as const,
      (error: unknown) => {
        const problem = toApiProblem(error)
        return problem.kind === 'refused' && Math.floor(problem.code / 100) === 404 ? 'elsewhere' : 'not'
      },
    )
