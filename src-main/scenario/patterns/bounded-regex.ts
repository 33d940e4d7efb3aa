import { createContext, Script } from 'node:vm'
import { ScenarioMistake } from '../step-outcome.ts'

/** Longer than any honest expression takes. */
const LONGEST_MS = 200
/** Of the text that an expression is held against. */
const MOST_CHARACTERS = 1_000_000

const match = new Script('expression.exec(text)')

/** Why a text is no regular expression. */
export const regexProblem = (source: string): string | undefined => {
  try {
    new RegExp(source, 'u')
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * What the expression finds: all of it, then its groups; null when nothing. One that explodes is a mistake of the
 * scenario, for nobody knows whether it would match.
 */
export const findByRegex = (source: string, text: string, flags = 'u'): readonly string[] | null => {
  const problem = regexProblem(source)
  if (problem !== undefined) throw new ScenarioMistake({ code: 'bad_regex', params: { source, error: problem } })
  const context = createContext({ expression: new RegExp(source, flags), text: text.slice(-MOST_CHARACTERS) })
  try {
    return match.runInContext(context, { timeout: LONGEST_MS })
  } catch {
    throw new ScenarioMistake({ code: 'slow_regex', params: { source } })
  }
}
