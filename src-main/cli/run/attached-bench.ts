import { err, ok, type Result } from '../../core/protocol/result.ts'
import { type ControlClient, ControlError, createControlClient } from '../../sdk/client.ts'
import { createPlayer, type PlayerSettings } from '../../testing/scenario/runner/play-job.ts'
import { CUT_OFF } from '../../testing/scenario/runner/run-jobs.ts'
import { benchProblem, type FoundBench, isAway, PATIENCE_MS } from '../find-bench.ts'
import type { Benches } from './benches.ts'
import { checkToken } from './check-token.ts'

/** Far beyond what any call takes, beside what it waits for itself: a bench that hangs must not hang the run. */
const SILENCE_MS = 60_000

type Attached = Omit<PlayerSettings, 'client'> & {
  /** Scenarios at a time. */
  readonly count: number
}

/** A bench that runs already, and goes on afterwards. */
export const attachToBench = async (
  found: FoundBench,
  stop: AbortSignal,
): Promise<Result<{ readonly client: ControlClient }, string>> => {
  const { controlUrl } = found
  const client = clientOf(found, stop)
  const late = AbortSignal.timeout(PATIENCE_MS)
  try {
    await client.call('workspaces.list', { signal: AbortSignal.any([stop, late]) })
    return ok({ client })
  } catch (reason) {
    return err(benchProblem(reason, { controlUrl, stop, late }))
  }
}

/** Scenarios on such a bench. When it goes away in the middle, the run is over. */
export const playOnAttached = async (
  found: FoundBench,
  { count, stop, ...settings }: Attached,
): Promise<Result<Benches, string>> => {
  const bench = await attachToBench(found, stop)
  if (!bench.ok) return bench
  const { client } = bench.value
  const checked = await checkToken(client, count)
  if (!checked.ok) return checked
  const gone = new AbortController()
  const play = createPlayer({ ...settings, client, stop: AbortSignal.any([stop, gone.signal]) })
  return ok({
    gone: gone.signal,
    play: async (job, onStep) => {
      try {
        const played = await play(job, onStep)
        if (played.stopped === true && !gone.signal.aborted) await closeWorkspace(found, played.workspace)
        return played
      } catch (reason) {
        if (!isAway(reason) && !(reason instanceof ControlError)) throw reason
        gone.abort(benchProblem(reason, { controlUrl: found.controlUrl, stop }))
        return CUT_OFF
      }
    },
    close: async () => undefined,
  })
}

type Door = Pick<FoundBench, 'controlUrl' | 'token' | 'fetch'>

const clientOf = ({ controlUrl, token, fetch: ask = fetch }: Door, stop: AbortSignal): ControlClient =>
  createControlClient({
    ...{ controlUrl, token, timeoutMs: SILENCE_MS },
    fetch: (url, init) => ask(url, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, stop]) : stop }),
  })

/** Of a scenario that was ended by hand: its own client has given up. It may never have been opened. */
const closeWorkspace = async (found: FoundBench, id: string): Promise<void> => {
  const client = createControlClient(found)
  await client
    .call('workspaces.close', { params: { id }, signal: AbortSignal.timeout(PATIENCE_MS) })
    .catch(() => undefined)
}
