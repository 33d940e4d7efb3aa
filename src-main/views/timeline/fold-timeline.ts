import type { BenchEvent } from '../../core/contract/events.ts'
import { foldExchange, foldOwnCall, foldOwnMessage } from './fold/fold-exchange.ts'
import { foldDecision, foldDelivery, foldMessage, foldPhone, foldPush, foldVerdict } from './fold/fold-message.ts'
import { newTimeline, type Timeline } from './timeline.ts'

/** The kinds of events that a timeline is made of. */
export const FOLDED_KINDS = [
  'message',
  'delivery',
  'decision',
  'exchange',
  'push',
  'verdict',
  'phone',
  'workspace',
] as const satisfies readonly BenchEvent['kind'][]

/** One more event. State changes are observed before the exchange that caused them, so they wait for it by its id. */
export const foldTimeline = (timeline: Timeline, event: BenchEvent): Timeline => {
  switch (event.kind) {
    case 'message':
      return foldOwnMessage(foldMessage(timeline, event), event)
    case 'delivery':
      return foldOwnMessage(foldDelivery(timeline, event), event)
    case 'decision':
      return foldDecision(timeline, event)
    case 'exchange':
      return foldOwnCall(foldExchange(timeline, event), event)
    case 'push':
      return foldPush(timeline, event)
    case 'verdict':
      return foldVerdict(timeline, event)
    case 'phone':
      return foldPhone(timeline, event)
    case 'workspace':
      return event.change === 'opened' ? timeline : { ...newTimeline(), most: timeline.most }
    default:
      return timeline
  }
}
