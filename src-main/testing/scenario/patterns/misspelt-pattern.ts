import { type FieldProblem, within } from '../../../core/contract/reasons.ts'
import { isObject } from '../../../core/protocol/json.ts'
import { isPattern, PATTERN_WORDS } from './mismatch.ts'

/**
 * A pattern with a word that no pattern has, where any value may be. An object that has such a field of its own goes
 * through `equals`.
 */
export const misspeltPattern = (wanted: unknown): FieldProblem | undefined => {
  if (typeof wanted !== 'object' || wanted === null) return undefined
  const stranger = isObject(wanted) && !isPattern(wanted) ? strangerIn(Object.keys(wanted)) : undefined
  if (stranger !== undefined) return { code: 'field_unknown', params: { field: stranger, known: PATTERN_WORDS } }
  for (const [key, part] of Object.entries(wanted)) {
    const problem = key === 'equals' && isPattern(wanted) ? undefined : misspeltPattern(part)
    if (problem !== undefined) return within(Array.isArray(wanted) ? `[${key}]` : key, problem)
  }
  return undefined
}

/** Beside a pattern's word, or alone and nearly one. */
const strangerIn = (keys: readonly string[]): string | undefined => {
  const strangers = keys.filter((key) => !PATTERN_WORDS.includes(key))
  if (strangers.length < keys.length) return strangers[0]
  const [only, ...others] = strangers
  return others.length === 0 && only !== undefined && PATTERN_WORDS.some((word) => isSlipOf(word, only))
    ? only
    : undefined
}

/** Below this, real names are too near: `note`, `reach`. */
const SHORTEST = 5

/** A letter too few or too many, or two in the wrong order: names such as `batches` are words of their own. */
const isSlipOf = (word: string, key: string): boolean => {
  if (word.length < SHORTEST || word[0] !== key[0]) return false
  if (word.length === key.length) return sortedLetters(word) === sortedLetters(key)
  const [longer, shorter] = word.length > key.length ? [word, key] : [key, word]
  return longer.length === shorter.length + 1 && withoutOneLetter(longer).includes(shorter)
}

const sortedLetters = (word: string): string => [...word].sort().join('')

const withoutOneLetter = (word: string): readonly string[] =>
  [...word].map((_, i) => `${word.slice(0, i)}${word.slice(i + 1)}`)
