import { isObject } from '../protocol/json.ts'
import { parseReason } from './errors.ts'

export type PhoneTrouble = {
  readonly word: string
  readonly reason?: { readonly code: string; readonly params?: unknown } | undefined
  readonly service_code?: number | undefined
}

export const parsePhoneTrouble = (data: unknown): PhoneTrouble | undefined => {
  if (!isObject(data) || typeof data.word !== 'string') return undefined
  const { word, reason, service_code } = data
  return {
    word,
    reason: parseReason(reason),
    service_code: typeof service_code === 'number' ? service_code : undefined,
  }
}
