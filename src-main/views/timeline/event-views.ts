import type { BenchEvent, EventKind } from '../../core/contract/events.ts'
import { foldExchange, foldOwnCall, foldOwnMessage } from './fold/fold-exchange.ts'
import { foldDecision, foldDelivery, foldMessage, foldPhone, foldPush, foldVerdict } from './fold/fold-message.ts'
import { type EventOf, newTimeline, type Timeline } from './timeline.ts'

/** What the views do with one kind of event. */
type EventViews<K extends EventKind> = {
  /** Timeline: its state after the event; `none` if this kind never changes it. */
  readonly fold: ((timeline: Timeline, event: EventOf<K>) => Timeline) | 'none'
  /** Timeline, reports and recordings: the message that the event belongs to. */
  readonly message: (event: EventOf<K>) => string | undefined
  /** Reports and recordings of one message or phone: true if they need it, whichever that is. */
  readonly forAll: (event: EventOf<K>) => boolean
  /** Recorded scenarios: true if a step or the setup is made from it, by `record-scenario.ts`. */
  readonly recorded: boolean
  /** Reports: true if it helps a reader who looks for a failure. */
  readonly trouble: (event: EventOf<K>) => boolean
  /** Lists: without its long parts, so that a hundred thousand can be listed. */
  readonly brief: (event: EventOf<K>) => EventOf<K>
  /** Page: true if it reads the settings again. */
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

/** What each view does with each kind of event: a new kind compiles only with a row. */
const eventViews = {
  exchange: {
    ...aboutMessage,
    fold: (timeline, event) => foldOwnCall(foldExchange(timeline, event), event),
    trouble: ({ response, faults }) => response.code !== 0 || faults !== undefined,
    brief: (event) => ({
      ...event,
      request: { ...event.request, headers: [], body: '' },
      // Readers look for the changes of a fault.
      response: { ...event.response, headers: [], body: event.faults === undefined ? '' : event.response.body },
    }),
    // A triggered fault may be used up.
    changesSettings: ({ faults }) => faults !== undefined,
  },
  message: {
    ...aboutMessage,
    fold: (timeline, event) => foldOwnMessage(foldMessage(timeline, event), event),
    recorded: true,
    trouble: ({ to }) => to === 'fail' || to === 'timeout',
  },
  delivery: {
    ...aboutMessage,
    fold: (timeline, event) => foldOwnMessage(foldDelivery(timeline, event), event),
  },
  decision: { ...aboutMessage, fold: foldDecision },
  push: { ...aboutMessage, fold: foldPush },
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
    fold: foldPhone,
    message: ({ act, struck }) => act?.msg_id ?? struck?.msg_id,
    recorded: true,
    trouble: ({ word, struck }) => word !== undefined || struck !== undefined,
    brief: ({ phone: _, ...event }) => event,
  },
  clock: { ...aboutWorkspace, forAll: yes },
  setting: {
    ...aboutWorkspace,
    // Leases of other tests end all the time.
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

/** The kinds of events that a timeline is made of. */
export const FOLDED_KINDS = KINDS.filter((kind) => eventViews[kind].fold !== 'none')

/** The kinds from which a scenario is recorded. */
export const RECORDED_KINDS = KINDS.filter((kind) => eventViews[kind].recorded)
export type RecordedKind = { [K in EventKind]: (typeof eventViews)[K]['recorded'] extends true ? K : never }[EventKind]

export const viewsOf = ({ kind }: BenchEvent): EventViews<EventKind> => eventViews[kind] as EventViews<EventKind>

export const messageOf = (event: BenchEvent): string | undefined => viewsOf(event).message(event)
export const isTrouble = (event: BenchEvent): boolean => viewsOf(event).trouble(event)
export const briefEvent = (event: BenchEvent): BenchEvent => viewsOf(event).brief(event)

/** Adds an event. State changes arrive before the exchange that caused them, so they wait for it under its id. */
export const foldTimeline = (timeline: Timeline, event: BenchEvent): Timeline => {
  const { fold } = viewsOf(event)
  return fold === 'none' ? timeline : fold(timeline, event)
}
