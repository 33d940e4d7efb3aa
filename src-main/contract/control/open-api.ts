import type { Schema } from '../schema.ts'
import type { Route } from './route.ts'
import { CONTROL_PREFIX, routes } from './routes.ts'

type Json = { readonly [key: string]: unknown }

/** OpenAPI 3.1 of the whole control interface, made from the contract. */
export const openApiOf = (version: string): Json => {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [id, route] of Object.entries<Route>(routes)) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(id, route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Handset control',
      version,
      description:
        'Everything that the page, the command line and scripts do to a bench. What belongs to a workspace is at this address for the workspace main, and below /w/{id} for any other.',
    },
    servers: [
      { url: CONTROL_PREFIX },
      { url: `/w/{workspace}${CONTROL_PREFIX}`, variables: { workspace: { default: 'main' } } },
    ],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Refusal: refusalSchema },
    },
  }
}

const refusalSchema = {
  type: 'object',
  required: ['code', 'data', 'error'],
  properties: { code: { type: 'integer' }, data: { type: 'object' }, error: { type: 'string' } },
}

const operationOf = (id: string, route: Route): Json => ({
  operationId: id,
  summary: route.summary,
  ...(route.open === true ? { security: [] } : {}),
  ...(route.scope === 'bench' ? { servers: [{ url: CONTROL_PREFIX }] } : {}),
  parameters: [...parametersOf(route.params, 'path'), ...parametersOf(route.query, 'query')],
  ...(route.body === undefined
    ? {}
    : { requestBody: { required: true, content: { 'application/json': { schema: route.body } } } }),
  responses: {
    200: {
      description: route.stream === true ? 'Server-sent events, each of this form.' : 'Done.',
      content:
        route.stream === true
          ? { 'text/event-stream': { schema: route.data } }
          : { 'application/json': { schema: envelopeOf(route.data) } },
    },
    default: {
      description: 'Refused: code and error say why.',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
    },
  },
})

const envelopeOf = (data: Schema): Json => ({
  type: 'object',
  required: ['code', 'data', 'error'],
  properties: { code: { const: 0 }, data, error: { const: '' } },
})

type ObjectSchema = {
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>
  readonly required?: readonly string[]
}

const parametersOf = (schema: Schema | undefined, where: 'path' | 'query'): readonly Json[] => {
  const { properties = {}, required = [] } = (schema ?? {}) as ObjectSchema
  return Object.entries(properties).map(([name, { description, ...inner }]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: inner,
  }))
}
