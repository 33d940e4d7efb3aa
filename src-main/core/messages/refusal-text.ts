import type { Refusal } from '../contract/errors.ts'
import { phoneText } from '../contract/phone-trouble.ts'
import type { StartProblem } from '../contract/start-problems.ts'
import { textOf } from '../protocol/coded.ts'
import type { Messages } from './messages.ts'

type Texts = Pick<Messages, 'errors' | 'reasons' | 'phoneProblems' | 'failures'>

/** The sentence of the code, then what was received and what was expected. */
export const refusalText = (messages: Texts, { name, word, reason, data }: Refusal): string => {
  const lead = messages.errors[name]
  if (typeof reason === 'string') return `${lead} ${reason}`
  if (word !== undefined) {
    return `${lead} ${phoneText(messages, { word, reason, service_code: Number(data?.service_code) })}`
  }
  return reason === undefined ? lead : `${lead} ${textOf(messages.reasons, reason)}`
}

/** Followed by the reason why the service or a phone refused, if one did. */
export const startProblemText = (messages: Texts & Pick<Messages, 'startProblems'>, problem: StartProblem): string => {
  const lead = textOf(messages.startProblems, problem)
  if (problem.code === 'seed_refused') return `${lead} ${refusalText(messages, problem.params.refusal)}`
  if (problem.code === 'phone_refused') return `${lead} ${phoneText(messages, problem.params)}`
  return lead
}
