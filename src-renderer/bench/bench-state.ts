import type { Data } from '../../src-main/core/contract/control/routes.ts'
import type { ArmedServiceFault } from '../../src-main/core/contract/control/service-fault-routes.ts'
import type { ControlPhone, RpState } from '../../src-main/core/contract/control/states.ts'
import type { BenchEvent, EventOf } from '../../src-main/core/contract/events.ts'
import { foldTimeline, viewsOf } from '../../src-main/views/timeline/event-views.ts'
import { newTimeline } from '../../src-main/views/timeline/timeline.ts'
import { type ClockReading, catchUpWithEvent, readClock } from './clock-reading.ts'
import type { HeldEvents } from './older.ts'

export type Connection =
  | 'connecting'
  | 'live'
  /** The service is unreachable; the page shows the last known state. */
  | 'lost'
  /** The service no longer accepts the token. */
  | 'locked-out'
  /** The workspace was closed; the service still runs. */
  | 'closed'

export type Overview = Data<'overview'>

/** Everything the page shows: folded from events, or fetched after an event reported a change. */
export type BenchState = HeldEvents & {
  readonly connection: Connection
  /** The page shows a trace, so no actions are possible. */
  readonly recorded?: true
  /** Later events are new to the user, who opened the page after this one. */
  readonly newAfter: number
  /** Counts individually requested events that have arrived, so that their viewers read them again. */
  readonly looked: number
  readonly phones: readonly ControlPhone[]
  readonly rps: readonly RpState[]
  readonly armedFaults: readonly ArmedServiceFault[]
  readonly clock?: ClockReading
  readonly overview?: Overview
  /** The profile's rule for the path in signatures. */
  readonly canonicalUri: 'as-sent' | 'encoded'
  /** The clock that X-Svc-Date is compared with. */
  readonly skewClock: 'wall' | 'bench'
  /** Counts changed settings, so that their viewers fetch them again. */
  readonly settings: number
}

export const newBench = (): BenchState => ({
  connection: 'connecting',
  lastSeq: 0,
  firstSeq: 0,
  newAfter: 0,
  timeline: newTimeline(),
  looked: 0,
  phones: [],
  rps: [],
  armedFaults: [],
  canonicalUri: 'as-sent',
  skewClock: 'wall',
  settings: 0,
})

export const foldBench = (state: BenchState, event: BenchEvent, pageNow: number): BenchState => {
  if (event.seq <= state.lastSeq) return state
  const next = {
    ...state,
    lastSeq: event.seq,
    timeline: foldTimeline(state.timeline, event),
    settings: state.settings + (viewsOf(event).changesSettings(event) ? 1 : 0),
    ...(state.clock === undefined ? {} : { clock: catchUpWithEvent(state.clock, event.bench, pageNow) }),
  }
  if (event.kind === 'phone') return { ...next, phones: phonesAfter(state.phones, event) }
  if (event.kind === 'clock')
    return { ...next, clock: readClock({ ...event, offset_ms: event.now - event.wall }, pageNow) }
  // A reset deletes all phones without an event for each.
  if (event.kind === 'workspace' && event.change === 'reset') return { ...next, phones: [] }
  return next
}

const phonesAfter = (phones: readonly ControlPhone[], fact: EventOf<'phone'>): readonly ControlPhone[] => {
  if (fact.change === 'removed') return phones.filter(({ id }) => id !== fact.phone_id)
  const { phone } = fact
  if (phone === undefined) return phones
  const index = phones.findIndex(({ id }) => id === phone.id)
  return index < 0 ? [...phones, phone] : phones.with(index, phone)
}
