import type { Data } from '../../src-main/core/contract/control/routes.ts'
import type { ArmedServiceFault } from '../../src-main/core/contract/control/service-fault-routes.ts'
import type { ControlPhone, RpState } from '../../src-main/core/contract/control/states.ts'
import type { BenchEvent } from '../../src-main/core/contract/events.ts'
import { foldTimeline, viewsOf } from '../../src-main/views/timeline/event-views.ts'
import { newTimeline, type Timeline } from '../../src-main/views/timeline/timeline.ts'
import { type ClockReading, readClock, readEvent } from './clock-reading.ts'
import type { Counted, Search } from './older.ts'

export type Connection =
  /** The first events have not come yet. */
  | 'connecting'
  | 'live'
  /** The service is gone; the page shows the last known state. */
  | 'lost'
  /** The token is not accepted any more. */
  | 'locked-out'
  /** The workspace is gone; the service goes on. */
  | 'closed'

export type Overview = Data<'overview'>

/** Everything the page shows: from events, and from the answers to questions when events reported a change. */
export type BenchState = {
  readonly connection: Connection
  /** A trace is looked at: nothing can be done any more. */
  readonly recorded?: true
  readonly lastSeq: number
  /** The oldest event that the service keeps, when it last said so; 0 when it has none. */
  readonly firstSeq: number
  /** The last event before the page was opened: later ones are news. */
  readonly newAfter: number
  readonly timeline: Timeline
  /** While older exchanges are being fetched or searched: the share that is done, from 0 to 1. */
  readonly fetched?: number | undefined
  /** The search that the service does beyond this page. */
  readonly search?: Search | undefined
  readonly counted?: Counted | undefined
  /** Counts events that were requested one by one and have come, so that their viewers read them again. */
  readonly looked: number
  readonly phones: readonly ControlPhone[]
  readonly rps: readonly RpState[]
  /** Faults that the service is armed with, towards RPs. */
  readonly lies: readonly ArmedServiceFault[]
  readonly clock?: ClockReading
  readonly overview?: Overview
  /** The profile's rule for the path, with which signatures are looked into. */
  readonly canonicalUri: 'as-sent' | 'encoded'
  /** The profile's choice of the clock that X-Svc-Date is held against. */
  readonly skewClock: 'wall' | 'bench'
  /** Counts settings that changed, so that their viewers ask again. */
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
  lies: [],
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
    ...(state.clock === undefined ? {} : { clock: readEvent(state.clock, event.bench, pageNow) }),
  }
  if (event.kind === 'phone') return { ...next, phones: phonesAfter(state.phones, event) }
  if (event.kind === 'clock')
    return { ...next, clock: readClock({ ...event, offset_ms: event.now - event.wall }, pageNow) }
  // A reset takes the phones with it, without a word about each.
  if (event.kind === 'workspace' && event.change === 'reset') return { ...next, phones: [] }
  return next
}

const phonesAfter = (
  phones: readonly ControlPhone[],
  fact: Extract<BenchEvent, { kind: 'phone' }>,
): readonly ControlPhone[] => {
  if (fact.change === 'removed') return phones.filter(({ id }) => id !== fact.phone_id)
  const { phone } = fact
  if (phone === undefined) return phones
  const index = phones.findIndex(({ id }) => id === phone.id)
  return index < 0 ? [...phones, phone] : phones.with(index, phone)
}
