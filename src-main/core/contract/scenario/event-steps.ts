import { answer, dictionary, list, object, optional, refined, typed, type ValueOf } from '../schema.ts'
import { amount, type Limit, limit, name, since, until } from './parts.ts'

type Waited = Readonly<Record<string, unknown>> & { readonly until?: Limit }
type Unwanted = Readonly<Record<string, unknown>> & { readonly within?: Limit }

const fieldsBeside = (limitName: string, properties: object) =>
  refined(
    answer(properties as Parameters<typeof answer>[0]),
    (input) => Object.keys(input).some((key) => key !== limitName),
    { code: 'event_fields' },
  )

/** Steps that check the recorded events. */
export const eventSteps = {
  wait: typed<Waited>(fieldsBeside('until', { until })),
  no_event: typed<Unwanted>(fieldsBeside('within', { within: optional(limit) })),
  mark: object({ as: name('A name for this moment, for `since`.') }),
  expect_events: refined(
    object({
      of: optional(dictionary('Fields of the events that are counted.')),
      count: optional(amount),
      in_order: optional(list(dictionary('Fields of an event.'), { minItems: 2 })),
      since,
      until,
    }),
    ({ of, count, in_order }) => (of === undefined) === (count === undefined) && (of ?? in_order) !== undefined,
    { code: 'any_of', params: { forms: ['{of, count}', '{in_order}'] } },
  ),
}

export type EventExpectation = ValueOf<typeof eventSteps.expect_events>
