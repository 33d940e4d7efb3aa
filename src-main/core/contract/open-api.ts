import { withoutUndefined } from '../protocol/json.ts'
import { type ErrorName, errors } from './errors.ts'
import { deprecatedText, type Interface, type JsonSchema, type Route, type Schema } from './schema.ts'

type Json = Readonly<Record<string, unknown>>

export const createOpenApi = <R extends Route>(of: Interface<R>): Json => {
  const paths: Record<string, Json> = {}
  for (const [id, route] of Object.entries(of.routes)) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(of, id, route) }
  }
  return {
    openapi: '3.1.0',
    info: { title: of.title, version: of.version, description: of.description },
    servers: of.servers,
    security: [{ [of.security.name]: [] }],
    paths,
    components: { securitySchemes: { [of.security.name]: of.security.scheme } },
  }
}

const operationOf = <R extends Route>(of: Interface<R>, id: string, route: R): Json => {
  const servers = of.serversOf?.(route)
  return {
    operationId: id,
    summary: route.summary,
    ...about(route.description, route.deprecated),
    ...(route.open === true ? { security: [] } : {}),
    ...(servers === undefined ? {} : { servers }),
    parameters: [
      ...parametersOf(route.params, 'path'),
      ...parametersOf(route.query, 'query'),
      ...parametersOf(route.headers, 'header'),
    ],
    ...(route.body === undefined ? {} : { requestBody: { required: true, content: json(route.body) } }),
    responses: { 200: successOf(route), ...refusalsOf(of.errors && [...of.errors, ...(route.errors ?? [])]) },
  }
}

const about = (description: string | undefined, instead: string | undefined): Json => {
  const text = [instead === undefined ? undefined : deprecatedText(instead), description].filter(Boolean).join('\n\n')
  return { ...(text === '' ? {} : { description: text }), ...(instead === undefined ? {} : { deprecated: true }) }
}

const json = (schema: object): Json => ({ 'application/json': { schema } })

const successOf = ({ stream, data }: Route): Json =>
  stream === true
    ? { description: 'Server-sent events, each of this form.', content: { 'text/event-stream': { schema: data } } }
    : { description: 'Done.', content: json(envelopeOf({ const: 0 }, data, { const: '' })) }

const refusalsOf = (names: readonly ErrorName[] | undefined): Json => {
  if (names === undefined) {
    const content = json(envelopeOf({ type: 'integer' }, HELP, { type: 'string' }))
    return { default: { description: 'Refused: code and error say why.', content } }
  }
  const byStatus = Map.groupBy(new Set(names), (name) => errors[name].status)
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, group]) => {
        const code = { type: 'integer', enum: group.map((name) => errors[name].code) }
        const description = group.map((name) => `${errors[name].code}: ${errors[name].text}`).join('\n\n')
        return [status, { description, content: json(envelopeOf(code, HELP, REASON)) }]
      }),
  )
}

const HELP = { type: 'object', description: 'What helps to find the cause.' }
const REASON = { type: 'string', description: 'One plain sentence, and what was got and expected.' }

const envelopeOf = (code: object, data: object, error: object): Json => ({
  type: 'object',
  properties: { code, data, error },
  required: ['code', 'data', 'error'],
  additionalProperties: false,
})

const parametersOf = (schema: Schema | undefined, where: 'path' | 'query' | 'header'): readonly Json[] => {
  const { properties = {}, required = [] } = (schema ?? {}) as JsonSchema
  return Object.entries(properties).map(([name, { description, deprecated, ...inner }]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    ...withoutUndefined({ description, deprecated }),
    schema: inner,
  }))
}
