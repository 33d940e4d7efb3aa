import { type Refusal, refuse } from '../../contract/errors.ts'
import type { Profile } from '../../contract/profile.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { err, ok, type Result } from '../../protocol/result.ts'

/** Reads what people and programs sent, one parameter after the other; the refusal names the parameter. */
export type TextRule = { readonly max: number }

/** Profile `empty_optional`: many serialisers write null or "" for what they leave out. */
type EmptyRule = Profile['empty_optional']

/** The value of an optional field; undefined when it counts as absent. */
export const given = <T>(value: T, empty: EmptyRule): T | undefined =>
  empty === 'absent' && (value === null || value === '') ? undefined : value

export const invalid = (parameter: string, detail: string): Refusal =>
  refuse('invalid_parameter', `${parameter}: ${detail}`, { data: { parameter } })

export const missing = (parameter: string): Refusal =>
  refuse('missing_parameter', `${parameter} is required.`, { data: { parameter } })

export const requiredText = (body: JsonObject, name: string, rule: TextRule): Result<string, Refusal> =>
  body[name] === undefined ? err(missing(name)) : textValue(name, body[name], rule)

export const optionalText = (
  body: JsonObject,
  name: string,
  rule: TextRule & { readonly empty?: EmptyRule },
): Result<string | undefined, Refusal> => {
  const value = given(body[name], rule.empty ?? 'refuse')
  return value === undefined ? ok(undefined) : textValue(name, value, rule)
}

/** Of whatever a person gives a name, and of an id that a person chose. */
export const NAME: TextRule = { max: 128 }
export const GIVEN_ID: TextRule = { max: 64 }

/** The same rule for a text that is stored. */
export const isText = (value: unknown, rule: TextRule): value is string => textValue('', value, rule).ok

/** docs/interface/relying-party.md, "Users and credentials": valid Unicode, no control characters, nothing trimmed; characters are code points. */
const textValue = (name: string, value: unknown, { max }: TextRule): Result<string, Refusal> => {
  if (typeof value !== 'string') return err(invalid(name, `expected a string, got ${kindOf(value)}.`))
  if (!value.isWellFormed()) return err(invalid(name, 'it is not valid Unicode.'))
  if (/\p{Cc}/u.test(value)) return err(invalid(name, 'it has a control character.'))
  const length = value.length <= max ? value.length : [...value].length
  if (length === 0 || length > max) {
    return err(invalid(name, `expected 1 to ${max} characters, got ${length}.`))
  }
  return ok(value)
}

export const kindOf = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'an array'
      : typeof value === 'object'
        ? 'an object'
        : `a ${typeof value}`
