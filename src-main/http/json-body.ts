import { type Refusal, refuse } from '../contract/errors.ts'
import { type Bytes, fromUtf8 } from '../protocol/bytes.ts'
import type { HeaderPair } from '../protocol/canonical-request.ts'
import { isObject, type JsonObject } from '../protocol/json.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import { headerOf } from './message.ts'
import { parseJson } from './parse-json.ts'

/** A JSON object, or why it is none: 41501 before 40001. */
export const parseJsonBody = (headers: readonly HeaderPair[], body: Bytes): Result<JsonObject, Refusal> => {
  const type = contentTypeProblem(headerOf(headers, 'content-type'))
  if (type !== undefined) return err(refuse('not_json', type))
  const text = fromUtf8(body)
  if (text === undefined) return malformed('It is not UTF-8.')
  if (text === '') return malformed('It is empty.')
  if (text.startsWith('\ufeff')) return malformed('It begins with a byte order mark.')
  const parsed = parseJson(text)
  if (!parsed.ok) return malformed(parsed.error)
  const { value } = parsed
  if (!isObject(value)) {
    return malformed(`It is ${Array.isArray(value) ? 'an array' : value === null ? 'null' : `a ${typeof value}`}.`)
  }
  return ok(value)
}

const malformed = (detail: string): Result<never, Refusal> => err(refuse('malformed_json', detail))

const contentTypeProblem = (type: string | undefined): string | undefined => {
  if (type === undefined) return 'There is no Content-Type.'
  const [essence = '', ...parameters] = type.split(';').map((part) => part.trim().toLowerCase())
  if (essence !== 'application/json') return `Got ${JSON.stringify(essence.slice(0, 100))}.`
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset))
    return `Got ${JSON.stringify(charset.slice(0, 100))}.`
  return undefined
}
