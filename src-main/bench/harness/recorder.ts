import {
  type BenchEvent,
  EVENT_VERSION,
  type EventDraft,
  type EventKind,
  type ExchangeFact,
  type Observe,
} from '../../core/contract/events.ts'
import type { HeaderPair } from '../../core/protocol/canonical-request.ts'
import { rememberByObject } from '../../core/protocol/remember.ts'
import type { Clock } from '../../core/protocol/time.ts'
import { createTape, type Direction, type Tape, type TapeLimits } from './tape.ts'

/** A poll is one event of a quarter of a KiB, a whole sign-in about ten of 8 KiB together: room for 100,000 exchanges. */
export const DEFAULT_RETENTION: TapeLimits = { count: 400_000, bytes: 256 * 1024 * 1024 }

export type RecorderOptions = {
  readonly wall: Clock
  readonly bench: (workspace: string) => Clock
  readonly retention?: TapeLimits
  /** Without it the tape is only in memory. */
  readonly makeTape?: (workspace: string, limits: TapeLimits) => Tape
  /** The last number of a workspace that has no tape yet. */
  readonly lastStored?: (workspace: string) => number
}

export type EventsQuery = {
  readonly after?: number
  readonly limit?: number
  /** The page ends with the event that reaches this many characters, so even a long one fits. */
  readonly characters?: number
  /** Returns the last events within the limit instead of the first ones. */
  readonly latest?: boolean
  readonly kinds?: readonly EventKind[]
  /** Texts that must be whole values of the event: they are searched for before it is decoded. */
  readonly mentions?: readonly string[]
  readonly matches?: (event: BenchEvent) => boolean
}

export type EventsPage = ReturnType<typeof pageOf>

export type Recorder = ReturnType<typeof createRecorder>

export type RecorderWatcher = { changed(workspace: string): void; closing(workspace: string): void }

type Track = { readonly tape: Tape; readonly lastBefore: number; readonly listeners: Set<Listening> }

type Listening = { readonly listener: (event: BenchEvent) => void; readonly closed: (() => void) | undefined }

