import { type Refusal, refuse } from '../../contract/errors.ts'
import { isRpId, isRpOrigin } from '../../contract/rp-identity.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { invalid, kindOf } from '../request/fields.ts'

/** A JSON object that has no members but these. */
export const objectWith = (input: unknown, known: readonly string[]): Result<JsonObject, Refusal> => {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return err(refuse('invalid_parameter', `Expected a JSON object, got ${kindOf(input)}.`))
  }
  const stray = Object.keys(input).find((key) => !known.includes(key))
  return stray === undefined
    ? ok(input as JsonObject)
    : err(invalid(stray, `it is not known here. Known are: ${known.join(', ')}.`))
}

export const isOrigins = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRpOrigin)

export const originsValue = (value: unknown): Result<readonly string[], Refusal> =>
  isOrigins(value)
    ? ok(value)
    : err(invalid('origins', 'expected a list of origins such as "https://shop.example", at least one.'))

export const rpIdValue = (value: unknown): Result<string, Refusal> =>
  isRpId(value)
    ? ok(value)
    : err(invalid('rp_id', 'expected a domain such as "shop.example", lower case, without scheme and port.'))
