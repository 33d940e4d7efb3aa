import type { JsonSchema } from '../../../core/contract/schema.ts'

export type Fields = Readonly<Record<string, unknown>>

/** What a value may be, one after the other. */
export const alternativesOf = (schema: JsonSchema): readonly JsonSchema[] =>
  schema.anyOf === undefined ? [schema] : schema.anyOf.flatMap(alternativesOf)

/** Nothing is said of what its values are. */
export const isFree = ({ type, properties, anyOf, enum: values, const: value }: JsonSchema): boolean => {
  if (anyOf !== undefined || values !== undefined || value !== undefined) return false
  return type === undefined || (type === 'object' && properties === undefined)
}

const anyOf = (schemas: readonly JsonSchema[]): JsonSchema | undefined =>
  schemas.length < 2 ? schemas[0] : { anyOf: schemas }

/** What an entry of its lists is; undefined where none of its values is a list. */
export const entriesOf = (schema: JsonSchema): JsonSchema | undefined =>
  anyOf(alternativesOf(schema).flatMap(({ type, items }) => (type === 'array' ? [items ?? {}] : [])))

/** What each field is, in any of the alternatives; undefined where none of its values is an object. */
export const fieldsOf = (schema: JsonSchema): Readonly<Record<string, JsonSchema>> | undefined => {
  const objects = alternativesOf(schema).flatMap(({ properties }) => (properties === undefined ? [] : [properties]))
  if (objects.length === 0) return undefined
  const names = new Set(objects.flatMap(Object.keys))
  return Object.fromEntries(
    [...names].map((name) => [name, anyOf(objects.flatMap(({ [name]: inner }) => inner ?? [])) ?? {}]),
  )
}

/** Every text that the alternatives allow, where they are few; undefined where any text is. */
export const wordsOf = (alternatives: readonly JsonSchema[]): readonly string[] | undefined => {
  const words: unknown[] = []
  for (const { const: value, enum: values, type } of alternatives) {
    if (value === undefined && values === undefined) return undefined
    if (type !== undefined && type !== 'string') return undefined
    words.push(...(values ?? [value]))
  }
  return words.every((word) => typeof word === 'string') ? [...new Set(words)] : undefined
}

/** Whether some of its values are of one of these types. */
export const takes = (schema: JsonSchema, types: readonly string[]): boolean =>
  alternativesOf(schema).some(({ type, const: value, enum: values = [value] }) =>
    type === undefined ? values.some((one) => types.includes(typeof one)) : types.includes(type),
  )
