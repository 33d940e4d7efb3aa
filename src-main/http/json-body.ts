import { type Reason, type Refusal, refuse } from '../core/contract/errors.ts'
import { type Bytes, fromUtf8 } from '../core/protocol/bytes.ts'
import type { HeaderPair } from '../core/protocol/canonical-request.ts'
import { isObject, type JsonObject } from '../core/protocol/json.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { inSlices } from '../core/protocol/slices.ts'
import { headerOf } from './message.ts'
import { jsonProblems, parseJson } from './parse-json.ts'
import { parseJsonSteps } from './parse-json-steps.ts'

/** A JSON object, or the refusal: 41501 before 40001. */
export const parseJsonBody = (headers: readonly HeaderPair[], body: Bytes): Result<JsonObject, Refusal> => {
  const refusal = headProblem(headers, body)
  if (refusal !== undefined) return err(refusal)
  const text = fromUtf8(body)
  return text === undefined ? malformed(jsonProblems.utf8) : objectIn(parseJson(text))
}

/** The same for a body of many megabytes, without blocking other requests. */
export const parseLargeJsonBody = async (
  headers: readonly HeaderPair[],
  body: Bytes,
): Promise<Result<JsonObject, Refusal>> => {
  const refusal = headProblem(headers, body)
  return refusal === undefined ? objectIn(await inSlices(parseJsonSteps(body))) : err(refusal)
}

const headProblem = (headers: readonly HeaderPair[], body: Bytes): Refusal | undefined => {
  const type = contentTypeProblem(headerOf(headers, 'content-type'))
  if (type !== undefined) return refuse('not_json', type)
  if (body.length === 0) return refuse('malformed_json', { code: 'body_empty' })
  const [first, second, third] = body
  const marked = first === 0xef && second === 0xbb && third === 0xbf
  return marked ? refuse('malformed_json', { code: 'byte_order_mark' }) : undefined
}

const objectIn = (parsed: Result<unknown, Reason>): Result<JsonObject, Refusal> => {
  if (!parsed.ok) return malformed(parsed.error)
  const { value } = parsed
  if (!isObject(value)) {
    return malformed({
      code: 'json_is',
      params: { type: Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value },
    })
  }
  return ok(value)
}

const malformed = (reason: Reason): Result<never, Refusal> => err(refuse('malformed_json', reason))

const contentTypeProblem = (type: string | undefined): Reason | undefined => {
  if (type === 'application/json') return undefined
  if (type === undefined) return { code: 'content_type_missing' }
  const [essence = '', ...parameters] = type.split(';').map((part) => part.trim().toLowerCase())
  if (essence !== 'application/json') return got(essence)
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  return charset === undefined || /^charset="?utf-?8"?$/.test(charset) ? undefined : got(charset)
}

const got = (text: string): Reason => ({ code: 'got', params: { got: JSON.stringify(text.slice(0, 100)) } })
