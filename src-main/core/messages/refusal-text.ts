import type { Refusal } from '../contract/errors.ts'
import type { StartProblem } from '../contract/start-problems.ts'
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

const WORD = /^[a-z][a-z0-9_]*$/

/**
 * What a result says of a failure: the machine word, a colon, a sentence. A word of a phone's own has the sentence that
 * says so; its free words, already behind a machine word, stay as they are.
 */
export const failureText = ({ failures, results }: Pick<Messages, 'failures' | 'results'>, error: string): string => {
  if (!WORD.test(error)) return error
  return `${error}: ${Object.hasOwn(failures, error) ? textOf(failures, { code: error }) : results.reason_of_phone}`
}

/** Why a bench does not start; behind it why the service or a phone refused, where one of them did. */
export const startProblemText = (messages: Texts & Pick<Messages, 'startProblems'>, problem: StartProblem): string => {
  const lead = textOf(messages.startProblems, problem)
  if (problem.code === 'seed_refused') return `${lead} ${refusalText(messages, problem.params.refusal)}`
  if (problem.code === 'phone_refused') return `${lead} ${phoneText(messages, problem.params)}`
  return lead
}
