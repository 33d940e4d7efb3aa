import { type Refusal, refuse, refuseField } from '../../core/contract/errors.ts'
import type { Route } from '../../core/contract/schema.ts'
import { findProblem } from '../../core/contract/validate.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { SLICE } from '../../core/protocol/slices.ts'
import { parseJsonBody, parseLargeJsonBody } from '../../http/json-body.ts'
import type { RawRequest } from '../../http/message.ts'

export type ParsedCall = { readonly params: unknown; readonly query: unknown; readonly body: unknown }

/** The request as the contract defines it, or what is wrong with it. */
export const parseCall = async (
  route: Route,
  request: RawRequest,
  params: Readonly<Record<string, string>>,
): Promise<Result<ParsedCall, Refusal>> => {
  const wrongParam = route.params === undefined ? undefined : findProblem(params, route.params)
  if (wrongParam !== undefined) return err(refuseField(wrongParam))
  const query = parseQuery(route, request.query)
  if (!query.ok) return query
  const body = await parseBody(route, request)
  return body.ok ? ok({ params, query: query.value, body: body.value }) : body
}

const parseBody = async (route: Route, request: RawRequest): Promise<Result<unknown, Refusal>> => {
  if (route.body === undefined) return ok(undefined)
  // `curl -X POST` without a body is a call without inputs.
  const { headers, body } = request
  const json =
    body.length === 0
      ? ok({})
      : body.length <= SLICE
        ? parseJsonBody(headers, body)
        : await parseLargeJsonBody(headers, body)
  if (!json.ok) return json
  const problem = findProblem(json.value, route.body)
  return problem === undefined ? json : err(refuseField(problem))
}

type QuerySchema = { readonly properties: Readonly<Record<string, { readonly type?: string }>> }

const parseQuery = (route: Route, text: string): Result<unknown, Refusal> => {
  const { properties } = (route.query ?? { properties: {} }) as QuerySchema
  const query: Record<string, unknown> = {}
  for (const [key, value] of new URLSearchParams(text)) {
    if (Object.hasOwn(query, key)) {
      return err(
        refuse('conflicting_parameters', { code: 'field_twice', params: { field: key } }, { data: { parameter: key } }),
      )
    }
    query[key] = Object.hasOwn(properties, key) ? typed(value, properties[key]?.type) : value
  }
  const problem = findProblem(query, route.query ?? { ...EMPTY })
  return problem === undefined ? ok(query) : err(refuseField(problem))
}

const EMPTY = { type: 'object', properties: {}, additionalProperties: false }

/** Converts texts of the query to the contract's types; one that does not fit stays a text and is refused. */
const typed = (text: string, type: string | undefined): unknown => {
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
