import { EVENT_KINDS } from '../../../core/contract/events.ts'
import { matchableEvents, moveProblem } from '../../../core/contract/matchable-events.ts'
import { type FieldProblem, within } from '../../../core/contract/reasons.ts'
import { referencesIn } from '../variables.ts'
import { isPattern, mismatch } from './mismatch.ts'
import type { Fields } from './schema-parts.ts'
import { unmatchable } from './unmatchable.ts'

/** Why no event can be as these fields say: a step that expects none would pass for nothing. */
export const eventProblem = (match: Fields): FieldProblem | undefined => {
  const events = matchableEvents()
  const { kind, ...fields } = match
  if (kind === undefined || isPattern(match)) return unmatchable({ anyOf: Object.values(events) }, match)
  const wrong = unmatchable({ type: 'string', enum: EVENT_KINDS }, kind)
  if (wrong !== undefined) return within('kind', wrong)
  const known = referencesIn(kind).length === 0
  const kinds = EVENT_KINDS.filter((each) => !known || mismatch(kind, each) === undefined)
  const [only, ...others] = kinds.map((each) => events[each])
  const schema = only !== undefined && others.length === 0 ? only : { anyOf: kinds.map((each) => events[each]) }
  return unmatchable(schema, fields) ?? moveProblem(match)
}
