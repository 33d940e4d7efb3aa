import { mapValues } from '../../protocol/json.ts'
import * as t from '../schema.ts'

const LONGEST_MS = 600_000

/** Real time. */
export const limit = t.typed<{ readonly s: number } | { readonly ms: number }>({
  anyOf: [
    t.object({ s: t.decimal(undefined, { minimum: 0.001, maximum: LONGEST_MS / 1000 }) }),
    t.object({ ms: t.whole(undefined, { minimum: 1, maximum: LONGEST_MS }) }),
  ],
  ...t.expecting({ code: 'time_limit' }),
})

export type Limit = t.ValueOf<typeof limit>

export const until = t.optional(limit)
export const phone = t.text('Its short name.')
export const rp = t.optional(t.text('The short name of an RP under `rps`; the first one when absent.'))
export const messageReference = t.optional(t.text('What an earlier step named by `as`; the latest one when absent.'))
export const shortName = (what: string) =>
  t.text(what, { pattern: '^[A-Za-z_][\\w-]{0,63}$', ...t.expecting({ code: 'short_name' }) })
export const as = t.optional(shortName('A name for the message, for later steps.'))
export const change = { minProperties: 1, ...t.expecting({ code: 'something_to_change' }) }

export const amount = t.oneForm(
  ['a number', '{at_least: NUMBER}', '{at_most: NUMBER}'],
  [t.count(), t.object({ at_least: t.optional(t.count()), at_most: t.optional(t.count()) }, { minProperties: 1 })],
)

/** A text, or a pattern such as `{matches: REGEX}`. */
export const textPattern = t.oneForm(['a text', '{matches: REGEX}', '{glob: PATTERN}'], [t.text(), t.dictionary()])

export const since = t.optional(t.text('`start`, or what a step `mark` named; the step before when absent.'))

const REFERENCE = { type: 'string', pattern: '\\$\\{[^{}]+\\}', description: 'A variable.', 'x-aside': true } as const

/** Allows each field to be a variable `${name}`, whose value is known when the step runs. */
export const fileSchema = (schema: t.JsonSchema): t.JsonSchema => {
  if (schema.anyOf !== undefined) {
    return t.withKeywords(schema, { anyOf: [...schema.anyOf.map(fileSchema), REFERENCE] })
  }
  if (schema.properties !== undefined) {
    return t.withKeywords(schema, { properties: mapValues(schema.properties, fileSchema) })
  }
  if (isPlainText(schema) || isOpen(schema)) return schema
  return {
    anyOf: [schema, REFERENCE],
    ...(schema.description === undefined ? {} : { description: schema.description }),
  }
}

const isPlainText = ({ type, pattern, minLength, maxLength, enum: values }: t.JsonSchema): boolean =>
  type === 'string' && (pattern ?? minLength ?? maxLength ?? values) === undefined

const isOpen = ({ type, items }: t.JsonSchema): boolean =>
  type === undefined || type === 'object' || items !== undefined
