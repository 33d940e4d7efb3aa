import type { BenchEvent, OpinionNotice } from '../../src-main/core/contract/events.ts'
import { foldTimeline } from '../../src-main/views/timeline/event-views.ts'
import { foldOpinion } from '../../src-main/views/timeline/fold/fold-message.ts'
import { groupOf, MAX_EXCHANGES, newTimeline } from '../../src-main/views/timeline/timeline.ts'
import type { Api, ApiProblem } from '../api.ts'
import { pageName } from '../session.ts'
import { createShared } from '../ui/effects.ts'
import { type BenchState, foldBench, newBench } from './bench-state.ts'
import { readClock } from './clock-reading.ts'
import { createEventCache } from './event-cache.ts'
import { createOlderEvents } from './older.ts'

export type BenchStore = {
  readonly subscribe: (listener: () => void) => () => void
  readonly getState: () => BenchState
  /** An event that the page still has. */
  readonly lookUp: (seq: number) => BenchEvent | undefined
  /** Fetches the given events that the page no longer has. */
  readonly want: (seqs: readonly number[]) => void
  /** Reconnects whenever the connection ends. Returns a function that stops it. */
  readonly start: () => () => void
  readonly retryNow: () => void
  /** Fetches ceremonies older than those on the page, or further results of a search. */
  readonly older: () => void
  /** Fetches the ceremonies after the one that was fetched for an address. */
  readonly bridge: () => void
  /** Also searches events that are not on the page; `keep` is the ceremony on the screen. */
  readonly search: (text: string, keep?: string) => void
  /** Fetches the target of an address; false if the workspace does not have it. */
  readonly find: (about: { readonly msgId: string } | { readonly seq: number }) => Promise<boolean>
  /** Prevents eviction while older rows are on the screen. */
  readonly keep: (looking: boolean) => void
}

/** Whole events kept for the inspector; the timeline keeps its rows, and the service the rest. */
const MAX_EVENTS = 2_000
/** Events that are read first, before older ones. */
const LATEST = 200
const RETRY_MS = 1500
const UNSEEN_MS = 250
const SETTLED_MS = 500
/** A single event is drawn in the next frame; events that follow within this time are drawn together. */
const DRAWN_EVERY_MS = 100
/** No reader would see more if a stream were drawn more often. */
const STREAM_DRAWN_EVERY_MS = 250
/** Events per drawing from which they count as a stream; one ceremony has fewer. */
const STREAM = 20
const MAX_EXCHANGES_HELD = 100_000

