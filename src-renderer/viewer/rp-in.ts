import type { RpState } from '../../src-main/core/contract/control/states.ts'
import type { BenchEvent } from '../../src-main/core/contract/events.ts'

/** The RP that an event says to be there now. */
export const rpIn = (event: BenchEvent): RpState | undefined => {
  if (event.kind !== 'setting' || event.subject !== 'rp') return undefined
  return event.change === 'created' || event.change === 'changed' ? (event.detail as RpState | undefined) : undefined
}
