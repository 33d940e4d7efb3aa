import { setImmediate } from 'node:timers/promises'
import type { Query } from '../../../core/contract/control/routes.ts'
import type { RpState } from '../../../core/contract/control/states.ts'
import { type Refusal, refuse } from '../../../core/contract/errors.ts'
import type { BenchEvent } from '../../../core/contract/events.ts'
import type { TracedSignature } from '../../../core/contract/trace.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import type { Admin } from '../../../service/admin/create-admin.ts'
import { isAffected } from '../../../views/recording/index-events.ts'
import { eventsOfCall, eventsOfMessage, eventsOfPhone } from '../../../views/recording/related-events.ts'
import { isTrouble, messageOf, RECORDED_KINDS } from '../../../views/timeline/event-views.ts'
import { type TraceEntry, writeTrace } from '../../../views/trace/write-trace.ts'
import type { Recorder } from '../../harness/recorder.ts'
import type { ControlParts } from '../handler.ts'
import { explainExchanges, findExchange } from './explain-exchange.ts'

/** A scenario of more events would be too long to read. */
export const RECORDED_EVENTS = 10_000
/** Limit of one answer; the client reads the rest page by page. */
export const PAGE_CHARACTERS = 32 * 1024 * 1024

/** A browser opens a page with more events too slowly. */
const MAX_EVENTS = 3000
const MAX_CHARACTERS = 8 * 1024 * 1024
const MAX_FAILURES = 300
const SLICE = 1000

/** The latest events; if there are more, also earlier ones that show a failure. */
export const readReportEvents = async (recorder: Recorder, workspace: string, after: number) => {
  const { events, more } = recorder.read(workspace, {
    after,
    limit: MAX_EVENTS,
    latest: true,
    characters: MAX_CHARACTERS,
  })
  const first = events[0]?.seq
  if (!more || first === undefined) return { events, leftOut: 0 }
  const failures: BenchEvent[] = []
  let earlier = 0
  for (let last = after; last < first - 1; ) {
    const page = recorder.read(workspace, { after: last, limit: SLICE })
    const before = page.events.filter(({ seq }) => seq < first)
    earlier += before.length
    failures.push(...before.filter(isTrouble))
    if (failures.length > MAX_FAILURES) failures.splice(0, failures.length - MAX_FAILURES)
    const end = before.at(-1)?.seq
    if (end === undefined || before.length < page.events.length || !page.more) break
    last = end
    // Other requests are served in between.
    await setImmediate()
  }
  return { events: [...failures, ...events], leftOut: earlier - failures.length }
}

/** Maximum number of events in one trace; the page and the SDK save a longer trace in several reads. */
const TRACE_EVENTS = 20_000
const MAX_SIGNATURES = 100

export const makeTrace = async (parts: ControlParts, workspace: string, query: Query<'events.trace'>) => {
  const { title = '', after = 0, phone_id } = query
  const { recorder, admin, real, info } = parts
  const limits = { limit: TRACE_EVENTS, latest: true, characters: PAGE_CHARACTERS }
  const kept = recorder.read(workspace, { after, ...limits })
  const found = phone_id === undefined ? kept.events : eventsOfPhone(kept.events, phone_id)
  const events = await addOpinions(admin, workspace, found)
  const earlier = kept.more ? { began_earlier: true as const } : {}
  const named = await listRpsIfReadable(parts, workspace)
  const header = { handset: info.version, title, workspace, saved: Math.round(real.now()), ...earlier, ...named }
  const signatures = await explainExchanges(parts, workspace, { events, most: MAX_SIGNATURES })
  return writeTrace(header, entriesOf(events, signatures))
}

export const entriesOf = (
  events: readonly BenchEvent[],
  signatures: readonly TracedSignature[],
): readonly TraceEntry[] => [...events.map((event) => ({ event })), ...signatures.map((signature) => ({ signature }))]

export type ReportScope = {
  /** The report covers later events; its scenario recreates the state before. */
  readonly after: number
  readonly before: readonly BenchEvent[]
  readonly during: readonly BenchEvent[]
  readonly lacks: 'beginning' | 'end' | undefined
}

/** A larger step of the clock between two events means that it was moved. */
const JUMP_MS = 1000

