import { errorNameOf } from '../contract/errors.ts'
import type { PhoneTrouble } from '../contract/phone-trouble.ts'
import type { en } from './en/en.ts'
import { textOf } from './text.ts'

type Table<English> = { readonly [Code in keyof English]: English[Code] extends string ? string : English[Code] }

/** Every language has all texts of English. */
export type Messages = { readonly [Name in keyof typeof en]: Table<(typeof en)[Name]> }

type Texts = Pick<Messages, 'phoneProblems' | 'failures' | 'errors' | 'reasons'>

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
