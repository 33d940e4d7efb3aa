import { errors } from '../../core/contract/errors.ts'
import { type ControlClient, ControlError, createControlClient } from '../../sdk/client.ts'
import { createPlayer, type PlayerSettings } from '../../testing/scenario/runner/play-job.ts'
import { CUT_OFF_ATTEMPT, type Player } from '../../testing/scenario/runner/run-jobs.ts'
import { type End, fail, notDone } from '../command-end.ts'
import { ANSWER_TIMEOUT_MS, benchProblem, type FoundBench, isUnreachable } from '../find-bench.ts'
import { toOneLine } from '../terminal.ts'

export type Benches = {
  readonly play: Player
  readonly close: () => Promise<void>
  /** Aborted when the bench disappears, with a sentence as the reason; absent if it cannot disappear. */
  readonly gone?: AbortSignal
}

/** Added to a call's own timeout; more than any call needs, but a hanging bench must not hang the run. */
const SILENCE_MS = 60_000

type Attached = Omit<PlayerSettings, 'client'> & { readonly count: number }

export const attachToBench = async (found: Door, stop: AbortSignal, end: End = fail): Promise<ControlClient> => {
  const { controlUrl } = found
  const client = clientOf(found, stop)
  const late = AbortSignal.timeout(ANSWER_TIMEOUT_MS)
  try {
    await client.call('workspaces.list', { signal: AbortSignal.any([stop, late]) })
    return client
  } catch (reason) {
    return end(benchProblem(reason, { controlUrl, stop, late }))
  }
}

const WAIT_MS = 600_000

export const waitUntilStopped = async (
  client: ControlClient,
  wanted: { readonly match: Readonly<Record<string, unknown>>; readonly after: number },
  stop: AbortSignal,
): Promise<void> => {
  while (!stop.aborted) {
    try {
      await client.call('events.wait', { body: { ...wanted, timeout_ms: WAIT_MS }, signal: stop })
      return
    } catch (reason) {
      if (stop.aborted) return
      if (!(reason instanceof ControlError) || reason.code !== errors.wait_ended.code) throw reason
    }
  }
}

/** The run ends if the bench disappears. */
export const playOnAttachedBench = async (
  found: FoundBench,
  { count, stop, ...settings }: Attached,
): Promise<Benches> => {
  const client = await attachToBench(found, stop, notDone)
  await checkToken(client, count)
  const gone = new AbortController()
  const play = createPlayer({ ...settings, client, stop: AbortSignal.any([stop, gone.signal]) })
  return {
    gone: gone.signal,
    play: async (job, onStep) => {
      try {
        const played = await play(job, onStep)
        if (played.stopped === true && !gone.signal.aborted) await closeWorkspace(found, played.workspace)
        return played
      } catch (reason) {
        if (!isUnreachable(reason) && !(reason instanceof ControlError)) throw reason
        gone.abort(benchProblem(reason, { controlUrl: found.controlUrl, stop }))
        return CUT_OFF_ATTEMPT
      }
    },
    close: async () => undefined,
  }
}

type Door = Pick<FoundBench, 'controlUrl' | 'token' | 'fetch'>

const clientOf = ({ controlUrl, token, fetch: ask = fetch }: Door, stop: AbortSignal): ControlClient =>
  createControlClient({
    ...{ controlUrl, token, timeoutMs: SILENCE_MS },
    fetch: (url, init) => ask(url, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, stop]) : stop }),
  })

/** The client of a stopped scenario makes no more calls, so a new client closes its workspace. */
const closeWorkspace = async (found: FoundBench, id: string): Promise<void> => {
  const client = createControlClient(found)
  await client
    .call('workspaces.close', { params: { id }, signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) })
    .catch(() => undefined)
}

/** If this process ends early, the bench removes its workspaces after this time. */
const LEASE_MS = 60_000

/** Opens as many workspaces as the run will need, so that a missing right is reported once, not by each scenario. */
const checkToken = async (client: ControlClient, count: number): Promise<void> => {
  const opened: string[] = []
  try {
    while (opened.length < count) {
      // Scenarios use a seed, which needs the right to see secrets.
      const body = { seed: opened.length, rp: 'none', lease_ms: LEASE_MS } as const
      opened.push((await client.call('workspaces.create', { body })).id)
    }
  } catch (reason) {
    if (!(reason instanceof ControlError)) return notDone(`nothing answers at ${client.controlUrl} any more.`)
    const wanted = count === 1 ? 'a workspace for a scenario' : `${count} workspaces at a time for the scenarios`
    const refusal = `the bench refused to open ${wanted}: ${reason.code} ${toOneLine(reason.message)}`
    return notDone(TOKEN_REFUSALS.has(reason.code) ? `${refusal} ${adviceFor(count)}` : refusal)
  } finally {
    for (const id of opened) {
      // A workspace that remains open is closed at the end of its lease.
      await client.call('workspaces.close', { params: { id } }).catch(() => undefined)
    }
  }
}

const TOKEN_REFUSALS: ReadonlySet<number> = new Set([errors.token_limited.code, errors.quota_reached.code])

const adviceFor = (count: number): string =>
  `A token for this run is made with "npx handset token new --may-open ${count} --reveal-secrets".`
