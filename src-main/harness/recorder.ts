import type { Clock } from '../protocol/clock.ts'
import { EVENT_VERSION, type EventDraft, type ExchangeEvent, type Observe } from '../protocol/exchange-event.ts'

export type Retention = { readonly events: number; readonly bytes: number }

export const DEFAULT_RETENTION: Retention = { events: 50_000, bytes: 32 * 1024 * 1024 }

export type RecorderOptions = {
  readonly wall: Clock
  readonly bench: (workspace: string) => Clock
  readonly retention?: Retention
}

export type EventsQuery = {
  /** Only events after this number. */
  readonly after?: number
  readonly limit?: number
  /** The last ones within the limit instead of the first ones. */
  readonly latest?: boolean
  readonly matches?: (event: ExchangeEvent) => boolean
}

export type EventsPage = {
  readonly events: readonly ExchangeEvent[]
  readonly first_seq: number
  readonly last_seq: number
  readonly more: boolean
}

/** Remembers what happened, in memory, and tells it on. Recording never fails and never waits. */
export type Recorder = {
  readonly observe: Observe
  read(workspace: string, query?: EventsQuery): EventsPage
  lastSeq(workspace: string): number
  /** Called for each event after this moment, in order; `closed` when the workspace is forgotten. */
  listen(workspace: string, listener: (event: ExchangeEvent) => void, closed?: () => void): () => void
  forget(workspace: string): void
}

type Track = {
  events: ExchangeEvent[]
  /** Events before this index are forgotten and wait for the next clearing. */
  start: number
  bytes: number
  seq: number
  readonly listeners: Map<object, { readonly hear: (event: ExchangeEvent) => void; readonly closed?: () => void }>
}

export const createRecorder = ({ wall, bench, retention = DEFAULT_RETENTION }: RecorderOptions): Recorder => {
  const tracks = new Map<string, Track>()
  const trackOf = (workspace: string): Track => {
    const known = tracks.get(workspace)
    if (known !== undefined) return known
    const track: Track = { events: [], start: 0, bytes: 0, seq: 0, listeners: new Map() }
    tracks.set(workspace, track)
    return track
  }

  const observe = (workspace: string, draft: EventDraft): void => {
    const track = trackOf(workspace)
    const event: ExchangeEvent = {
      v: EVENT_VERSION,
      seq: ++track.seq,
      workspace,
      wall: wall.now(),
      bench: bench(workspace).now(),
      ...draft,
    }
    track.events.push(event)
    track.bytes += sizeOf(event)
    if (track.bytes > retention.bytes || track.events.length - track.start > retention.events)
      dropOldest(track, retention)
    for (const { hear } of track.listeners.values()) hear(event)
  }

  return {
    observe,
    read: (workspace, query = {}) => pageOf(trackOf(workspace), query),
    lastSeq: (workspace) => trackOf(workspace).seq,
    listen: (workspace, hear, closed) => {
      const { listeners } = trackOf(workspace)
      const key = {}
      listeners.set(key, { hear, ...(closed === undefined ? {} : { closed }) })
      return () => listeners.delete(key)
    },
    forget: (workspace) => {
      const listeners = [...(tracks.get(workspace)?.listeners.values() ?? [])]
      tracks.delete(workspace)
      for (const { closed } of listeners) closed?.()
    },
  }
}

const pageOf = (
  track: Track,
  { after = 0, limit = Number.POSITIVE_INFINITY, latest, matches }: EventsQuery,
): EventsPage => {
  const first = track.events[track.start]?.seq ?? 0
  const from = track.start + Math.max(0, after - first + 1)
  const found: ExchangeEvent[] = []
  const step = latest === true ? -1 : 1
  let more = false
  for (let i = latest === true ? track.events.length - 1 : from; i >= from && i < track.events.length; i += step) {
    const event = track.events[i]
    if (event === undefined || matches?.(event) === false) continue
    if (found.length >= limit) {
      more = true
      break
    }
    found.push(event)
  }
  if (latest === true) found.reverse()
  return { events: found, first_seq: first, last_seq: track.seq, more }
}

const dropOldest = (track: Track, retention: Retention): void => {
  while (track.start < track.events.length - 1) {
    if (track.bytes <= retention.bytes && track.events.length - track.start <= retention.events) break
    const oldest = track.events[track.start++]
    if (oldest !== undefined) track.bytes -= sizeOf(oldest)
  }
  if (track.start * 2 < track.events.length) return
  track.events = track.events.slice(track.start)
  track.start = 0
}

/** An estimate is enough to bound memory, and it must cost nothing: texts count, the rest is taken as a constant. */
const sizeOf = (event: ExchangeEvent): number => {
  if (event.kind === 'exchange') {
    return 3072 + event.request.target.length + event.request.body.length + event.response.body.length
  }
  return event.kind === 'verdict' ? 2048 + event.steps.length * 256 : 1024
}
