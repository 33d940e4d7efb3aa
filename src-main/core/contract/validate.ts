import { Check, Compile } from 'typebox/schema'
import { isObject } from '../protocol/json.ts'
import { MASK } from '../protocol/log.ts'
import { rememberByObject } from '../protocol/remember.ts'
import type { Expected, ExpectedParams, FieldProblem } from './errors.ts'
import type { JsonSchema, Schema, ValueOf } from './schema.ts'

/**
 * TypeBox compiles a schema on first use, so that the start is fast. Only a value that does not fit is examined again,
 * to find the field and the expected value.
 */
export const findProblem = (value: unknown, schema: object): FieldProblem | undefined =>
  validatorOf(schema).Check(value) ? undefined : findProblems(value, schema, 1)[0]

/** Like `findProblem`, for a file: its author corrects all of it at once. */
export const findProblems = (value: unknown, schema: object, most = 10): readonly FieldProblem[] => {
  const found: FieldProblem[] = []
  if (validatorOf(schema).Check(value)) return found
  for (const problem of problemsIn(value, schema as JsonSchema, '')) {
    found.push(problem)
    if (found.length === most) break
  }
  return found
}

export const fitsSchema = <S extends Schema>(value: unknown, schema: S): value is ValueOf<S> =>
  validatorOf(schema).Check(value)

const validatorOf = rememberByObject((schema: object) => Compile(schema))

type Problems = Generator<FieldProblem, void>

/** The problems of an invalid value's innermost invalid parts. */
function* problemsIn(value: unknown, schema: JsonSchema, field: string): Problems {
  const alternatives = schema.anyOf?.filter((one) => one['x-aside'] !== true)
  const [first] = alternatives ?? []
  if (first !== undefined && alternatives?.length === 1) return yield* problemsIn(value, first, field)
  if (alternatives !== undefined) return yield* problemsOfBest(value, schema, alternatives, field)
  let isInside = false
  for (const problem of innerProblems(value, schema, field)) {
    isInside = true
    yield problem
  }
  if (!isInside) yield unfitValue(field, schema.writeOnly === true ? MASK : value, expectedBy(schema, value))
}

function* innerProblems(value: unknown, schema: JsonSchema, field: string): Problems {
  if (isObject(value)) return yield* problemsOfMembers(value, schema, field)
  const { items } = schema
  if (!Array.isArray(value) || items === undefined || !hasLength(value, schema)) return
  for (const [i, entry] of value.entries()) {
    if (!Check(items, entry)) yield* problemsIn(entry, items, `${field}[${i}]`)
  }
}

function* problemsOfMembers(
  value: Readonly<Record<string, unknown>>,
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  field: string,
): Problems {
  const known = Object.keys(properties)
  const strangers = additionalProperties === false ? Object.keys(value).filter((key) => !known.includes(key)) : []
  for (const absent of required.filter((key) => !Object.hasOwn(value, key))) {
    // A misspelt field is both missing and unknown.
    const stranger = strangers.shift()
    const unknown = stranger === undefined ? {} : { unknown: { field: at(field, stranger), known } }
    yield { code: 'field_missing', params: { field: at(field, absent), ...unknown } }
  }
  for (const [key, inner] of Object.entries(value)) {
    if (strangers.includes(key)) yield { code: 'field_unknown', params: { field: at(field, key), known } }
    const property = Object.hasOwn(properties, key) ? properties[key] : additionalProperties
    if (typeof property === 'object' && !Check(property, inner)) yield* problemsIn(inner, property, at(field, key))
  }
}

/** If one alternative shares the most fields with the value, its problem is the helpful one. */
function* problemsOfBest(
  value: unknown,
  schema: JsonSchema,
  alternatives: readonly JsonSchema[],
  field: string,
): Problems {
  const shared = (one: JsonSchema): number =>
    isObject(value) ? Object.keys(value).filter((key) => Object.hasOwn(one.properties ?? {}, key)).length : 0
  const [best, next] = alternatives.toSorted((a, b) => shared(b) - shared(a))
  if (best !== undefined && shared(best) > (next === undefined ? 0 : shared(next))) {
    return yield* problemsIn(value, best, field)
  }
  const forms = { code: 'any_of', params: { forms: alternatives.map(describe) } } as const
  yield unfitValue(field, value, schema['x-expected'] ?? forms)
}

const describe = (schema: JsonSchema): string =>
  schema.properties === undefined
    ? String(schema.type ?? JSON.stringify(schema.enum ?? schema.const))
    : `{${(schema.required ?? Object.keys(schema.properties)).join(', ')}}`

const hasLength = (list: readonly unknown[], { minItems = 0, maxItems = Number.POSITIVE_INFINITY }: JsonSchema) =>
  list.length >= minItems && list.length <= maxItems

/** The first requirement that the value fails. */
const expectedBy = (schema: JsonSchema, value: unknown): Expected => {
  if (schema['x-expected'] !== undefined) return schema['x-expected']
  if (schema.enum !== undefined) {
    return { code: 'one_of', params: { values: schema.enum.map((entry) => JSON.stringify(entry)) } }
  }
  if (schema.const !== undefined) return { code: 'value', params: { json: JSON.stringify(schema.const) } }
  return EXPECTED[schema.type ?? '']?.(schema, value) ?? { code: 'something_else' }
}

const EXPECTED: Readonly<Record<string, (schema: JsonSchema, value: unknown) => Expected>> = {
  object: () => ({ code: 'object' }),
  array: ({ minItems = 0, maxItems }, value) => {
    if (!Array.isArray(value)) return { code: 'list' }
    if (value.length < minItems) return { code: 'entries_at_least', params: { count: minItems } }
    return maxItems !== undefined && value.length > maxItems
      ? { code: 'entries_at_most', params: { count: maxItems } }
      : { code: 'distinct_list' }
  },
  string: ({ pattern, minLength, maxLength }, value) => {
    if (typeof value !== 'string') return { code: 'text' }
    if (minLength !== undefined && !Check({ minLength }, value)) {
      return minLength === 1
        ? { code: 'text_not_empty' }
        : { code: 'characters_at_least', params: { count: minLength } }
    }
    if (maxLength !== undefined && !Check({ maxLength }, value)) {
      return { code: 'characters_at_most', params: { count: maxLength } }
    }
    return pattern === undefined ? { code: 'text' } : { code: 'text_of_form', params: { pattern } }
  },
  number: (schema) => ({ code: 'number', params: rangeOf(schema) }),
  integer: (schema) => ({ code: 'whole_number', params: rangeOf(schema) }),
  boolean: () => ({ code: 'true_or_false' }),
  null: () => ({ code: 'null' }),
}

const rangeOf = ({ minimum, exclusiveMinimum, maximum }: JsonSchema): ExpectedParams['number'] => ({
  ...(minimum === undefined ? {} : { least: minimum }),
  ...(exclusiveMinimum === undefined ? {} : { above: exclusiveMinimum }),
  ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { most: maximum }),
})

const at = (field: string, key: string): string => (field === '' ? key : `${field}.${key}`)

/** `got` is the beginning of the value, enough to recognise it. */
const unfitValue = (field: string, value: unknown, expected: Expected): FieldProblem => {
  const json = JSON.stringify(value) ?? String(value)
  const got = json.length <= 60 ? json : `${json.slice(0, 57)}…`
  return { code: 'field_unfit', params: { field, expected, got } }
}
