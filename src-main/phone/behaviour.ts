import { behaviour } from '../contract/control/phone-state.ts'
import type { FieldProblem } from '../contract/reasons.ts'
import type { ValueOf } from '../contract/schema.ts'
import { findProblem } from '../contract/validate.ts'
import { err, ok, type Result } from '../protocol/result.ts'

/** How a phone answers what it is asked. Plain JSON; `ask` leaves it to the person. */
export type Behaviour = ValueOf<typeof behaviour>

export const ASK: Behaviour = { answer: 'ask' }

/** A behaviour as an object, or its answer alone as a word. */
export const parseBehaviour = (input: unknown): Result<Behaviour, FieldProblem> => {
  if (typeof input === 'string') return parseBehaviour({ answer: input })
  const problem = findProblem(input, behaviour)
  return problem === undefined ? ok(input as Behaviour) : err(problem)
}
