import {
  count,
  decimal,
  dictionary,
  expecting,
  type JsonSchema,
  object,
  optional,
  type Schema,
  text,
  typed,
  type ValueOf,
  whole,
} from '../schema.ts'

const LONGEST_MS = 600_000

/** Real time. */
export const limit = typed<{ readonly s: number } | { readonly ms: number }>({
  anyOf: [
    object({ s: decimal(undefined, { minimum: 0.001, maximum: LONGEST_MS / 1000 }) }),
    object({ ms: whole(undefined, { minimum: 1, maximum: LONGEST_MS }) }),
  ],
  ...expecting({ code: 'time_limit' }),
})

export type Limit = ValueOf<typeof limit>

export const until = optional(limit)
export const phone = text('Its short name.')
export const rp = optional(text('The short name of an RP under `rps`; the first one when absent.'))
export const message = optional(text('What an earlier step named by `as`; the latest one when absent.'))
export const name = (what: string) =>
  text(what, { pattern: '^[A-Za-z_][\\w-]{0,63}$', ...expecting({ code: 'short_name' }) })
export const as = optional(name('A name for the message, for later steps.'))
export const change = { minProperties: 1, ...expecting({ code: 'something_to_change' }) }

export const amount = typed<number | { readonly at_least?: number; readonly at_most?: number }>({
  anyOf: [count(), object({ at_least: optional(count()), at_most: optional(count()) }, { minProperties: 1 })],
  ...expecting({ code: 'any_of', params: { forms: ['a number', '{at_least: NUMBER}', '{at_most: NUMBER}'] } }),
})

/** A text, or a pattern such as `{matches: REGEX}`. */
export const textPattern = typed<string | Readonly<Record<string, unknown>>>({
  anyOf: [text(), dictionary()],
  ...expecting({ code: 'any_of', params: { forms: ['a text', '{matches: REGEX}', '{glob: PATTERN}'] } }),
})

export const since = optional(text('`start`, or what a step `mark` named; the step before when absent.'))

const REFERENCE = { type: 'string', pattern: '\\$\\{[^{}]+\\}', description: 'A variable.', 'x-aside': true } as const

/** The same fields, each of which may be written as a variable `${name}`, whose value is known when the step runs. */
export const withVariables = (schema: JsonSchema): JsonSchema => {
  if (schema.anyOf !== undefined) return changed(schema, { anyOf: [...schema.anyOf.map(withVariables), REFERENCE] })
  if (schema.properties !== undefined) {
    const entries = Object.entries(schema.properties).map(([key, inner]) => [key, withVariables(inner)])
    return changed(schema, { properties: Object.fromEntries(entries) })
  }
  if (isPlainText(schema) || isOpen(schema)) return schema
  return {
    anyOf: [schema, REFERENCE],
    ...(schema.description === undefined ? {} : { description: schema.description }),
  }
}

const isPlainText = ({ type, pattern, minLength, maxLength, enum: values }: JsonSchema): boolean =>
  type === 'string' && (pattern ?? minLength ?? maxLength ?? values) === undefined

const isOpen = ({ type, items }: JsonSchema): boolean => type === undefined || type === 'object' || items !== undefined

/** TypeBox keeps refinements and the like in non-enumerable properties, which spreading omits. */
const changed = (schema: JsonSchema, part: JsonSchema): JsonSchema =>
  Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(schema), ...Object.getOwnPropertyDescriptors(part) },
  ) as JsonSchema

export const inFile = (schema: Schema): JsonSchema => withVariables(schema as JsonSchema)
