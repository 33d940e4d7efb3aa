import type { SecondOpinion } from '../contract/judge/verdict.ts'
import type { Messages } from './messages.ts'
import { textOf } from './text.ts'

/** What the second verifier says in its own words, or why it was not asked. */
export const opinionText = ({ opinions }: Pick<Messages, 'opinions'>, { reason = '' }: SecondOpinion): string =>
  typeof reason === 'string' ? reason : textOf(opinions, reason)
