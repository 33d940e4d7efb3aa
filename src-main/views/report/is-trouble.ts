import type { BenchEvent } from '../../core/contract/events.ts'

/** True for events that help a reader who looks for a failure. */
export const isTrouble = (event: BenchEvent): boolean => {
  switch (event.kind) {
    case 'exchange':
      return event.response.code !== 0 || event.faults !== undefined
    case 'verdict':
      return !event.accepted
    case 'message':
      return event.to === 'fail' || event.to === 'timeout'
    case 'phone':
      return event.word !== undefined || event.struck !== undefined
    default:
      return false
  }
}
