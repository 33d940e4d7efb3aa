import type { RpState } from '../../src-main/core/contract/control/states.ts'
import type { BenchEvent } from '../../src-main/core/contract/events.ts'
import type { TracedSignature, TraceHeader, TraceProblem } from '../../src-main/core/contract/trace.ts'
import { ok, type Result } from '../../src-main/core/protocol/result.ts'
import { type ControlClient, ControlError } from '../../src-main/sdk/client.ts'
import { type Api, apiOf } from '../api.ts'
import { type BenchState, foldBench, newBench } from '../bench/bench-state.ts'
import type { BenchStore } from '../bench/bench-store.ts'
import { createEventCache } from '../bench/event-cache.ts'
import type { BenchTools } from '../bench/use-bench.ts'
import { createShared } from '../ui/effects.ts'
import { rpOfEvent, type TraceSource } from './trace-source.ts'

export type TraceBench = {
  readonly header: TraceHeader
  /** The latest events that have a screen to show, oldest first, after the first event of all. */
  readonly screens: readonly BenchEvent[]
  readonly tools: BenchTools
  readonly close: () => void
}

/** Whole events kept for the inspector; the source has the others. */
const MAX_EVENTS = 2_000

/** The latest events are shown before the rest is read. */
export const openTraceBench = async (
  file: Blob,
  source: TraceSource,
  onProblem: (problem: TraceProblem) => void,
): Promise<Result<TraceBench, TraceProblem>> => {
  const opened = await source.open(file)
  if (!opened.ok) {
    source.close()
    return opened
  }
  const { header, first, latest, parts } = opened.value
  // The first part is read again with the rest.
  const signatures = new Map<string, TracedSignature>()
  const keep = (more: readonly TracedSignature[]): void => {
    for (const signature of more) signatures.set(String(signature.seq), signature)
  }
  keep(opened.value.signatures)
  const store = createTraceStore({ rps: header.rps ?? [], latest, parts, source, onProblem, onSignatures: keep })
  const screens = latest.filter((event) => event !== first && (event.kind === 'message' || event.kind === 'phone'))
  return ok({
    header,
    screens: [...(first === undefined ? [] : [first]), ...screens],
    tools: { api: traceApi(signatures), store },
    close: source.close,
  })
}

type TraceStoreParts = {
  readonly rps: readonly RpState[]
  readonly latest: readonly BenchEvent[]
  readonly parts: number
  readonly source: TraceSource
  readonly onProblem: (problem: TraceProblem) => void
  readonly onSignatures: (signatures: readonly TracedSignature[]) => void
}

const createTraceStore = ({ rps, latest, parts, source, onProblem, onSignatures }: TraceStoreParts): BenchStore => {
  const events = createEventCache(MAX_EVENTS, source.lookUp, () => change({ looked: state.get().looked + 1 }))
  for (const event of latest) events.put(event)
  const shown = { connection: 'live', recorded: true } as const
  let complete = parts === 0
  const state = createShared<BenchState>({
    ...foldAll(emptyTrace(rps), latest),
    ...shown,
    ...(complete ? {} : { fetched: 0 }),
  })
  const change = (more: Partial<BenchState>): void => state.set({ ...state.get(), ...more })

  /** Reads the whole trace while its latest events are shown, and then replaces them. */
  const readAll = async (signal: AbortSignal): Promise<void> => {
    let read = emptyTrace(rps)
    // The next part is read while this one is folded.
    let ahead = source.read(0)
    for (let part = 0; part < parts; part++) {
      const now = await ahead
      if (signal.aborted) return
      if (!now.ok) return onProblem(now.error)
      ahead = part + 1 < parts ? source.read(part + 1) : ahead
      onSignatures(now.value.signatures)
      read = foldAll(read, now.value.events)
      change({ fetched: (part + 1) / parts })
    }
    complete = true
    state.set({ ...read, ...shown, looked: state.get().looked + 1 })
  }

  return {
    subscribe: state.subscribe,
    getState: state.get,
    lookUp: events.get,
    want: events.want,
    start: () => {
      const stop = new AbortController()
      if (!complete) void readAll(stop.signal)
      return () => stop.abort()
    },
    retryNow: () => undefined,
    // A trace is read as a whole, so there is nothing to fetch.
    older: () => undefined,
    bridge: () => undefined,
    search: () => undefined,
    find: () => Promise.resolve(false),
    keep: () => undefined,
  }
}

/** Keeps ten times as many exchanges as the live timeline, to list large traces whole. */
const emptyTrace = (rps: readonly RpState[]): BenchState => {
  const bench = newBench()
  return { ...bench, rps, timeline: { ...bench.timeline, most: 200_000 } }
}

const foldAll = (state: BenchState, events: readonly BenchEvent[]): BenchState =>
  events.reduce((folded, event) => withRp(foldBench(folded, event, 0), event), state)

/** Adds an RP from an event: only events have the name of an RP that was deleted before the trace was saved. */
const withRp = (state: BenchState, event: BenchEvent): BenchState => {
  const rp = rpOfEvent(event)
  if (rp === undefined) return state
  const at = state.rps.findIndex(({ id }) => id === rp.id)
  return { ...state, rps: at < 0 ? [...state.rps, rp] : state.rps.with(at, rp) }
}

/** Answers from the trace, and refuses all else like a bench that is gone. */
const traceApi = (signatures: ReadonlyMap<string, TracedSignature>): Api => {
  const client = {
    call: async (id: string, inputs: { readonly params?: { readonly seq?: string } } = {}) => {
      const found = id === 'events.signature' ? signatures.get(inputs.params?.seq ?? '') : undefined
      if (found !== undefined) return found.explanation
      throw new ControlError({ code: 0, error: 'The workspace was closed.', data: null })
    },
    events: async function* () {},
    workspace: (): unknown => client,
  }
  return apiOf(client as unknown as ControlClient)
}
