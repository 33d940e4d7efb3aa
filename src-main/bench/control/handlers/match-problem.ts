import { type Refusal, refuseField } from '../../../core/contract/errors.ts'
import { EVENT_KINDS } from '../../../core/contract/events.ts'
import { matchableEvents, moveProblem } from '../../../core/contract/matchable-events.ts'
import { within } from '../../../core/contract/reasons.ts'
import {
  anything,
  choice,
  either,
  expecting,
  type JsonSchema,
  object,
  type Schema,
} from '../../../core/contract/schema.ts'
import { findProblem } from '../../../core/contract/validate.ts'
import { rememberByObject } from '../../../core/protocol/remember.ts'

/** What a part of such a value may be: objects by some of their members, lists entry by entry. */
const patternOf = ({ anyOf, properties, items, ...schema }: JsonSchema): Schema => {
  if (anyOf !== undefined) return either(...anyOf.map(patternOf))
  if (items !== undefined) return { ...schema, items: patternOf(items) }
  return properties === undefined ? schema : object(mapped(properties, patternOf), { required: [] })
}

const mapped = <T>(record: Readonly<Record<string, T>>, map: (value: T) => Schema): Record<string, Schema> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))

const matching = (match: Schema) => object({ match })

/** Made for the first match: a start needs none of it. */
const matchesOf = rememberByObject((events: Readonly<Record<string, JsonSchema>>) => {
  const schemas = Object.values(events)
  const patterns = schemas.map(patternOf)
  const fields = schemas.map(({ properties = {} }) => mapped(properties, () => anything()))
  return {
    ofKind: new Map<unknown, Schema>(patterns.map((pattern, i) => [Object.keys(events)[i], matching(pattern)])),
    ofAnyKind: matching({ anyOf: patterns, ...expecting({ code: 'fields_of_one_kind' }) }),
    withKnownFields: matching(object({ ...Object.assign({}, ...fields), kind: choice(EVENT_KINDS) }, { required: [] })),
  }
})

/** A match that no event can have would be waited for in vain, and a test that expects nothing to happen would pass. */
export const matchProblem = (match: Readonly<Record<string, unknown>>): Refusal | undefined => {
  const { ofKind, ofAnyKind, withKnownFields } = matchesOf(matchableEvents())
  const known = ofKind.get(match.kind)
  const problem = findProblem({ match }, known ?? withKnownFields) ?? findProblem({ match }, known ?? ofAnyKind)
  if (problem !== undefined) return refuseField(problem)
  const move = moveProblem(match)
  return move && refuseField(within('match', move))
}
