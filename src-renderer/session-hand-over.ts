import { createControlClient } from '../src-main/sdk/client.ts'
import { problemOf } from './api.ts'

/** Joins the tabs of one browser and one origin, port included. */
const CHANNEL = 'handset.session'

type Talk = { readonly kind: 'ask' } | { readonly kind: 'have'; readonly token: string }

/** Opens the tabs of this browser that wait at the gate, and from now on further ones, with the same session. */
export const offerSession = (token: string): void => {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage({ kind: 'have', token } satisfies Talk)
  channel.addEventListener('message', ({ data }: MessageEvent<Talk>) => {
    if (data.kind === 'ask') channel.postMessage({ kind: 'have', token } satisfies Talk)
  })
}

/** After a token that does not find the workspace, a better one may come within this time. */
const BETTER_WITHIN_MS = 100

/** Asks the other tabs for a token with which this workspace can be read. Gives back how to stop. */
export const askOtherTabs = (controlUrl: string, onToken: (token: string) => void): (() => void) => {
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
    // The workspace may be gone, or this token is limited to others.
    else if (fit === 'elsewhere') setTimeout(() => take(token), BETTER_WITHIN_MS)
  }
  channel.addEventListener('message', ({ data }: MessageEvent<Talk>) => {
    if (data.kind === 'have' && !tried.has(data.token)) void weigh(data.token)
  })
  channel.postMessage({ kind: 'ask' } satisfies Talk)
  return stop
}

/** A tab may have been left open since an earlier start: its token opens nothing. */
const fitOf = (controlUrl: string, token: string): Promise<'opens' | 'elsewhere' | 'not'> =>
  createControlClient({ controlUrl, token })
    .call('overview')
    .then(
      () => 'opens' as const,
      (error: unknown) => {
        const problem = problemOf(error)
        return problem.kind === 'refused' && Math.floor(problem.code / 100) === 404 ? 'elsewhere' : 'not'
      },
    )
