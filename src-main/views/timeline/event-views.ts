import type { BenchEvent, EventKind, EventOf, StageEvent } from '../../core/contract/events.ts'
import { foldExchange, foldServerCall, foldServerMessage, foldSignal } from './fold/fold-exchange.ts'
import { foldDecision, foldDelivery, foldMessage, foldPhone, foldStage, foldVerdict } from './fold/fold-message.ts'
import { newTimeline, type Timeline } from './timeline.ts'

type EventViews<K extends EventKind> = {
  /** Timeline: returns its state after the event; `none` if this kind never changes the timeline, as a stage does. */
  readonly fold:
    | ((timeline: Timeline, event: EventOf<K>) => Timeline)
    | (EventOf<K> extends StageEvent ? never : 'none')
  /** Timeline, reports and recordings: the message that the event belongs to. */
  readonly message: (event: EventOf<K>) => string | undefined
  /** Reports and recordings: true if every message and phone needs the event. */
  readonly forAll: (event: EventOf<K>) => boolean
  /** Recorded scenarios: true if `record-scenario.ts` makes a step or part of the setup from the event. */
  readonly recorded: boolean
  /** Reports: true if the event helps to find a failure. */
  readonly trouble: (event: EventOf<K>) => boolean
  /** Lists: the event without its long parts, so that a hundred thousand can be listed. */
  readonly brief: (event: EventOf<K>) => EventOf<K>
  /** Page: true if it must read the settings again. */
  readonly changesSettings: (event: EventOf<K>) => boolean
}

const no = () => false
const yes = () => true
const none = () => undefined
const whole = <E>(event: E): E => event
const named = ({ msg_id }: { readonly msg_id?: string | undefined }) => msg_id

const inNoView = {
  fold: 'none',
  message: none,
  forAll: no,
  recorded: false,
  trouble: no,
  brief: whole,
  changesSettings: no,
} as const
const aboutMessage = { ...inNoView, message: named }
const aboutWorkspace = { ...inNoView, recorded: true } as const

/** A new kind of event does not compile without an entry. */
const eventViews = {
  exchange: {
    ...aboutMessage,
    fold: (timeline, event) => foldServerCall(foldExchange(timeline, event), event),
    trouble: ({ response, faults }) => response.code !== 0 || faults !== undefined,
    brief: (event) => ({
      ...event,
      request: { ...event.request, headers: [], body: '' },
      // Bodies changed by a fault are kept, because readers look for the changes.
      response: { ...event.response, headers: [], body: event.faults === undefined ? '' : event.response.body },
    }),
    // A triggered fault may be used up.
    changesSettings: ({ faults }) => faults !== undefined,
  },
  message: {
    ...aboutMessage,
    fold: (timeline, event) => foldServerMessage(foldMessage(timeline, event), event),
    recorded: true,
    trouble: ({ to }) => to === 'fail' || to === 'timeout',
  },
  delivery: { ...aboutMessage, fold: (timeline, event) => foldServerMessage(foldDelivery(timeline, event), event) },
  decision: { ...aboutMessage, fold: foldDecision },
  push: { ...aboutMessage, fold: foldStage },
  verdict: {
    ...aboutMessage,
    fold: foldVerdict,
    trouble: ({ accepted }) => !accepted,
    brief: (event) => ({ ...event, steps: [] }),
  },
  credential: { ...aboutWorkspace, changesSettings: yes },
  device: aboutWorkspace,
  phone: {
    ...aboutMessage,
    fold: (timeline, event) => foldSignal(foldPhone(timeline, event), event),
    message: ({ act, struck }) => act?.msg_id ?? struck?.msg_id,
    recorded: true,
    trouble: ({ word, struck, signal }) => (word ?? struck ?? signal) !== undefined,
    brief: ({ phone: _, ...event }) => event,
  },
  clock: { ...aboutWorkspace, forAll: yes },
  setting: {
    ...aboutWorkspace,
    // Leases of other tests end often and are irrelevant.
    forAll: ({ subject }) => subject !== 'lease' && subject !== 'token',
    changesSettings: yes,
  },
  workspace: {
    ...aboutWorkspace,
    fold: (timeline, { change }) => (change === 'opened' ? timeline : { ...newTimeline(), most: timeline.most }),
    forAll: yes,
    changesSettings: yes,
  },
} as const satisfies { readonly [K in EventKind]: EventViews<K> }

const KINDS = Object.keys(eventViews) as EventKind[]

export const FOLDED_KINDS = KINDS.filter((kind) => eventViews[kind].fold !== 'none')

export const RECORDED_KINDS = KINDS.filter((kind) => eventViews[kind].recorded)
export type RecordedKind = { [K in EventKind]: (typeof eventViews)[K]['recorded'] extends true ? K : never }[EventKind]

export const viewsOf = ({ kind }: BenchEvent): EventViews<EventKind> => eventViews[kind] as EventViews<EventKind>

export const messageOf = (event: BenchEvent): string | undefined => viewsOf(event).message(event)
export const isTrouble = (event: BenchEvent): boolean => viewsOf(event).trouble(event)
export const briefEvent = (event: BenchEvent): BenchEvent => viewsOf(event).brief(event)

/** State changes arrive before the exchange that caused them, so they are kept until it arrives. */
export const foldTimeline = (timeline: Timeline, event: BenchEvent): Timeline => {
  const { fold } = viewsOf(event)
  return fold === 'none' ? timeline : fold(timeline, event)
}