export const reportScope = (
  recorder: Recorder,
  workspace: string,
  { msg_id, seq, phone_id, after = 0 }: Query<'events.agent-report'>,
): Result<ReportScope, Refusal> => {
  const read = (from: number, to: number) => {
    const matches = (event: BenchEvent): boolean => event.seq <= to
    return recorder.read(workspace, { after: from, limit: RECORDED_EVENTS, characters: PAGE_CHARACTERS, matches })
  }
  if (seq !== undefined) {
    const found = findExchange({ recorder }, workspace, seq)
    if (!found.ok) return found
    const call = found.value
    if (call.msg_id !== undefined) return reportScope(recorder, workspace, { msg_id: call.msg_id })
    const before = readStateEvents(recorder, workspace, seq - 1)
    const of = eventsOfCall([...before, call], call)
    return ok({ after: seq - 1, before: of.filter((event) => event !== call), during: [call], lacks: undefined })
  }
  if (msg_id !== undefined) {
    const isOwn = (event: BenchEvent): boolean => messageOf(event) === msg_id
    const own = recorder.read(workspace, {
      ...{ after: 0, limit: RECORDED_EVENTS, characters: PAGE_CHARACTERS, mentions: [msg_id], matches: isOwn },
    }).events
    const [first] = own
    if (first === undefined) return err(refuse('not_found', { code: 'no_message_events', params: { id: msg_id } }))
    const from = first.seq - 1
    const { events, more } = read(from, endOf(recorder, workspace, own))
    const all = eventsOfMessage([...readStateEvents(recorder, workspace, from), ...events], msg_id)
    const begins = first.kind === 'message' && first.from === undefined
    return ok({ ...parted(all, from), lacks: begins ? (more ? 'end' : undefined) : 'beginning' })
  }
  const { events, more } = read(after, Number.POSITIVE_INFINITY)
  const earlier = after === 0 ? [] : readStateEvents(recorder, workspace, after)
  const all = [...earlier, ...events]
  const lost = (recorder.read(workspace, { limit: 1 }).events[0]?.seq ?? 1) > 1 && after === 0
  const lacks = more ? 'end' : lost ? 'beginning' : undefined
  return ok({ ...parted(phone_id === undefined ? all : eventsOfPhone(all, phone_id), after), lacks })
}

/** End of a message’s events. A clock move is recorded after the events that it caused. */
const endOf = (recorder: Recorder, workspace: string, own: readonly BenchEvent[]): number => {
  const last = own.at(-1)?.seq ?? 0
  const jumped = own.findLast((event, i) => {
    const before = own[i - 1] ?? event
    return event.bench - before.bench > event.wall - before.wall + JUMP_MS
  })
  if (jumped === undefined) return last
  const [moved] = recorder.read(workspace, { after: jumped.seq, limit: 1, kinds: ['clock'] }).events
  return Math.max(last, moved?.seq ?? last)
}

const parted = (events: readonly BenchEvent[], after: number) => ({
  after,
  before: events.filter((event) => event.seq <= after),
  during: events.filter((event) => event.seq > after),
})

/** Event members that list a call's faults or conditions. Each such call lowers their remaining counts. */
const STRUCK = ['faults', 'conditions'] as const

/** Events that explain a workspace's state. Includes only those calls that sign in or had faults or conditions. */
const readStateEvents = (recorder: Recorder, workspace: string, after: number): readonly BenchEvent[] => {
  const matches = ({ seq }: BenchEvent): boolean => seq <= after
  // If there are too many events, only the latest are read: a phone’s last event has its whole state.
  const all = { after: 0, limit: Number.POSITIVE_INFINITY, characters: PAGE_CHARACTERS, latest: true, matches }
  const signIns = recorder.read(workspace, { ...all, kinds: ['exchange'], mentions: ['/app/devices'] }).events
  const changed = STRUCK.flatMap(
    (text) =>
      recorder.read(workspace, {
        ...all,
        ...{ kinds: ['exchange'], mentions: [text] },
        matches: (event) => matches(event) && event.kind === 'exchange' && isAffected(event),
      }).events,
  )
  const others = recorder.read(workspace, { ...all, kinds: RECORDED_KINDS }).events
  const bySeq = new Map([...signIns, ...changed, ...others].map((event) => [event.seq, event]))
  return [...bySeq.values()].sort((one, other) => one.seq - other.seq)
}

/** The RPs, to show their names; absent if they cannot be read. */
export const listRpsIfReadable = async (
  { admin }: Pick<ControlParts, 'admin'>,
  workspace: string,
): Promise<{ readonly rps?: readonly RpState[] }> => {
  const rps = await admin.rps.list(workspace)
  return rps.ok ? { rps: rps.value } : {}
}

/** Second opinions are formed outside of requests and are not recorded. */
export const addOpinions = async (
  { secondOpinions }: Pick<Admin, 'secondOpinions'>,
  workspace: string,
  events: readonly BenchEvent[],
): Promise<readonly BenchEvent[]> => {
  const complete = async (event: BenchEvent): Promise<BenchEvent> => {
    const isOpen = event.kind === 'verdict' && event.second_opinion === undefined
    const second_opinion = isOpen ? await secondOpinions.of(workspace, event.msg_id) : undefined
    return second_opinion === undefined ? event : ({ ...event, second_opinion } as BenchEvent)
  }
  // In parallel, since an opinion of another process takes time.
  return Promise.all(events.map(complete))
}
