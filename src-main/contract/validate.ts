import { Check, Compile } from 'typebox/schema'
import { isObject } from '../protocol/json.ts'
import { MASK } from '../protocol/secret.ts'
import type { Schema, ValueOf } from './schema.ts'

/** Why a value does not fit its schema. */
export type Problem = {
  /** Where it is; empty for the value as a whole. */
  readonly parameter: string
  readonly missing: boolean
  readonly text: string
}

/**
 * The first problem of a value, or undefined when it fits. TypeBox decides; it compiles a schema when it is first used,
 * so that a start pays for none. Only what does not fit is looked at a second time, for words.
 */
export const findProblem = (value: unknown, schema: object): Problem | undefined =>
  check(value, schema) ? undefined : problemIn(value, schema as Json, '')

/** The same as a sentence that names the field, what was got and what was expected. */
export const problemOf = (value: unknown, schema: object): string | undefined => findProblem(value, schema)?.text

export const fits = <S extends Schema>(value: unknown, schema: S): value is ValueOf<S> => check(value, schema)

const compiled = new WeakMap<object, (value: unknown) => boolean>()

const check = (value: unknown, schema: object): boolean => {
  const known = compiled.get(schema)
  if (known !== undefined) return known(value)
  const validator = Compile(schema)
  const own = (one: unknown): boolean => validator.Check(one)
  compiled.set(schema, own)
  return own(value)
}

type Json = {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Json[]
  readonly properties?: Readonly<Record<string, Json>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Json
  readonly items?: Json
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly writeOnly?: boolean
  readonly 'x-expected'?: string
}

/** Of a value that does not fit: the innermost part of it that does not. */
const problemIn = (value: unknown, schema: Json, field: string): Problem => {
  if (schema.anyOf !== undefined) return problemOfBest(value, schema, schema.anyOf, field)
  return (
    innerProblem(value, schema, field) ??
    wrong(field, schema.writeOnly === true ? MASK : value, expected(schema, value))
  )
}

const innerProblem = (value: unknown, schema: Json, field: string): Problem | undefined => {
  if (isObject(value)) return problemOfMembers(value, schema, field)
  if (!Array.isArray(value) || schema.items === undefined || !hasLength(value, schema)) return undefined
  const { items } = schema
  const i = value.findIndex((entry) => !Check(items, entry))
  return i < 0 ? undefined : problemIn(value[i], items, `${field}[${i}]`)
}

const problemOfMembers = (
  value: Readonly<Record<string, unknown>>,
  { properties = {}, required = [], additionalProperties }: Json,
  field: string,
): Problem | undefined => {
  const known = Object.keys(properties)
  const unknown = additionalProperties === false ? Object.keys(value).find((key) => !known.includes(key)) : undefined
  const strange = unknown === undefined ? undefined : stranger(at(field, unknown), known)
  const absent = required.find((key) => !Object.hasOwn(value, key))
  if (absent !== undefined) {
    const text = [`${name(at(field, absent))} is missing.`, ...(strange === undefined ? [] : [strange.text])].join(' ')
    return { parameter: at(field, absent), missing: true, text }
  }
  for (const [key, inner] of Object.entries(value)) {
    if (key === unknown) return strange
    const property = Object.hasOwn(properties, key) ? properties[key] : additionalProperties
    if (typeof property === 'object' && !Check(property, inner)) return problemIn(inner, property, at(field, key))
  }
  return undefined
}

const stranger = (parameter: string, known: readonly string[]): Problem => ({
  parameter,
  missing: false,
  text: `${name(parameter)} is not known here. ${known.length === 0 ? 'Nothing is.' : `Known are: ${known.join(', ')}.`}`,
})

/** When one alternative fits the value's own fields best, its complaint is the helpful one. */
const problemOfBest = (value: unknown, schema: Json, alternatives: readonly Json[], field: string): Problem => {
  const shared = (one: Json): number =>
    isObject(value) ? Object.keys(value).filter((key) => Object.hasOwn(one.properties ?? {}, key)).length : 0
  const [best, next] = alternatives.toSorted((a, b) => shared(b) - shared(a))
  return best === undefined || shared(best) === (next === undefined ? 0 : shared(next))
    ? wrong(field, value, schema['x-expected'] ?? alternatives.map(describe).join(', or '))
    : problemIn(value, best, field)
}

const describe = (schema: Json): string =>
  schema.properties === undefined
    ? String(schema.type ?? JSON.stringify(schema.enum ?? schema.const))
    : `{${(schema.required ?? Object.keys(schema.properties)).join(', ')}}`

const hasLength = (list: readonly unknown[], { minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Json): boolean =>
  list.length >= minItems && list.length <= maxItems

/** What a schema's values are, in words; of several things that are wanted, the first that the value lacks. */
const expected = (schema: Json, value: unknown): string => {
  if (schema['x-expected'] !== undefined) return schema['x-expected']
  if (schema.enum !== undefined) return `one of ${schema.enum.map((entry) => JSON.stringify(entry)).join(', ')}`
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const [type] = [schema.type].flat()
  return (type === undefined ? undefined : EXPECTED[type]?.(schema, value)) ?? 'something else'
}

const EXPECTED: Readonly<Record<string, (schema: Json, value: unknown) => string>> = {
  object: () => 'a JSON object',
  array: ({ minItems = 0, maxItems }, value) =>
    Array.isArray(value) && value.length < minItems
      ? `a list of at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}`
      : Array.isArray(value) && maxItems !== undefined && value.length > maxItems
        ? `a list of at most ${maxItems} entries`
        : Array.isArray(value)
          ? 'a list in which nothing is repeated'
          : 'a list',
  string: ({ pattern, minLength, ...schema }, value) => {
    if (typeof value !== 'string') return 'a text'
    if (minLength !== undefined && !Check({ minLength }, value)) {
      return minLength === 1 ? 'a text that is not empty' : `a text of at least ${minLength} characters`
    }
    if (schema.maxLength !== undefined && !Check({ maxLength: schema.maxLength }, value)) {
      return `a text of at most ${schema.maxLength} characters`
    }
    return pattern === undefined ? 'a text' : `a text of the form ${pattern}`
  },
  number: (schema) => `a number${range(schema)}`,
  integer: (schema) => `a whole number${range(schema)}`,
  boolean: () => 'true or false',
  null: () => 'null',
}

const range = ({ minimum, exclusiveMinimum, maximum }: Json): string => {
  if (exclusiveMinimum !== undefined)
    return ` above ${exclusiveMinimum}${maximum === undefined ? '' : `, at most ${maximum}`}`
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum
  if (minimum === undefined) return most === undefined ? '' : ` of at most ${most}`
  return most === undefined ? ` of at least ${minimum}` : ` from ${minimum} to ${most}`
}

const at = (field: string, key: string): string => (field === '' ? key : `${field}.${key}`)

const name = (field: string): string => (field === '' ? 'The body' : `"${field}"`)

const wrong = (field: string, value: unknown, wanted: string): Problem => ({
  parameter: field,
  missing: false,
  text: `${name(field)} must be ${wanted}; got ${short(value)}.`,
})

/** Enough of a value to recognise it. */
const short = (value: unknown): string => {
  const json = JSON.stringify(value) ?? String(value)
  return json.length <= 60 ? json : `${json.slice(0, 57)}…`
}
