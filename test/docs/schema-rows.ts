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
    [query, body].map((schema) => (schema === undefined ? '' : inputNames(schema))).join(''),
  ])

/** A table of the calls, and below it each field that they take and answer, once where several calls have it. */
export const callTables = (routes: RouteTable): string => {
  const all = Object.values(routes)
  const calls = all.map(({ method, path, summary, query, body, data }) => {
    const takes = [query, body].map((schema) => (schema === undefined ? '' : inputNames(schema))).filter(Boolean)
    return `| ${code(`${method} ${path}`)} | ${summary} | ${takes.join('; ')} | ${inputNames(data)} |`
  })
  const takes = all.flatMap(({ params, query, headers, body }) => [params, query, headers, body])
  return `| call | what it does | takes | \`data\` |
|---|---|---|---|
${calls.join('\n')}

It takes:

${fieldLines(takes)}

\`data\` has:

${fieldLines(all.map(({ data }) => data))}`
}

const fieldLines = (schemas: readonly (object | undefined)[]): string => {
  const lines = schemas
    .flatMap((schema) => schemaRows(schema ?? {}))
    .map(([name, values = '', meaning]) => {
      const type = values.replace(/, required$/, '')
      return `- ${name}${type === 'text' ? '' : ` (${type})`} ${meaning}`
    })
  const isSaid = (line: string): boolean => lines.includes(line.replace(/`\w+\[\]\./, '`'))
  return [...new Set(lines)].filter((line) => !line.includes('[].') || !isSaid(line)).join('\n')
}

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
