import { createContext, Script } from 'node:vm'
import { isObject } from '../../../core/protocol/json.ts'
import { messageOf } from '../../../core/protocol/message-of.ts'
import { ScenarioMistake } from '../step-outcome.ts'

/** Most characters of a text that an expression is matched against. */
const MOST_CHARACTERS = 1_000_000

/** A run may take this much of the processor. */
const MOST_MS = 200
/** By the clock, when the processor gives the thread no time. */
const LONGEST_MS = 30_000
/** The watchdog rings a little early. */
const NEARLY = 0.9

/** Missing before Node 22.15. */
const { threadCpuUsage } = process as { readonly threadCpuUsage?: () => NodeJS.CpuUsage }

/** Processor time of this thread or, where Node cannot measure it, of this process. */
const threadMs = (): number => {
  const { user, system } = threadCpuUsage?.() ?? process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Returns the result of `run`; undefined when it takes too much of the processor. It is given how long it may take by
 * the clock (a watchdog knows no other time) and, where other work had the processor, is given longer.
 */
export const inProcessorTime = <T>(
  run: (timeoutMs: number) => T,
  spentMs: () => number = threadMs,
): { readonly value: T } | undefined => {
  for (let timeoutMs = MOST_MS; timeoutMs <= LONGEST_MS; timeoutMs *= 2) {
    const before = spentMs()
    try {
      return { value: run(timeoutMs) }
    } catch (error) {
      if (!isTimeout(error)) throw error
    }
    if (spentMs() - before >= MOST_MS * NEARLY) return undefined
  }
  return undefined
}

/** An error of another context is not an instance of Error here. */
const isTimeout = (error: unknown): boolean => isObject(error) && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

const match = new Script('expression.exec(text)')
/** One for all: to make a context takes longer than most expressions. */
const inputs: { expression?: RegExp; text?: string } = {}
const context = createContext(inputs)

/** Why a text is not a regular expression. */
export const regexProblem = (source: string): string | undefined => {
  try {
    new RegExp(source, 'u')
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

/**
 * Returns the whole match, then its groups; null when nothing matches. An expression that explodes is a mistake of the
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
