import type { TProperties } from 'typebox'
import { rememberByObject, rememberByText } from '../protocol/remember.ts'
import { PROFILE_KEYS, type Profile, type ProfileKey } from './profile.ts'
import { type NoneBut, object, optional, type Route, type Schema, type TableRoute, typed } from './schema.ts'

export type MaxLengthKey = Extract<ProfileKey, `${string}_max`>

export type InputRules = Pick<Profile, MaxLengthKey | 'empty_optional'>

const INPUT_RULES = PROFILE_KEYS.filter((key) => key.endsWith('_max') || key === 'empty_optional')

/** One table for all profiles with the same rules, so that its schemas are compiled once. */
export const rememberByRules = <T>(make: (rules: InputRules) => T): ((rules: InputRules) => T) => {
  const byText = rememberByText((text) => make(JSON.parse(text)))
  return rememberByObject((rules: InputRules) => byText(JSON.stringify(rules, INPUT_RULES)))
}

/** Under `empty_optional: absent`, null and an empty text are the same as no field. */
export const optionalText = <T extends string = string>({ empty_optional }: InputRules, schema: Schema) =>
  optional(typed<T>(empty_optional === 'absent' ? orEmpty(schema) : schema))

type TextSchema = { readonly enum?: readonly string[]; readonly description?: string }

const orEmpty = (schema: Schema): Schema => {
  const { enum: values, description = '', ...rest } = schema as TextSchema
  return {
    ...rest,
    type: ['string', 'null'],
    description: `${description} \`null\` and \`""\` are the same as no field.`,
    ...(values === undefined ? { minLength: 0 } : { enum: [...values, '', null] }),
  }
}

/** Open: unknown members are ignored. */
export const input = <P extends TProperties>(properties: P) => object(properties, { additionalProperties: true })

type Parts = Omit<TableRoute, 'method' | 'path' | 'summary'>

const makerOf =
  <const M extends Route['method']>(method: M) =>
  <const P extends Route['path'], const R extends Parts>(
    path: P,
    summary: string,
    parts: R & NoneBut<keyof Parts, R>,
  ) =>
    ({ method, path, summary, ...parts }) as { method: M; path: P; summary: string } & R

/** Makers that keep the types of method, path and schemas. */
export const route = { get: makerOf('GET'), put: makerOf('PUT'), post: makerOf('POST'), del: makerOf('DELETE') }

export const BODY_ERRORS = [
  'malformed_json',
  'invalid_parameter',
  'missing_parameter',
  'not_json',
  'body_too_large',
] as const
