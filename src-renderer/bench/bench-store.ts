import type { ExchangeEvent } from '../../src-main/protocol/exchange-event.ts'
import type { Api, ApiProblem } from '../api.ts'
import { type BenchState, emptyBench, foldBench } from './bench-state.ts'
import { readClock } from './clock-reading.ts'

export type BenchStore = {
  readonly subscribe: (listener: () => void) => () => void
  readonly getState: () => BenchState
  /** An event that the page still has. */
  readonly lookUp: (seq: number) => ExchangeEvent | undefined
  /** Connects, and connects again whenever the connection ends. Gives back how to stop. */
  readonly start: () => () => void
  readonly retryNow: () => void
}

/** Events kept for the inspector; older ones leave the page, not the service. */
const MOST_EVENTS = 20_000
const RETRY_MS = 1500
/** Events that come close together are drawn together. */
const FRAME_MS = 16

export const createBenchStore = (api: Api, pageNow: () => number): BenchStore => {
  let state = emptyBench
  let waiting: ExchangeEvent[] = []
  const listeners = new Set<() => void>()
  const events = new Map<number, ExchangeEvent>()
  let wake: () => void = () => {}

  const set = (next: BenchState): void => {
    if (next === state) return
    state = next
    for (const listener of listeners) listener()
  }

  const flush = (): void => {
    const batch = waiting
    waiting = []
    let next = state
    for (const event of batch) {
      events.set(event.seq, event)
      next = foldBench(next, event, pageNow())
    }
    for (const seq of events.keys()) {
      if (events.size <= MOST_EVENTS) break
      events.delete(seq)
    }
    const changed = next.settings !== state.settings
    set(next)
    if (changed) void refresh()
  }

  const take = (event: ExchangeEvent): void => {
    if (waiting.length === 0) setTimeout(flush, FRAME_MS)
    waiting.push(event)
  }

  /** What events only name. */
  const refresh = async (): Promise<ApiProblem | undefined> => {
    const known = state.lastSeq
    const [rps, overview, profile] = await Promise.all([
      api.call((client) => client.call('rps.list')),
      api.call((client) => client.call('overview')),
      api.call((client) => client.call('profile.get')),
    ])
    if (!overview.ok) return overview.error
    const { clock, last_seq } = overview.value
    // A bench that counts from the start again is another run: what was shown belongs to the old one. Events that
    // came while it was asked are no sign of that.
    const base = last_seq < known ? { ...emptyBench, settings: state.settings } : state
    if (base !== state) events.clear()
    set({
      ...base,
      ...(base.lastSeq === 0 && base.newAfter === 0 ? { newAfter: last_seq } : {}),
      overview: overview.value,
      clock: readClock(clock, pageNow()),
      ...(rps.ok ? { rps: rps.value.rps } : {}),
      ...(profile.ok
        ? { canonicalUri: profile.value.profile.canonical_uri === 'encoded' ? 'encoded' : 'as-sent' }
        : {}),
    })
    return undefined
  }

  const connect = async (signal: AbortSignal): Promise<ApiProblem> => {
    const problem = await refresh()
    if (problem !== undefined) return problem
    const phones = await api.call((client) => client.call('phones.list'))
    if (!phones.ok) return phones.error
    set({ ...state, phones: phones.value.phones, connection: 'live' })
    const stream = await api.call(async () => {
      for await (const event of api.events({ after: state.lastSeq, signal, retry: async () => false })) take(event)
    })
    return stream.ok ? { kind: 'unreachable' } : stream.error
  }

  const start = () => {
    const stop = new AbortController()
    void (async () => {
      while (!stop.signal.aborted) {
        const problem = await connect(stop.signal)
        if (stop.signal.aborted) return
        const connection = connectionAfter(problem)
        set({ ...state, connection })
        if (connection !== 'lost') return
        await new Promise<void>((resolve) => {
          wake = resolve
          setTimeout(resolve, RETRY_MS)
        })
      }
    })()
    return () => stop.abort()
  }

  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    getState: () => state,
    lookUp: (seq) => events.get(seq),
    start,
    retryNow: () => wake(),
  }
}

/** A service that is gone may come back; a key or a workspace that is gone does not. */
const connectionAfter = (problem: ApiProblem): 'lost' | 'locked-out' | 'closed' => {
  const status = problem.kind === 'refused' ? Math.floor(problem.code / 100) : undefined
  return status === 401 ? 'locked-out' : status === 404 ? 'closed' : 'lost'
}
