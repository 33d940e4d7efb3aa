import { isObject } from '../protocol/json.ts'
import type { JsonSchema } from './schema.ts'

/** The path of the first invalid part, `''` for the whole value; undefined if it is valid. */
export type SchemaCheck = (value: unknown) => string | undefined

/** Made of closures: the page's CSP forbids the code that TypeBox would compile. */
export const makeSchemaCheck = (schema: JsonSchema): SchemaCheck => {
  const unknown = Object.keys(schema).find((keyword) => !KEYWORDS.has(keyword) && !keyword.startsWith('x-'))
  if (unknown !== undefined) throw new Error(`no check is made for the keyword ${unknown}`)
  if (schema.anyOf !== undefined) return anyOf(schema.anyOf.map(makeSchemaCheck))
  if (schema.const !== undefined) return only((value) => value === schema.const)
  if (schema.enum !== undefined) {
    const values = new Set<unknown>(schema.enum)
    return only((value) => values.has(value))
  }
  return BY_TYPE[schema.type ?? 'anything']?.(schema) ?? fail(schema.type)
}

const KEYWORDS = new Set(
  'type properties required additionalProperties patternProperties items prefixItems minItems anyOf const enum minimum maximum pattern description'.split(
    ' ',
  ),
)

const fail = (type: string | undefined): never => {
  throw new Error(`no check is made for the type ${type}`)
}

const only =
  (fits: (value: unknown) => boolean): SchemaCheck =>
  (value) =>
    fits(value) ? undefined : ''

const anyOf =
  (checks: readonly SchemaCheck[]): SchemaCheck =>
  (value) => {
    let first: string | undefined
    for (const check of checks) {
      const path = check(value)
      if (path === undefined) return undefined
      // A problem inside one alternative is more helpful than "fits no alternative".
      if (first === undefined || first === '') first = path
    }
    return first ?? ''
  }

const BY_TYPE: Readonly<Record<string, (schema: JsonSchema) => SchemaCheck>> = {
  anything: () => () => undefined,
  boolean: () => only((value) => typeof value === 'boolean'),
  number: ({ minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }) =>
    only((value) => Number.isFinite(value) && (value as number) >= minimum && (value as number) <= maximum),
  integer: ({ minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }) =>
    only((value) => Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum),
  string: ({ pattern }) => {
    if (pattern === undefined) return only((value) => typeof value === 'string')
    const form = new RegExp(pattern, 'u')
    return only((value) => typeof value === 'string' && form.test(value))
  },
  array: ({ items, prefixItems = [], minItems = 0 }) => {
    const first = prefixItems.map(makeSchemaCheck)
    const check = makeSchemaCheck(items ?? {})
    return (value) => {
      if (!Array.isArray(value) || value.length < minItems) return ''
      for (let i = 0; i < value.length; i++) {
        const path = (first[i] ?? check)(value[i])
        if (path !== undefined) return inside(`[${i}]`, path)
      }
      return undefined
    }
  },
  object: (schema) => checkObject(schema),
}

const checkObject = (schema: JsonSchema): SchemaCheck => {
  const { properties = {}, required = [], additionalProperties } = schema
  const members = Object.entries(properties).map(([name, part]) => ({
    name,
    check: makeSchemaCheck(part),
    needed: required.includes(name),
  }))
  const strict = additionalProperties === false
  return (value) => {
    if (!isObject(value)) return ''
    for (const { name, check, needed } of members) {
      const part = value[name]
      if (part === undefined) {
        if (needed) return name
        continue
      }
      const path = check(part)
      if (path !== undefined) return inside(name, path)
    }
    return strict ? Object.keys(value).find((name) => !Object.hasOwn(properties, name)) : undefined
  }
}

const inside = (name: string, path: string): string =>
  path === '' ? name : path.startsWith('[') ? name + path : `${name}.${path}`
