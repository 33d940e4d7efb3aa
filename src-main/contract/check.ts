import { MASK } from '../protocol/secret.ts'

/**
 * Checks a value against the contract's own part of JSON Schema. The first problem comes back as a sentence that names
 * the field, what was got and what was expected; undefined means that the value is good.
 */
export const problemOf = (value: unknown, schema: object): string | undefined => findProblem(value, schema)?.text

export type Problem = {
  /** Where it is; empty for the value as a whole. */
  readonly parameter: string
  readonly missing: boolean
  readonly text: string
}

/** The same, and which parameter it is about. */
export const findProblem = (value: unknown, schema: object): Problem | undefined => problemIn(value, schema as Json, '')

type Json = {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Json[]
  readonly properties?: Readonly<Record<string, Json>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean
  readonly items?: Json
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly writeOnly?: boolean
}

const problemIn = (value: unknown, schema: Json, field: string): Problem | undefined => {
  if (schema.anyOf !== undefined) return problemOfAll(value, schema.anyOf, field)
  if (schema.enum !== undefined) {
    const known = schema.enum.map((entry) => JSON.stringify(entry)).join(', ')
    return schema.enum.includes(value) ? undefined : wrong(field, value, `one of ${known}`)
  }
  if (schema.const !== undefined) {
    return schema.const === value ? undefined : wrong(field, value, JSON.stringify(schema.const))
  }
  const check = schema.type === undefined ? undefined : CHECKS[schema.type]
  return check?.(value, schema, field)
}

/** When one alternative fits the value's own fields best, its complaint is the helpful one. */
const problemOfAll = (value: unknown, schemas: readonly Json[], field: string): Problem | undefined => {
  let best: { readonly problem: Problem; readonly fit: number } | undefined
  for (const schema of schemas) {
    const problem = problemIn(value, schema, field)
    if (problem === undefined) return undefined
    const fit = fitOf(value, schema)
    if (best === undefined || fit > best.fit) best = { problem, fit }
  }
  return best?.fit === 0 ? wrong(field, value, schemas.map(describe).join(', or ')) : best?.problem
}

const fitOf = (value: unknown, schema: Json): number =>
  isObject(value) && schema.properties !== undefined
    ? Object.keys(value).filter((key) => Object.hasOwn(schema.properties ?? {}, key)).length
    : 0

const describe = (schema: Json): string =>
  schema.properties === undefined
    ? (schema.type ?? JSON.stringify(schema.enum ?? schema.const))
    : `{${(schema.required ?? Object.keys(schema.properties)).join(', ')}}`

type Check = (value: unknown, schema: Json, field: string) => Problem | undefined

const CHECKS: Readonly<Record<string, Check>> = {
  object: (value, schema, field) => {
    if (!isObject(value)) return wrong(field, value, 'a JSON object')
    for (const key of schema.required ?? []) {
      if (!Object.hasOwn(value, key))
        return { parameter: at(field, key), missing: true, text: `${name(at(field, key))} is missing.` }
    }
    for (const [key, inner] of Object.entries(value)) {
      const known = schema.properties !== undefined && Object.hasOwn(schema.properties, key)
      const property = known ? schema.properties[key] : undefined
      if (property === undefined) {
        if (schema.additionalProperties !== false) continue
        const names = Object.keys(schema.properties ?? {})
        const text = `${name(at(field, key))} is not known here. ${names.length === 0 ? 'Nothing is.' : `Known are: ${names.join(', ')}.`}`
        return { parameter: at(field, key), missing: false, text }
      }
      const problem = problemIn(inner, property, at(field, key))
      if (problem !== undefined) return problem
    }
    return undefined
  },
  array: (value, schema, field) => {
    if (!Array.isArray(value)) return wrong(field, value, 'a list')
    if (value.length < (schema.minItems ?? 0)) return wrong(field, value, `at least ${schema.minItems} entries`)
    if (value.length > (schema.maxItems ?? Number.POSITIVE_INFINITY)) {
      return wrong(field, value, `at most ${schema.maxItems} entries`)
    }
    for (const [i, entry] of value.entries()) {
      const problem = problemIn(entry, schema.items ?? {}, `${field}[${i}]`)
      if (problem !== undefined) return problem
    }
    return undefined
  },
  string: (value, schema, field) => {
    const got = schema.writeOnly === true ? MASK : value
    if (typeof value !== 'string') return wrong(field, got, 'a text')
    const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema
    if (value.length < minLength)
      return wrong(field, got, minLength === 1 ? 'a text that is not empty' : `at least ${minLength} characters`)
    if (isLonger(value, maxLength)) return wrong(field, got, `at most ${maxLength} characters`)
    if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value)) {
      return wrong(field, got, `a text of the form ${schema.pattern}`)
    }
    return undefined
  },
  number: (value, schema, field) =>
    typeof value === 'number' && Number.isFinite(value) && inRange(value, schema)
      ? undefined
      : wrong(field, value, `a number${range(schema)}`),
  integer: (value, schema, field) =>
    Number.isSafeInteger(value) && inRange(Number(value), schema)
      ? undefined
      : wrong(field, value, `a whole number${range(schema)}`),
  boolean: (value, _schema, field) => (typeof value === 'boolean' ? undefined : wrong(field, value, 'true or false')),
  null: (value, _schema, field) => (value === null ? undefined : wrong(field, value, 'null')),
}

/** JSON Schema counts characters, JavaScript the halves of some. */
const isLonger = (text: string, most: number): boolean => {
  if (text.length <= most) return false
  let left = most
  for (const _ of text) if (left-- === 0) return true
  return false
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const inRange = (value: number, { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: Json) =>
  value >= minimum && value <= maximum

const range = ({ minimum, maximum }: Json): string =>
  minimum !== undefined && maximum !== undefined
    ? ` from ${minimum} to ${maximum}`
    : minimum !== undefined
      ? ` of at least ${minimum}`
      : maximum !== undefined
        ? ` of at most ${maximum}`
        : ''

const at = (field: string, key: string): string => (field === '' ? key : `${field}.${key}`)

const name = (field: string): string => (field === '' ? 'The body' : `"${field}"`)

const wrong = (field: string, value: unknown, expected: string): Problem => ({
  parameter: field,
  missing: false,
  text: `${name(field)} must be ${expected}; got ${short(value)}.`,
})

/** Enough of a value to recognise it. */
const short = (value: unknown): string => {
  const json = JSON.stringify(value) ?? String(value)
  return json.length <= 60 ? json : `${json.slice(0, 57)}…`
}
