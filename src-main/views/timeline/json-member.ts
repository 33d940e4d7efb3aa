import { parseReason, type Reason } from '../../core/contract/errors.ts'
import { isObject, type JsonObject, parseJsonOrNothing } from '../../core/protocol/json.ts'

/** Empty for text that is no JSON object. */
export const parseJsonObject = (text = ''): JsonObject => {
  const value = parseJsonOrNothing(text)
  return isObject(value) ? value : {}
}

export const jsonMember = (body: string, name: string): unknown => parseJsonObject(body)[name]

export const jsonText = (body: string, name: string): string => {
  const value = jsonMember(body, name)
  return typeof value === 'string' ? value : ''
}

export const readReason = (body: string): Reason | undefined => {
  const data = jsonMember(body, 'data')
  return parseReason(isObject(data) ? data.reason : undefined)
}
