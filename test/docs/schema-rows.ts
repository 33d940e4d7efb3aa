import { deprecatedText, type JsonSchema, type RouteTable } from '../../src-main/core/contract/schema.ts'
import { code, codes } from './markdown.ts'

/** One row for each member of an object schema, inner objects included: its name, its values, what it means. */
export const schemaRows = (schema: object, prefix = ''): readonly (readonly string[])[] => {
  const { properties = {}, required = [] } = schema as JsonSchema
  return Object.entries(properties).flatMap(([key, member]) => {
    const name = `${prefix}${key}`
    const row = [code(name), `${valuesOf(member)}${required.includes(key) ? ', required' : ''}`, meaningOf(member)]
    if (isTable(member)) return [row]
    if (member.properties !== undefined) return [row, ...schemaRows(member, `${name}.`)]
    if (member.items?.properties !== undefined) return [row, ...schemaRows(member.items, `${name}[].`)]
    return [row]
  })
}

/** What has a page of its own, as the profile has. */
const isTable = ({ properties = {} }: JsonSchema): boolean => Object.keys(properties).length > 20

const meaningOf = ({ description, items, anyOf = [] }: JsonSchema): string =>
  description ?? items?.description ?? anyOf.flatMap((schema) => schema.description ?? []).join(' ')

const valuesOf = ({ type, anyOf, items, minimum, ...schema }: JsonSchema): string => {
  const maximum = schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : schema.maximum
  if (anyOf !== undefined) return anyOf.map(valuesOf).join(' or ')
  if (schema.enum !== undefined) return codes(schema.enum)
  if (schema.const !== undefined) return code(schema.const)
  switch (type) {
    case 'string':
      return 'text'
    case 'boolean':
      return '`true`, `false`'
    case 'integer':
    case 'number':
      return `${type === 'integer' ? 'whole number' : 'number'}${rangeOf(minimum, maximum)}`
    case 'array':
      return items?.type === 'object' ? 'list' : `list of ${items === undefined ? 'values' : valuesOf(items)}`
    default:
      return type ?? 'any value'
  }
}

const rangeOf = (minimum: number | undefined, maximum: number | undefined): string => {
  if (minimum === undefined) return maximum === undefined ? '' : ` up to ${maximum}`
  return maximum === undefined ? ` from ${minimum}` : `, ${minimum} to ${maximum}`
}

/** One row for each route: how it is called, its name, what it does and what it takes. */
export const routeRows = (routes: RouteTable): readonly (readonly string[])[] =>
  Object.entries(routes).map(([id, { method, path, summary, deprecated, query, body }]) => [
    code(`${method} ${path}`),
    code(id),
    deprecated === undefined ? summary : `${summary} **${deprecatedText(deprecated)}**`,
    [query, body].flatMap((schema) => (schema === undefined ? [] : inputNames(schema) || [])).join('; '),
  ])

/** The names of a route's inputs, as its row in the list of routes has them; `?` marks what may be absent. */
export const inputNames = (schema: object): string => {
  const { properties = {}, required = [], anyOf, description = '' } = schema as JsonSchema
  if (isTable(schema as JsonSchema)) return description
  if (anyOf !== undefined) return anyOf.map(inputNames).join(' or ')
  return Object.keys(properties)
    .map((key) => {
      const name = code(required.includes(key) ? key : `${key}?`)
      return properties[key]?.deprecated === true ? `~~${name}~~` : name
    })
    .join(', ')
}
