import type { ConditionsState } from '../../src-main/core/contract/control/states.ts'

export type ConditionsName = 'normal' | 'slow' | 'unreliable' | 'outage'

/** What the conditions looks like: answers that come late are slow, answers that get lost unreliable, refusals an outage. */
export const conditionsName = (conditions: ConditionsState): ConditionsName => {
  const sides = [conditions.rp, conditions.app]
  if (sides.some((side) => side.fail_next > 0 || side.fail_percent > 0)) return 'outage'
  if (sides.some((side) => side.lose_next > 0 || side.lose_percent > 0)) return 'unreliable'
  return sides.some((side) => side.latency_ms > 0) ? 'slow' : 'normal'
}
