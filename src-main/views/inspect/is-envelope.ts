import type { JsonObject } from '../../core/protocol/json.ts'

/** In which every answer of the interface comes. */
export const isEnvelope = (value: JsonObject): value is JsonObject & { readonly error: string } =>
  Number.isInteger(value.code) && typeof value.error === 'string' && 'data' in value
