import type { BenchEvent } from '../../../core/contract/events.ts'

/** What a scenario must see in the end: the judge refuses at the same step, or the request expires. */
export const proofOf = (events: readonly BenchEvent[]): Readonly<Record<string, unknown>> | undefined => {
  const judged = events.findLast((event) => event.kind === 'verdict' && !event.accepted)
  if (judged?.kind === 'verdict' && judged.failure !== undefined) {
    return { kind: 'verdict', accepted: false, failure: judged.failure }
  }
  const ended = events.findLast((event) => event.kind === 'message')
  return ended?.kind === 'message' && ended.to === 'timeout' ? { kind: 'message', to: 'timeout' } : undefined
}
