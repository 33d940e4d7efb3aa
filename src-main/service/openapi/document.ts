import { type ErrorName, errors } from '../../contract/errors.ts'
import type { Route } from '../../http/route-table.ts'
import type { Operation, Parameter } from './operation.ts'
import { anyObject, object, type Schema, text } from './schema.ts'

type Json = Readonly<Record<string, unknown>>

export type Interface = {
  readonly title: string
  readonly description: string
  readonly routes: readonly Route<{ readonly operation: string }>[]
  readonly operations: Readonly<Record<string, Operation>>
  /** The refusals that every call has. */
  readonly errors: readonly ErrorName[]
  readonly security: { readonly name: string; readonly scheme: Json }
  readonly parameters: Readonly<Record<string, string>>
}

/** OpenAPI 3.1, made from the route table: an address that is not served cannot stand in it. */
export const openApiDocument = (of: Interface, serverUrl: string): Json => ({
  openapi: '3.1.0',
  info: { title: of.title, version: '1', description: of.description },
  servers: [{ url: serverUrl }],
  security: [{ [of.security.name]: [] }],
  paths: pathsOf(of),
  components: { securitySchemes: { [of.security.name]: of.security.scheme } },
})

const pathsOf = (of: Interface): Json => {
  const paths: Record<string, Record<string, Json>> = {}
  for (const { method, pattern, handler } of of.routes) {
    const operation = of.operations[handler.operation]
    if (operation === undefined) throw new Error(`the operation ${handler.operation} is not described`)
    paths[pattern] = { ...paths[pattern], [method.toLowerCase()]: operationOf(of, pattern, handler.operation) }
  }
  return paths
}

const operationOf = (of: Interface, pattern: string, name: string): Json => {
  const operation = of.operations[name]
  if (operation === undefined) return {}
  const path = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => ({
    in: 'path',
    name: parameter,
    required: true,
    description: of.parameters[parameter] ?? '',
    schema: { type: 'string' },
  }))
  const parameters = [...path, ...placed('query', operation.query), ...placed('header', operation.headers)]
  return {
    operationId: name,
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    ...(operation.open === true ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(operation.body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: operation.body } } } }),
    responses: { 200: successOf(operation), ...refusalsOf([...of.errors, ...operation.errors]) },
  }
}

const placed = (where: string, parameters: readonly Parameter[] = []): readonly Json[] =>
  parameters.map((parameter) => ({ in: where, ...parameter }))

const successOf = ({ data, events }: Operation): Json =>
  events === undefined
    ? { description: 'Done.', content: { 'application/json': { schema: successSchema(data) } } }
    : { description: 'Open until either side ends it.', content: { 'text/event-stream': { schema: events } } }

export const successSchema = (data: Schema = anyObject('Nothing more.')): Schema =>
  object({ code: { type: 'integer', const: 0 }, data, error: { type: 'string', const: '' } })

/** One response for each status, with the codes that it may stand for. */
const refusalsOf = (names: readonly ErrorName[]): Json => {
  const byStatus = Map.groupBy(new Set(names), (name) => errors[name].status)
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, group]) => [
        status,
        {
          description: group.map((name) => `${errors[name].code}: ${errors[name].sentence}`).join('\n\n'),
          content: {
            'application/json': {
              schema: object({
                code: { type: 'integer', enum: group.map((name) => errors[name].code) },
                data: anyObject('What helps to find the cause.'),
                error: text('One plain sentence, and what was got and expected.'),
              }),
            },
          },
        },
      ]),
  )
}
