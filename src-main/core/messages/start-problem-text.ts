import type { StartProblem } from '../contract/start-problems.ts'
import { type Messages, phoneText } from './messages.ts'
import { refusalText } from './refusal-text.ts'
import { textOf } from './text.ts'

type Texts = Pick<Messages, 'startProblems' | 'errors' | 'reasons' | 'phoneProblems' | 'failures'>

/** Why a bench does not start; behind it why the service or a phone refused, where one of them did. */
export const startProblemText = (messages: Texts, problem: StartProblem): string => {
  const lead = textOf(messages.startProblems, problem)
  if (problem.code === 'seed_refused') return `${lead} ${refusalText(messages, problem.params.refusal)}`
  if (problem.code === 'phone_refused') return `${lead} ${phoneText(messages, problem.params)}`
  return lead
}
