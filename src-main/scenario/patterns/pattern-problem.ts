import { isObject } from '../../protocol/json.ts'
import { referencesIn } from '../variables.ts'
import { regexProblem } from './bounded-regex.ts'
import { isPattern } from './mismatch.ts'

/** What a pattern's word takes. */
const TAKES: Readonly<Record<string, readonly [what: string, is: (value: unknown) => boolean]>> = {
  matches: ['a regular expression', (value) => typeof value === 'string'],
  glob: ['a text with * and ?', (value) => typeof value === 'string'],
  any_of: ['a list of at least 1 entry', (value) => Array.isArray(value) && value.length > 0],
  at_least: ['a number', (value) => typeof value === 'number'],
  at_most: ['a number', (value) => typeof value === 'number'],
  present: ['true or false', (value) => typeof value === 'boolean'],
}

/** What is wrong with the patterns in a value; a part that is a variable is looked at when it has its value. */
export const patternProblem = (value: unknown): string | undefined => {
  if (Array.isArray(value)) return value.map(patternProblem).find((problem) => problem !== undefined)
  if (!isObject(value)) return undefined
  for (const [word, part] of Object.entries(value)) {
    const problem = (isPattern(value) ? wordProblem(word, part) : undefined) ?? patternProblem(part)
    if (problem !== undefined) return problem
  }
  return undefined
}

const wordProblem = (word: string, part: unknown): string | undefined => {
  const takes = TAKES[word]
  if (takes === undefined || (typeof part === 'string' && referencesIn(part).length > 0)) return undefined
  const [what, is] = takes
  if (!is(part)) return `"${word}" must be ${what}; got ${JSON.stringify(part)}.`
  const wrong = word === 'matches' ? regexProblem(String(part)) : undefined
  return wrong === undefined ? undefined : `"${word}" must be a regular expression: ${wrong}.`
}
