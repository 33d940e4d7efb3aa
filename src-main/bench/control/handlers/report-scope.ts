import type { Query } from '../../../core/contract/control/routes.ts'
import { type Refusal, refuse } from '../../../core/contract/errors.ts'
import type { BenchEvent } from '../../../core/contract/events.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import { eventsOfCall, eventsOfMessage } from '../../../views/recording/events-of-message.ts'
import { eventsOfPhone } from '../../../views/report/events-of-phone.ts'
import { messageOf } from '../../../views/timeline/event-views.ts'
import type { Recorder } from '../../harness/recorder.ts'
import { PAGE_CHARACTERS, RECORDED_EVENTS, readStateEvents } from './events-before.ts'
import { findExchange } from './explain-exchange.ts'

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
