import { phoneState } from '../../../core/contract/control/phone-state.ts'
import { type RouteId, routeOf } from '../../../core/contract/control/routes.ts'
import { attemptState, simulatorRoutes } from '../../../core/contract/control/simulator-routes.ts'
import { type FieldProblem, withinField } from '../../../core/contract/errors.ts'
import { matchableEvents } from '../../../core/contract/matchable-events.ts'
import { phoneSteps } from '../../../core/contract/scenario/bench-steps.ts'
import type { StepWord } from '../../../core/contract/scenario.ts'
import type { JsonSchema } from '../../../core/contract/schema.ts'
import { isObject } from '../../../core/protocol/json.ts'
import { firstFound } from '../patterns/mismatch.ts'
import { eventProblem, type Fields, findUnmatchable } from '../patterns/unmatchable.ts'

const FREE: JsonSchema = {}
const TEXT: JsonSchema = { type: 'string' }
const PHONE = phoneState as JsonSchema

/** The schema with these fields free: the RP read them from the service, which may have sent any value. */
const asRead = (schema: JsonSchema, fields: readonly string[]): JsonSchema => ({
  ...schema,
  properties: { ...schema.properties, ...Object.fromEntries(fields.map((field) => [field, FREE])) },
})

const ATTEMPT = asRead(attemptState as JsonSchema, [
  ...['url', 'expires_at', 'status', 'svc_user', 'error', 'verified_user_id'],
])

const { total, credentials: listed } = simulatorRoutes['simulator.credentials'].data.properties
const LISTED = asRead(listed.items as JsonSchema, Object.keys(listed.items.properties))
const CREDENTIALS: JsonSchema = { type: 'array', items: LISTED }

/** The answer of `http`, as described in docs/using/scenarios.md. */
const HTTP: JsonSchema = {
  type: 'object',
  properties: {
    status: { type: 'integer', minimum: 100, maximum: 599 },
    url: TEXT,
    headers: { type: 'object' },
    text: TEXT,
    json: FREE,
    base64: TEXT,
  },
}

const ROUTES: Partial<Readonly<Record<StepWord, RouteId>>> = {
  arm: 'phones.arm',
  arm_service: 'service.arm',
  clock: 'clock.put',
  advance: 'clock.advance',
  expire: 'messages.expire',
  profile: 'profile.patch',
  conditions: 'conditions.put',
  snapshot: 'snapshots.create',
  restore: 'snapshots.restore',
}

/** Steps of a phone whose answer is not the phone's state. */
const NO_PHONE: readonly string[] = ['remove_phone', 'arm', 'disarm']

/** Allows anything if no contract defines the answer. */
const answerOf = (word: StepWord, input: unknown): JsonSchema => {
  if (word in phoneSteps && !NO_PHONE.includes(word)) return PHONE
  if (word === 'register' || word === 'sign_in' || word === 'expect') return ATTEMPT
  if (word === 'http') return HTTP
  if (word === 'expect_credentials')
    return { type: 'object', properties: { total: total as JsonSchema, credentials: CREDENTIALS } }
  if (word === 'wait') return { anyOf: Object.values(matchableEvents()) }
  const call = word === 'control' && isObject(input) ? input.call : ROUTES[word]
  // An answer of the simulator contains what it read.
  if (typeof call === 'string' && call.startsWith('simulator.')) return FREE
  return (typeof call === 'string' ? dataOf(call) : undefined) ?? FREE
}

/** A call that contains a variable is known only when the step runs. */
const dataOf = (call: string): JsonSchema | undefined =>
  call.includes('${') ? undefined : (routeOf(call as RouteId).data as JsonSchema | undefined)

type Look = (input: Fields) => FieldProblem | undefined

const inFields =
  (schemas: Readonly<Record<string, JsonSchema>>): Look =>
  (input) =>
    firstFound(Object.entries(schemas), ([field, schema]) =>
      input[field] === undefined ? undefined : withinField(field, findUnmatchable(schema, input[field])),
    )

const LOOKS: Partial<Readonly<Record<StepWord, Look>>> = {
  wait: ({ until: _, ...match }) => eventProblem(match),
  no_event: ({ within: _, ...match }) => eventProblem(match),
  expect_events: ({ of, in_order }) => {
    const listed = (Array.isArray(in_order) ? in_order : []).map((match, i) => [`in_order[${i}]`, match] as const)
    return firstFound([['of', of] as const, ...listed], ([field, match]) =>
      isObject(match) ? withinField(field, eventProblem(match)) : undefined,
    )
  },
  expect_phone: ({ phone: _, until: __, ...wanted }) => findUnmatchable(PHONE, wanted),
  expect: inFields({ error: TEXT, user_id: TEXT, svc_user: TEXT }),
  expect_credentials: inFields({ credentials: CREDENTIALS }),
  browser: inFields({ expect: TEXT, expect_url: TEXT }),
  check: inFields({ is: FREE }),
}

/** True if the word's input has patterns. */
export const hasPatterns = (word: StepWord): boolean => word in LOOKS

/** Why the expectation of a step can never be met. */
export const expectationProblem = (word: StepWord, input: unknown): FieldProblem | undefined =>
  isObject(input) ? LOOKS[word]?.(input) : undefined

export const answerProblem = (word: StepWord, input: unknown, answer: unknown): FieldProblem | undefined =>
  answer === undefined ? undefined : findUnmatchable(answerOf(word, input), answer)
