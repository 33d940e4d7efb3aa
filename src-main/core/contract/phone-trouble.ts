import { isObject } from '../protocol/json.ts'
import { parseReason } from './reasons.ts'

/** What a phone says, by its word. */
export type PhoneTrouble = {
  readonly word: string
  readonly reason?: { readonly code: string; readonly params?: unknown } | undefined
  /** Of the service, when it was that which refused. */
  readonly service_code?: number | undefined
}

/** What stands beside a phone's own refusal; undefined where it was not a phone that refused. */
export const phoneTroubleIn = (data: unknown): PhoneTrouble | undefined => {
  if (!isObject(data) || typeof data.word !== 'string') return undefined
  const { word, reason, service_code } = data
  return {
    word,
    reason: parseReason(reason),
    service_code: typeof service_code === 'number' ? service_code : undefined,
  }
}
