import type { PhoneActionParameters } from '../authenticator/faults/phone-actions.ts'
import { type ActionAt, actionsOf } from './armed-faults.ts'
import type { StruckFault } from './phone-record.ts'

type Arrivals = readonly number[]

type Course = (arrivals: Arrivals, parameters: PhoneActionParameters) => Arrivals

const COURSES: Readonly<Record<ActionAt<'push'>, Course>> = {
  'lose-push': () => [],
  'delay-push': (arrivals, { delay_ms: delay = 60_000 }) => arrivals.map((ms) => ms + delay),
  'repeat-push': (arrivals, { delay_ms: delay = 1000 }) => arrivals.flatMap((ms) => [ms, ms + delay]),
}

const isCourse = (action: string): action is keyof typeof COURSES => Object.hasOwn(COURSES, action)

/** When a push reaches the app, in milliseconds from now, once for each time it does. */
export const arrivals = (struck: readonly StruckFault[]): Arrivals =>
  actionsOf(struck).reduce<Arrivals>(
    (now, { action, parameters }) => (isCourse(action) ? COURSES[action](now, parameters) : now),
    [0],
  )
