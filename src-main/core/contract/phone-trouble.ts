import { type TextTable, textOf } from '../protocol/coded.ts'
import { isObject } from '../protocol/json.ts'
import { type ErrorName, errorNameOf, parseReason } from './errors.ts'

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

type Texts = Readonly<Record<'phoneProblems' | 'failures' | 'reasons', TextTable>> & {
  readonly errors: Readonly<Record<ErrorName, string>>
}

/** The sentence of the phone's or the service's word, with the received value if that helps. */
export const phoneText = (
  { phoneProblems, failures, errors, reasons }: Texts,
  { word, reason, service_code = 0 }: PhoneTrouble,
): string => {
  const refused = word === 'service_refused' ? errorNameOf(service_code) : undefined
  return [
    textOf({ ...failures, ...phoneProblems }, { code: word }),
    ...(refused === undefined ? [] : [errors[refused]]),
    ...(reason === undefined ? [] : [textOf(reasons, reason)]),
  ].join(' ')
}
