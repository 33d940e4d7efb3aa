import { parseReason, type Reason } from '../../core/contract/errors.ts'
import { isObject, parseJsonOrNothing } from '../../core/protocol/json.ts'

export const jsonMember = (body: string, name: string): unknown => {
  const parsed = parseJsonOrNothing(body)
  return isObject(parsed) ? parsed[name] : undefined
}

export const jsonText = (body: string, name: string): string => {
  const value = jsonMember(body, name)
  return typeof value === 'string' ? value : ''
}

export const readReason = (body: string): Reason | undefined => {
  const data = jsonMember(body, 'data')
  return parseReason(isObject(data) ? data.reason : undefined)
}
