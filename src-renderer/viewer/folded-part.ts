import type { BenchEvent } from '../../src-main/core/contract/events.ts'
import { FOLDED_KINDS } from '../../src-main/views/timeline/fold-timeline.ts'
import { rpIn } from './rp-in.ts'

const FOLDED: ReadonlySet<string> = new Set(FOLDED_KINDS)

/** Of events what a timeline is made of, and of each phone its last state: a fifth of all that was recorded. */
export const foldedPart = (events: readonly BenchEvent[]): readonly BenchEvent[] => {
  const last = new Map(
    events.flatMap((event) => (event.kind === 'phone' && event.phone !== undefined ? [[event.phone_id, event]] : [])),
  )
  return events.flatMap((event): readonly BenchEvent[] => {
    if (!FOLDED.has(event.kind)) return rpIn(event) === undefined ? [] : [event]
    switch (event.kind) {
      case 'exchange':
        return [withoutBodies(event)]
      case 'verdict':
        return [{ ...event, steps: [] }]
      case 'phone': {
        if (last.get(event.phone_id) === event || event.change === 'removed') return [event]
        const { phone: _, ...rest } = event
        return event.act === undefined && event.struck === undefined ? [] : [rest]
      }
      default:
        return [event]
    }
  })
}

/** Why something was refused is said in its bodies. */
const withoutBodies = (event: Extract<BenchEvent, { kind: 'exchange' }>): BenchEvent => {
  const { honest: _, request, response, ...rest } = event
  const body = (text: string): string => (response.code === 0 ? '' : text)
  return {
    ...rest,
    request: { ...request, headers: [], body: body(request.body) },
    response: { ...response, headers: [], body: body(response.body) },
  }
}
