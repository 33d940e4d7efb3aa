import { type Refusal, refuse, refuseField } from '../../core/contract/errors.ts'
import type { JsonSchema, Route } from '../../core/contract/schema.ts'
import { findProblem } from '../../core/contract/validate.ts'
import { isObject, type JsonObject } from '../../core/protocol/json.ts'
import { rememberByObject } from '../../core/protocol/remember.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { decodePercent, type RawRequest } from '../../http/message.ts'
import { parseJsonBody } from '../../http/parse-json.ts'

export type ParsedInput = { readonly params: JsonObject; readonly query: JsonObject; readonly body: JsonObject }

const NOTHING: JsonObject = {}

export const parseInput = (
  route: Route,
  request: RawRequest,
  params: Readonly<Record<string, string>>,
): Result<ParsedInput, Refusal> => {
  if (route.params !== undefined) {
    const wrong = findProblem(params, route.params)
    if (wrong !== undefined) return err(refuseField(wrong))
  }
  const body =
    route.body === undefined ? ok(NOTHING) : fitting(parseJsonBody(request.headers, request.body), route.body)
  if (!body.ok) return body
  const query = route.query === undefined ? ok(NOTHING) : fitting(parseQuery(request.query, route.query), route.query)
  return query.ok ? ok({ params, query: query.value, body: body.value }) : query
}

const fitting = (parsed: Result<JsonObject, Refusal>, schema: object): Result<JsonObject, Refusal> => {
  if (!parsed.ok) return parsed
  const wrong = findProblem(parsed.value, schema)
  return wrong === undefined ? ok(withoutEmpty(parsed.value, schema)) : err(refuseField(wrong))
}

type Member = { readonly name: string; readonly schema: JsonSchema; readonly optional: boolean }

/**
 * Leaves out optional members that are null or empty; the schema allows them only where the profile does. Iterates over
 * the schema, since V8 recompiles a loop over the values for each of their shapes.
 */
const withoutEmpty = (value: JsonObject, schema: JsonSchema): JsonObject => {
  let kept: Record<string, unknown> | undefined
  for (const { name, schema: inner, optional } of membersOf(schema)) {
    const member = value[name]
    if (optional && (member === null || member === '')) {
      kept ??= { ...value }
      delete kept[name]
    } else if (isObject(member)) {
      const cleaned = withoutEmpty(member, inner)
      if (cleaned !== member) kept = { ...(kept ?? value), [name]: cleaned }
    }
  }
  return kept ?? value
}

/**
 * The parameters with these names. A repetition must have the same value, or it is refused with 40004. As in the
 * canonical query, `+` is a plus.
 */
const parseQuery = (
  query: string,
  { properties: known = {} }: JsonSchema,
): Result<Readonly<Record<string, string>>, Refusal> => {
  const found: Record<string, string> = {}
  if (query === '') return ok(found)
  for (const part of query.includes('&') ? query.split('&') : [query]) {
    const equals = part.indexOf('=')
    const name = nameAmong(known, decodePercent(equals < 0 ? part : part.slice(0, equals)))
    if (name === undefined) continue
    const value = decodePercent(equals < 0 ? '' : part.slice(equals + 1))
    if (value === undefined) {
      return err(refuseField({ code: 'field_encoding', params: { field: name } }))
    }
    if (Object.hasOwn(found, name) && found[name] !== value) {
      return err(refuse('conflicting_parameters', { code: 'field_contradicts', params: { field: name } }))
    }
    found[name] = value
  }
  return ok(found)
}

/** Returns the contract's own string, because a substring of a query is a slow key. */
const nameAmong = (known: Readonly<Record<string, unknown>>, wanted: string | undefined): string | undefined => {
  for (const name in known) if (name === wanted) return name
  return undefined
}

const membersOf = rememberByObject(({ properties = {}, required = [] }: JsonSchema): readonly Member[] =>
  Object.entries(properties)
    .map(([name, schema]) => ({ name, schema, optional: !required.includes(name) }))
    .filter(({ optional, schema }) => optional || schema.properties !== undefined),
)