/** Recording never fails and never waits. */
export const createRecorder = ({
  wall,
  bench,
  retention = DEFAULT_RETENTION,
  makeTape = (_, limits) => createTape(limits),
  lastStored = () => 0,
}: RecorderOptions) => {
  const tracks = new Map<string, Track>()
  const watchers = new Set<RecorderWatcher>()
  const { waiting, take, ...announcing } = createAnnouncements()
  const trackOf = (workspace: string): Track => {
    const known = tracks.get(workspace)
    if (known !== undefined) return known
    const tape = makeTape(workspace, retention)
    const track: Track = { tape, lastBefore: tape.last(), listeners: new Set() }
    tracks.set(workspace, track)
    return track
  }

  const observe: Observe = (workspace, fact, at) => {
    const announced = waiting.size > 0 && fact.kind === 'exchange' ? take(workspace, fact) : undefined
    const draft = announced === undefined ? fact : { ...fact, ...announced.marks }
    const { tape, listeners } = trackOf(workspace)
    const seq = tape.last() + 1
    const when = at ?? { wall: wall.now(), bench: bench(workspace).now() }
    const head = { v: EVENT_VERSION, seq, workspace, wall: when.wall, bench: when.bench } as const
    if (listeners.size === 0) tape.append(draft.kind, encodeEvent(head, draft))
    else {
      const event: BenchEvent = { ...head, ...draft }
      tape.append(draft.kind, draft.kind === 'exchange' ? encodeEvent(head, draft) : [eventJson(event)])
      for (const { listener } of listeners) listener(event)
    }
    if (draft.kind === 'exchange') announced?.onRecorded?.({ seq, code: draft.response.code })
    for (const { changed } of watchers) changed(workspace)
  }

  return {
    observe,
    read: (workspace: string, query: EventsQuery = {}): EventsPage => pageOf(trackOf(workspace).tape, query),
    lastSeq: (workspace: string): number => tracks.get(workspace)?.tape.last() ?? lastStored(workspace),
    /** The last number of earlier runs; 0 if there are none. */
    lastBefore: (workspace: string): number => trackOf(workspace).lastBefore,
    /** Calls `listener` for each new event, in order, and `closed` when the workspace is forgotten. */
    listen: (workspace: string, listener: (event: BenchEvent) => void, closed?: () => void): (() => void) => {
      const { listeners } = trackOf(workspace)
      const listening: Listening = { listener, closed }
      listeners.add(listening)
      return () => void listeners.delete(listening)
    },
    ...announcing,
    /** Called on every event, with the workspace only, and before a workspace is forgotten. */
    watch: (watcher: RecorderWatcher): (() => void) => {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    forget: (workspace: string): void => {
      for (const { closing } of watchers) closing(workspace)
      const listeners = [...(tracks.get(workspace)?.listeners ?? [])]
      tracks.delete(workspace)
      for (const { closed } of listeners) closed?.()
    },
  }
}

/** Facts about a call that the service cannot know. */
export type CallMarks = Pick<ExchangeFact, 'asked_by' | 'resent'>

/** Recognises an RP's call when it arrives; without a signature, by its request line. */
type RpCall = { readonly headers: readonly HeaderPair[]; readonly method?: string; readonly target?: string }

/** The number of the call's event, and the code of its answer. */
export type RecordedCall = { readonly seq: number; readonly code: number }

type Announced = { readonly marks: CallMarks; readonly onRecorded?: (call: RecordedCall) => void }

/** Maximum number of announced calls to wait for: one that never reaches the service would stay forever. */
const MAX_WAITING = 1_000

const createAnnouncements = () => {
  // Two requests of one second can carry the same signature, and each is announced.
  const waiting = new Map<string, readonly Announced[]>()

  const add = (key: string, announced: Announced): void => {
    waiting.set(key, [...(waiting.get(key) ?? []), announced])
    for (const oldest of waiting.keys()) {
      if (waiting.size <= MAX_WAITING) break
      waiting.delete(oldest)
    }
  }

  return {
    waiting,
    /** The bench is about to make this call of an RP: the event of the call gets the marks. */
    announce: (workspace: string, call: RpCall & Announced): void => add(keyOfCall(workspace, call), call),
    /** The same for a phone's next answer to this message. Returns a function that cancels. */
    announceAnswer: (workspace: string, { msgId, ...announced }: { readonly msgId: string } & Announced) => {
      const key = keyOfAnswer(workspace, msgId)
      add(key, announced)
      return () => void waiting.delete(key)
    },
    take: (workspace: string, draft: Exchange): Announced | undefined => {
      const key = keyOfDraft(workspace, draft)
      const [announced, ...rest] = (key && waiting.get(key)) || []
      if (key === undefined || announced === undefined) return undefined
      if (rest.length === 0) waiting.delete(key)
      else waiting.set(key, rest)
      return announced
    },
  }
}

const keyOfAnswer = (workspace: string, msgId: string): string => `${workspace} answer ${msgId}`

/** An event shows an Authorization header only if it is a signature. */
const keyOfCall = (workspace: string, { headers, method, target }: RpCall): string => {
  const authorization = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? ''
  return `${workspace} ${authorization.startsWith('SVC-') ? authorization : `${method} ${target}`}`
}

const keyOfDraft = (workspace: string, draft: Exchange): string | undefined => {
  const { request, msg_id: msgId } = draft
  if (draft.interface === 'app') {
    const isAnswer = msgId !== undefined && /\/(attestation|assertion)$/.test(request.route ?? '')
    return isAnswer ? keyOfAnswer(workspace, msgId) : undefined
  }
  return keyOfCall(workspace, request)
}

const pageOf = (tape: Tape, query: EventsQuery) => {
  const { after = 0, limit = Number.POSITIVE_INFINITY, latest = false, mentions = [] } = query
  let { characters = Number.POSITIVE_INFINITY } = query
  const wanted = { ...query, mentions: mentions.map((value) => ({ value, forms: formsOf(value) })) }
  const [first, last] = [tape.first(), tape.last()]
  const from = Math.max(first, after + 1)
  const step: Direction = latest ? -1 : 1
  const found: BenchEvent[] = []
  let more = false
  for (let n = tape.near(latest ? last : from, step); n !== undefined && n >= from; n = tape.near(n + step, step)) {
    const event = wantedAt(tape, n, wanted)
    if (event === undefined) continue
    if (found.length >= limit || characters <= 0) {
      more = true
      break
    }
    found.push(event)
    characters -= sizeAt(tape, n)
  }
  if (latest) found.reverse()
  return { events: found, first_seq: first > last ? 0 : first, last_seq: last, more }
}

const sizeAt = (tape: Tape, n: number): number => (tape.textsAt(n) ?? []).reduce((sum, { length }) => sum + length, 0)

type Wanted = Pick<EventsQuery, 'kinds' | 'matches'> & {
  readonly mentions: readonly { readonly value: string; readonly forms: readonly string[] }[]
}

const wantedAt = (tape: Tape, n: number, { kinds, mentions, matches }: Wanted): BenchEvent | undefined => {
  if (kinds !== undefined && !kinds.some((kind) => kind === tape.kindAt(n))) return undefined
  if (mentions.some(({ forms }) => !forms.some((form) => tape.mayHold(n, form)))) return undefined
  const texts = tape.textsAt(n)
  if (texts === undefined || mentions.some(({ value }) => !mayContain(texts, value))) return undefined
  const event = decodeEvent(texts)
  return matches?.(event) === false ? undefined : event
}

type EventHead = Pick<BenchEvent, 'v' | 'seq' | 'workspace' | 'wall' | 'bench'>

/** An event with several listeners is serialized once. */
export const eventJson = rememberByObject((event: BenchEvent) => JSON.stringify(event))

/**
 * The stored texts of an event: usually one, its JSON. Exchanges, the most frequent events, are stored in parts. A part
 * that equals its neighbour or the same part of the last exchange is not stored again. Parts that are often equal are
 * therefore adjacent.
 * Exchanges that faults or conditions changed, or that were sent again, have more members and are stored as JSON.
 */
export const encodeEvent = (head: EventHead, draft: EventDraft): readonly string[] =>
  draft.kind === 'exchange' &&
  draft.faults === undefined &&
  draft.conditions === undefined &&
  draft.resent === undefined
    ? encodeExchange(head, draft)
    : [`${headText(head)},${JSON.stringify(draft).slice(1)}`]

const headText = ({ v, seq, workspace, wall, bench }: EventHead): string =>
  `{"v":${v},"seq":${seq},"workspace":${JSON.stringify(workspace)},"wall":${wall},"bench":${bench}`

export const decodeEvent = (texts: readonly string[]): BenchEvent =>
  texts.length === 1 ? (JSON.parse(texts[0] ?? '') as BenchEvent) : decodeExchange(texts)

/** False if no value of the event is this text; true if one may be. */
export const mayContain = (texts: readonly string[], value: string): boolean =>
  texts.length === 1 ? (texts[0] ?? '').includes(JSON.stringify(value)) : texts.includes(value)

const formsOf = (value: string): readonly string[] => [...new Set([value, JSON.stringify(value).slice(1, -1)])]

type Exchange = Extract<EventDraft, { readonly kind: 'exchange' }>

const encodeExchange = (head: EventHead, fact: Exchange): readonly string[] => {
  const { actor, request, response } = fact
  const texts = [
    fact.kind,
    `${head.seq}`,
    head.workspace,
    `${head.wall}`,
    `${head.bench}`,
    fact.interface,
    `${fact.took_us}`,
    request.id,
    fact.cause ?? '',
    actor.kind,
    actor.id ?? '',
    fact.rp_id ?? '',
    fact.device_id ?? '',
    fact.access_key_id ?? '',
    fact.scope ?? '',
    fact.msg_id ?? '',
    fact.asked_by ?? '',
    fact.answered_by ?? '',
    fact.traceparent ?? '',
    request.method,
    request.target,
    request.route ?? '',
    request.body,
    `${request.body_bytes}`,
    `${response.status}`,
    `${response.code}`,
    response.body,
    `${request.headers.length}`,
  ]
  for (const [name, value] of request.headers) texts.push(name, value)
  for (const [name, value] of response.headers) texts.push(name, value)
  return texts
}

const decodeExchange = (texts: readonly string[]): BenchEvent => {
  let at = 1
  const text = (): string => texts[at++] ?? ''
  const number = (): number => Number(text())
  const pairs = (count: number): readonly HeaderPair[] => Array.from({ length: count }, () => [text(), text()] as const)

  const seq = number()
  const workspace = text()
  const [wall, bench] = [number(), number()]
  const side = text() as ExchangeFact['interface']
  const took_us = number()
  const id = text()
  const cause = given({ cause: text() })
  const actor = { kind: text() as BenchEvent['actor']['kind'], ...given({ id: text() }) }
  const known = given({
    rp_id: text(),
    device_id: text(),
    access_key_id: text(),
    scope: text(),
    msg_id: text(),
    asked_by: text(),
    answered_by: text() as ExchangeFact['answered_by'] & string,
    traceparent: text(),
  })
  const [method, target] = [text(), text()]
  const route = given({ route: text() })
  const [body, body_bytes] = [text(), number()]
  const [status, code, answer] = [number(), number(), text()]
  const headers = pairs(number())
  const answered = pairs((texts.length - at) / 2)
  return {
    ...{ v: EVENT_VERSION, seq, workspace, wall, bench, kind: 'exchange', interface: side },
    request: { id, method, target, ...route, headers, body, body_bytes },
    response: { status, code, headers: answered, body: answer },
    ...{ took_us, ...known, actor, ...cause },
  }
}

/** An empty text means an absent member. */
const given = <T extends Readonly<Record<string, string>>>(parts: T): Partial<T> =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== '')) as Partial<T>
