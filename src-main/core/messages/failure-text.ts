import type { Messages } from './messages.ts'
import { textOf } from './text.ts'

const WORD = /^[a-z][a-z0-9_]*$/

/**
 * What a result says of a failure: the machine word, a colon, a sentence. A word of a phone's own has the sentence that
 * says so; its free words, already behind a machine word, stay as they are.
 */
export const failureText = ({ failures, results }: Pick<Messages, 'failures' | 'results'>, error: string): string => {
  if (!WORD.test(error)) return error
  return `${error}: ${Object.hasOwn(failures, error) ? textOf(failures, { code: error }) : results.reason_of_phone}`
}
