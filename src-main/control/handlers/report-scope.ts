import type { Query } from '../../contract/control/routes.ts'
import type { BenchEvent } from '../../contract/events.ts'
import type { Recorder } from '../../harness/recorder.ts'
import { eventsOfCall, eventsOfMessage, messageOf } from '../../recording/events-of-message.ts'
import { eventsOfPhone } from '../../report/events-of-phone.ts'
import { eventsBefore, RECORDED_EVENTS } from './events-before.ts'

/** What a report is about. */
export type ReportScope = {
  /** What happened after this event is told; what was before is made anew. */
  readonly after: number
  readonly before: readonly BenchEvent[]
  readonly during: readonly BenchEvent[]
  /** Why its scenario could not be whole. */
  readonly lacks: 'beginning' | 'end' | undefined
}

const PAGE_CHARACTERS = 32 * 1024 * 1024

/** Undefined where there is no such message or exchange. */
export const reportScope = (
  recorder: Recorder,
  workspace: string,
  { msg_id, seq, phone_id, after = 0 }: Query<'events.agent-report'>,
): ReportScope | undefined => {
  const read = (from: number, to: number) => {
    const matches = (event: BenchEvent): boolean => event.seq <= to
    return recorder.read(workspace, { after: from, limit: RECORDED_EVENTS, characters: PAGE_CHARACTERS, matches })
  }
  if (seq !== undefined) {
    const [call] = recorder.read(workspace, { after: seq - 1, limit: 1 }).events
    if (call?.seq !== seq || call.kind !== 'exchange') return undefined
    if (call.msg_id !== undefined) return reportScope(recorder, workspace, { msg_id: call.msg_id })
    const before = eventsBefore(recorder, workspace, seq - 1)
    const of = eventsOfCall([...before, call], call)
    return { after: seq - 1, before: of.filter((event) => event !== call), during: [call], lacks: undefined }
  }
  if (msg_id !== undefined) {
    const isOwn = (event: BenchEvent): boolean => messageOf(event) === msg_id
    const own = recorder.read(workspace, {
      ...{ after: 0, limit: RECORDED_EVENTS, characters: PAGE_CHARACTERS, mentions: [msg_id], matches: isOwn },
    }).events
    const [first] = own
    if (first === undefined) return undefined
    const from = first.seq - 1
    const { events, more } = read(from, own.at(-1)?.seq ?? from)
    const all = eventsOfMessage([...eventsBefore(recorder, workspace, from), ...events], msg_id)
    const begins = first.kind === 'message' && first.from === undefined
    return { ...parted(all, from), lacks: begins ? (more ? 'end' : undefined) : 'beginning' }
  }
  const { events, more } = read(after, Number.POSITIVE_INFINITY)
  const earlier = after === 0 ? [] : eventsBefore(recorder, workspace, after)
  const all = [...earlier, ...events]
  const lost = (recorder.read(workspace, { limit: 1 }).events[0]?.seq ?? 1) > 1 && after === 0
  const lacks = more ? 'end' : lost ? 'beginning' : undefined
  return { ...parted(phone_id === undefined ? all : eventsOfPhone(all, phone_id), after), lacks }
}

const parted = (events: readonly BenchEvent[], after: number) => ({
  after,
  before: events.filter((event) => event.seq <= after),
  during: events.filter((event) => event.seq > after),
})
