import type { RpOperation } from '../../core/contract/rp/routes.ts'
import { countStrikes, recordStrikes } from './armed-faults.ts'
import { countConditions, recordDrawn } from './conditions.ts'
import type { Course } from './course.ts'
import type { Exchange } from './index-events.ts'
import { isStruck } from './readings.ts'

/** Armed faults and conditions count down with each call; what was drawn is a step before the one that the call became. */
export const withTrouble = (
  course: Course,
  { call, operation }: { readonly call: Exchange; readonly operation: RpOperation },
  record: () => void,
): void => {
  const drawn = countConditions(course, call, operation)
  const before = course.lines.at(-1)
  record()
  const last = course.lines.at(-1)
  if (last !== undefined && last !== before && 'step' in last) {
    if (isStruck(call)) last.step.struck = true
    recordStrikes(course, call, operation)
    if (drawn !== undefined) recordDrawn(course, call, drawn)
  }
  countStrikes(course, call)
}
