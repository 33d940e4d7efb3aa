import type { Expected } from '../../../core/contract/expected.ts'
import { type FieldProblem, within } from '../../../core/contract/reasons.ts'
import { referencesIn } from '../variables.ts'
import { regexProblem } from './bounded-regex.ts'
import { isPattern } from './mismatch.ts'

/** The values that each word of a pattern takes. */
const TAKES: Readonly<Record<string, readonly [expected: Expected, is: (value: unknown) => boolean]>> = {
  matches: [{ code: 'regular_expression', params: {} }, (value) => typeof value === 'string'],
  glob: [{ code: 'glob' }, (value) => typeof value === 'string'],
  any_of: [{ code: 'entries_at_least', params: { count: 1 } }, (value) => Array.isArray(value) && value.length > 0],
  at_least: [{ code: 'number', params: {} }, (value) => typeof value === 'number'],
  at_most: [{ code: 'number', params: {} }, (value) => typeof value === 'number'],
  present: [{ code: 'true_or_false' }, (value) => typeof value === 'boolean'],
}

/** Finds what is wrong with the patterns in a value; a part that is a variable is checked when it has its value. */
export const patternProblem = (value: unknown): FieldProblem | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  for (const [word, part] of Object.entries(value)) {
    const problem = (isPattern(value) ? wordProblem(word, part) : undefined) ?? patternProblem(part)
    if (problem !== undefined) return within(Array.isArray(value) ? `[${word}]` : word, problem)
  }
  return undefined
}

/** A problem of the word itself: its field is empty. */
const wordProblem = (word: string, part: unknown): FieldProblem | undefined => {
  const takes = TAKES[word]
  if (takes === undefined || (typeof part === 'string' && referencesIn(part).length > 0)) return undefined
  const [expected, is] = takes
  if (!is(part)) return unfit(expected, part)
  const error = word === 'matches' ? regexProblem(String(part)) : undefined
  return error === undefined ? undefined : unfit({ code: 'regular_expression', params: { error } }, part)
}

const unfit = (expected: Expected, part: unknown): FieldProblem => ({
  code: 'field_unfit',
  params: { field: '', expected, got: JSON.stringify(part) },
})
