import type { Refusal } from '../contract/errors.ts'
import { type Messages, phoneText } from './messages.ts'
import { textOf } from './text.ts'

type Texts = Pick<Messages, 'errors' | 'reasons' | 'phoneProblems' | 'failures'>

/** What a refusal says: the sentence of its code, then what was got and what was expected. */
export const refusalText = (messages: Texts, { name, word, reason, data }: Refusal): string => {
  const lead = messages.errors[name]
  if (typeof reason === 'string') return `${lead} ${reason}`
  if (word !== undefined) {
    return `${lead} ${phoneText(messages, { word, reason, service_code: Number(data?.service_code) })}`
  }
  return reason === undefined ? lead : `${lead} ${textOf(messages.reasons, reason)}`
}
