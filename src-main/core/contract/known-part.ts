import { Check } from 'typebox/schema'
import { isObject, type JsonObject } from '../protocol/json.ts'
import type { JsonSchema, Schema } from './schema.ts'
import { fitsSchema } from './validate.ts'

export const stripUnknown = (value: unknown, schema: Schema): unknown => strip(value, schema as JsonSchema)

const strip = (value: unknown, { properties, items }: JsonSchema): unknown => {
  if (Array.isArray(value) && items !== undefined) return value.map((entry) => strip(entry, items))
  if (!isObject(value) || properties === undefined) return value
  return Object.fromEntries(
    Object.entries(properties).flatMap(([key, part]) =>
      Object.hasOwn(value, key) ? [[key, strip(value[key], part)]] : [],
    ),
  )
}

/** The members that this version knows and whose values it accepts. Each member counts as a whole. */
export const pickValidMembers = (value: unknown, schema: Schema): JsonObject => {
  const known = stripUnknown(value, schema)
  if (!isObject(known)) return {}
  if (fitsSchema(known, schema)) return known
  const { properties = {} } = schema as JsonSchema
  return Object.fromEntries(Object.entries(known).filter(([key, part]) => Check(properties[key] ?? {}, part)))
}

export const hasUnknownMembers = (value: unknown, schema: Schema): boolean => {
  const { properties = {} } = schema as JsonSchema
  return isObject(value) && Object.keys(value).some((key) => !Object.hasOwn(properties, key))
}
