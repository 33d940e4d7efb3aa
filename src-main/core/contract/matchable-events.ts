import { canMove, isFinal, MESSAGE_STATES, type MessageState } from '../protocol/message-state.ts'
import { phoneProblems } from '../protocol/reasons.ts'
import { rememberByObject } from '../protocol/remember.ts'
import { type FieldProblem, unfit } from './errors.ts'
import { EVENT_KINDS, type EventKind, eventSchemas } from './events.ts'
import { FAULT_NAMES } from './faults.ts'
import { CHECKS } from './judge/checks.ts'
import { FAILURE_WORDS, failures } from './judge/failure-words.ts'
import { AUTHENTICATION_STEPS, REGISTRATION_STEPS } from './judge/steps.ts'
import type { JsonSchema } from './schema.ts'
import { SERVICE_FAULT_NAMES } from './service-faults.ts'

const BEGINNINGS = MESSAGE_STATES.filter((from) => !isFinal(from))
const RESULT_WORDS = Object.keys(failures)
const PHONE_WORDS = [...Object.keys(phoneProblems), ...RESULT_WORDS]
const STEPS = [...REGISTRATION_STEPS, ...AUTHENTICATION_STEPS]

/**
 * Text fields of events with a fixed set of words, which version 1 may extend: a reader of events accepts any text, but
 * a matcher must name a word that this bench has. By field, `[]` means each entry of a list.
 */
const WORDS: Partial<Readonly<Record<EventKind, Readonly<Record<string, readonly string[]>>>>> = {
  message: { from: BEGINNINGS },
  delivery: { state: MESSAGE_STATES.filter((state) => isFinal(state)) },
  exchange: { 'faults.[].fault': SERVICE_FAULT_NAMES },
  phone: {
    word: PHONE_WORDS,
    'act.refused.word': PHONE_WORDS,
    'struck.faults.[]': FAULT_NAMES,
    'signal.faults.[]': FAULT_NAMES,
  },
  verdict: {
    'failure.word': RESULT_WORDS,
    'failure.step': [...STEPS, 'service'],
    'steps.[].id': STEPS,
    'steps.[].word': FAILURE_WORDS,
    'steps.[].checks.[].word': FAILURE_WORDS,
    'steps.[].checks.[].check': CHECKS,
  },
}

const narrowed = (schema: JsonSchema, [field, ...rest]: readonly string[], values: readonly string[]): JsonSchema => {
  if (field === undefined) return { type: 'string', enum: values }
  if (field === '[]') return { ...schema, items: narrowed(schema.items ?? {}, rest, values) }
  const { [field]: inner = {}, ...others } = schema.properties ?? {}
  return { ...schema, properties: { ...others, [field]: narrowed(inner, rest, values) } }
}

export const matchableEvents = (): Readonly<Record<EventKind, JsonSchema>> => made(WORDS)

const made = rememberByObject((words: typeof WORDS) => {
  const entries = EVENT_KINDS.map((kind, i): [EventKind, JsonSchema] => [
    kind,
    Object.entries(words[kind] ?? {}).reduce<JsonSchema>(
      (schema, [field, values]) => narrowed(schema, field.split('.'), values),
      eventSchemas[i] as JsonSchema,
    ),
  ])
  return Object.fromEntries(entries) as Record<EventKind, JsonSchema>
})

const isState = (value: unknown): value is MessageState => (MESSAGE_STATES as readonly unknown[]).includes(value)

/** The problem of an impossible transition between two existing states of a message. */
export const impossibleMove = ({ from, to }: Readonly<Record<string, unknown>>): FieldProblem | undefined => {
  if (!isState(from) || !isState(to) || isFinal(from) || canMove(from, to)) return undefined
  const values = MESSAGE_STATES.filter((state) => canMove(from, state)).map((state) => JSON.stringify(state))
  return unfit('to', { code: 'one_of', params: { values } }, to)
}