export const createBenchStore = (api: Api, pageNow: () => number): BenchStore => {
  const { get: state, set: put, subscribe } = createShared(newBench())
  let waiting: (BenchEvent | OpinionNotice)[] = []
  const askFor = async (seq: number): Promise<BenchEvent | undefined> => {
    const answer = await api.call((client) => client.call('events.list', { query: { after: seq - 1, limit: 1 } }))
    return answer.ok ? answer.value.events.find((event) => event.seq === seq) : undefined
  }
  const events = createEventCache(MAX_EVENTS, askFor, () => set({ ...state(), looked: state().looked + 1 }))
  let wake: () => void = () => {}

  const set = (next: BenchState): void => {
    if (next !== state()) put(next)
  }

  /** An opinion arrives after the verdict that it is about. */
  const withOpinion = (now: BenchState, notice: OpinionNotice): BenchState => {
    const seq = groupOf(now.timeline, notice.msg_id)?.message?.verdict
    const verdict = seq === undefined ? undefined : events.get(seq)
    if (verdict?.kind === 'verdict') events.put({ ...verdict, second_opinion: notice.second_opinion })
    return { ...now, timeline: foldOpinion(now.timeline, notice), looked: now.looked + 1 }
  }

  /** Returns the minimum time until the next drawing, in milliseconds. */
  const flush = (): number => {
    const batch = waiting
    waiting = []
    let next = state()
    for (const came of batch) {
      if ('kind' in came) {
        events.put(came)
        next = foldBench(next, came, pageNow())
      } else next = withOpinion(next, came)
    }
    const changed = next.settings !== state().settings
    set({ ...next, settings: state().settings })
    if (changed) askAgain()
    return batch.length > STREAM ? STREAM_DRAWN_EVERY_MS : DRAWN_EVERY_MS
  }

  const flushSoon = paced(flush)
  const take = (came: BenchEvent | OpinionNotice): void => {
    waiting.push(came)
    flushSoon()
  }

  // Throttled: every sign-in changes a credential, and there may be a hundred sign-ins in a second.
  const askAgain = throttle(() => {
    set({ ...state(), settings: state().settings + 1 })
    void refresh()
  }, SETTLED_MS)

  /** Fetches the state of which events report only that it changed. */
  const refresh = async (): Promise<ApiProblem | undefined> => {
    const known = state().lastSeq
    const [rps, overview, profile, armed] = await Promise.all([
      api.call((client) => client.call('rps.list')),
      api.call((client) => client.call('overview')),
      api.call((client) => client.call('profile.get')),
      api.call((client) => client.call('service.faults')),
    ])
    if (!overview.ok) return overview.error
    const { clock, last_seq } = overview.value
    // A lower number means another run. `known` is from before the call, because events may arrive during it.
    const base = last_seq < known ? { ...newBench(), settings: state().settings } : state()
    if (base !== state()) events.clear()
    set({
      ...base,
      ...(base.lastSeq === 0 && base.newAfter === 0 ? { newAfter: last_seq } : {}),
      overview: overview.value,
      clock: readClock(clock, pageNow()),
      ...(rps.ok ? { rps: rps.value.rps } : {}),
      ...(armed.ok ? { armedFaults: armed.value.faults } : {}),
      ...(profile.ok
        ? {
            canonicalUri: profile.value.profile.canonical_uri === 'encoded' ? 'encoded' : 'as-sent',
            skewClock: profile.value.profile.skew_clock === 'bench' ? 'bench' : 'wall',
          }
        : {}),
    })
    return undefined
  }

  /** The latest events come first, so that the page shows something soon. */
  const readLatest = async (): Promise<ApiProblem | undefined> => {
    const latest = await api.call((client) =>
      client.call('events.list', { query: { after: state().lastSeq, latest: true, limit: LATEST } }),
    )
    if (!latest.ok) return latest.error
    const { more, events: [oldest] = [] } = latest.value
    let timeline = state().lastSeq > 0 || !more ? state().timeline : newTimeline(oldest?.seq)
    for (const event of latest.value.events) {
      // If the store is started twice, the events arrive twice.
      if (event.seq <= state().lastSeq) continue
      events.put(event)
      timeline = foldTimeline(timeline, event)
    }
    set({
      ...state(),
      timeline,
      lastSeq: Math.max(state().lastSeq, latest.value.last_seq),
      firstSeq: latest.value.first_seq,
    })
    return undefined
  }

  const older = createOlderEvents({ api, state, set: (change) => set({ ...state(), ...change }), page: pageName })

  const connect = async (signal: AbortSignal): Promise<ApiProblem> => {
    const problem = (await refresh()) ?? (state().lastSeq === 0 ? await readLatest() : undefined)
    if (problem !== undefined) return problem
    const phones = await api.call((client) => client.call('phones.list'))
    if (!phones.ok) return phones.error
    set({ ...state(), phones: phones.value.phones, connection: 'live' })
    void older.fill()
    const stream = await api.call(async () => {
      for await (const event of api.events({
        after: state().lastSeq,
        signal,
        onOpinion: take,
        retry: async () => false,
      }))
        take(event)
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
        set({ ...state(), connection })
        if (connection !== 'lost') return
        await new Promise<void>((resolve) => {
          wake = resolve
          setTimeout(resolve, RETRY_MS)
        })
      }
    })()
    return () => {
      stop.abort()
      older.stop()
    }
  }

  return {
    subscribe,
    getState: state,
    lookUp: events.get,
    want: events.want,
    start,
    retryNow: () => wake(),
    older: older.read,
    bridge: () => void older.bridge(),
    search: older.search,
    find: older.find,
    keep: (looking) => {
      const most = looking ? MAX_EXCHANGES_HELD : MAX_EXCHANGES
      if (state().timeline.most !== most) set({ ...state(), timeline: { ...state().timeline, most } })
    },
  }
}

/** Runs `work` in the next frame; the run after it waits as many milliseconds as `work` returned. */
const paced = (work: () => number): (() => void) => {
  let wanted = false
  let ready = 0
  const run = (): void => {
    wanted = false
    ready = performance.now() + work()
  }
  return () => {
    if (wanted) return
    wanted = true
    const wait = ready - performance.now()
    if (wait <= 0) soon(run)
    else setTimeout(() => soon(run), wait)
  }
}

/** Draws the events of one frame together; hidden pages have no frames and draw by a timer. */
const soon = (work: () => void): void => {
  if (typeof requestAnimationFrame === 'undefined') return void setTimeout(work)
  const both = (): void => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    work()
  }
  const frame = requestAnimationFrame(both)
  const timer = setTimeout(both, UNSEEN_MS)
}

/** An unreachable service may come back; a rejected token or a closed workspace does not. */
const connectionAfter = (problem: ApiProblem): 'lost' | 'locked-out' | 'closed' => {
  const status = problem.kind === 'refused' ? Math.floor(problem.code / 100) : undefined
  return status === 401 ? 'locked-out' : status === 404 ? 'closed' : 'lost'
}

/** Runs immediately on the first call, and on later calls at most once in `ms` milliseconds. */
export const throttle = (work: () => void, ms: number): (() => void) => {
  let resting = false
  let wanted = false
  const run = (): void => {
    wanted = resting
    if (resting) return
    resting = true
    work()
    setTimeout(() => {
      resting = false
      if (wanted) run()
    }, ms)
  }
  return run
}
