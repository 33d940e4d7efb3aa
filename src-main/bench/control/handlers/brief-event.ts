import type { BenchEvent } from '../../../core/contract/events.ts'

/** The same event without its long parts, so that a hundred thousand can be listed. */
export const briefEvent = (event: BenchEvent): BenchEvent => {
  switch (event.kind) {
    case 'exchange': {
      const { request, response, faults } = event
      return {
        ...event,
        request: { ...request, headers: [], body: '' },
        // What a fault changed is what one looks for.
        response: { ...response, headers: [], body: faults === undefined ? '' : response.body },
      }
    }
    case 'verdict':
      return { ...event, steps: [] }
    case 'phone': {
      const { phone: _, ...rest } = event
      return rest
    }
    default:
      return event
  }
}
