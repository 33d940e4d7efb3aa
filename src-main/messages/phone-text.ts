import { errorOfCode } from '../contract/errors.ts'
import { parseReason } from '../contract/reasons.ts'
import { isObject } from '../protocol/json.ts'
import type { Messages } from './messages.ts'
import { textOf } from './text.ts'

/** What a phone says, by its word. */
export type PhoneTrouble = {
  readonly word: string
  readonly reason?: { readonly code: string; readonly params?: unknown } | undefined
  /** Of the service, when it was that which refused. */
  readonly service_code?: number | undefined
}

type Texts = Pick<Messages, 'phoneProblems' | 'failures' | 'errors' | 'reasons'>

/** The sentence of the phone's own word or of the service's, and what was got where that helps. */
export const phoneText = (
  { phoneProblems, failures, errors, reasons }: Texts,
  { word, reason, service_code = 0 }: PhoneTrouble,
): string => {
  const refused = word === 'service_refused' ? errorOfCode(service_code) : undefined
  return [
    textOf({ ...failures, ...phoneProblems }, { code: word }),
    ...(refused === undefined ? [] : [errors[refused]]),
    ...(reason === undefined ? [] : [textOf(reasons, reason)]),
  ].join(' ')
}

/** What stands beside a phone's own refusal; undefined where it was not a phone that refused. */
export const phoneTroubleIn = (data: unknown): PhoneTrouble | undefined => {
  if (!isObject(data) || typeof data.word !== 'string') return undefined
  return { word: data.word, reason: parseReason(data.reason), service_code: Number(data.service_code) }
}
