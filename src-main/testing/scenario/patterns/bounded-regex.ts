import { createContext, Script } from 'node:vm'
import { messageOf } from '../../../core/protocol/message-of.ts'
import { ScenarioMistake } from '../step-outcome.ts'
import { inProcessorTime } from './in-processor-time.ts'

/** Of the text that an expression is held against. */
const MOST_CHARACTERS = 1_000_000

const match = new Script('expression.exec(text)')
/** One for all: to make a context takes longer than most expressions. */
const inputs: { expression?: RegExp; text?: string } = {}
const context = createContext(inputs)

/** Why a text is no regular expression. */
export const regexProblem = (source: string): string | undefined => {
  try {
    new RegExp(source, 'u')
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

/**
 * What the expression finds: all of it, then its groups; null when nothing. One that explodes is a mistake of the
 * scenario, since the match is unknown.
 */
export const findByRegex = (source: string, text: string, flags = 'u'): readonly string[] | null => {
  const problem = regexProblem(source)
  if (problem !== undefined) throw new ScenarioMistake({ code: 'bad_regex', params: { source, error: problem } })
  try {
    Object.assign(inputs, { expression: new RegExp(source, flags), text: text.slice(-MOST_CHARACTERS) })
    const found = inProcessorTime<readonly string[] | null>((timeout) => match.runInContext(context, { timeout }))
    if (found !== undefined) return found.value
  } catch {
    // It runs out of stack on this text: for the author that is the same.
  } finally {
    inputs.text = ''
  }
  throw new ScenarioMistake({ code: 'slow_regex', params: { source } })
}
