import { textOf } from '../protocol/coded.ts'
import type { Messages } from './messages.ts'

const WORD = /^[a-z][a-z0-9_]*$/

/**
 * A failure in the form of a result: the machine word, a colon, a sentence. An unknown word gets the sentence that a
 * phone gave it; text that is not a word stays as it is.
 */
export const failureText = ({ failures, results }: Pick<Messages, 'failures' | 'results'>, error: string): string => {
  if (!WORD.test(error)) return error
  return `${error}: ${Object.hasOwn(failures, error) ? textOf(failures, { code: error }) : results.reason_of_phone}`
}
