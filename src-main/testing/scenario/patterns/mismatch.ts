import { isDeepStrictEqual } from 'node:util'
import { createContext, Script } from 'node:vm'
import { isObject } from '../../../core/protocol/json.ts'
import { errorMessage } from '../../../core/protocol/message-of.ts'
import { ScenarioMistake } from '../step-outcome.ts'

export type Mismatch = { readonly at: string; readonly expected: unknown; readonly received: unknown }

type Check = (wanted: unknown, value: unknown) => boolean

const fits = (wanted: unknown, value: unknown): boolean => findMismatch(wanted, value) === undefined

const lengthOf = (value: unknown): number | undefined =>
  typeof value === 'string' ? [...value].length : Array.isArray(value) ? value.length : undefined

/** The words of a pattern; an object with only these is a pattern, and every check must pass. */
const CHECKS: Readonly<Record<string, Check>> = {
  equals: isDeepStrictEqual,
  not: (wanted, value) => !fits(wanted, value),
  matches: (wanted, value) => typeof value === 'string' && findByRegex(String(wanted), value) !== null,
  glob: (wanted, value) => typeof value === 'string' && matchesGlob(String(wanted), value),
  contains: (wanted, value) =>
    typeof value === 'string' && typeof wanted === 'string'
      ? value.includes(wanted)
      : Array.isArray(value) && value.some((each) => fits(wanted, each)),
  any_of: (wanted, value) => Array.isArray(wanted) && wanted.some((each) => fits(each, value)),
  each: (wanted, value) => Array.isArray(value) && value.every((each) => fits(wanted, each)),
  at_least: (wanted, value) => typeof value === 'number' && value >= Number(wanted),
  at_most: (wanted, value) => typeof value === 'number' && value <= Number(wanted),
  length: (wanted, value) => lengthOf(value) !== undefined && fits(wanted, lengthOf(value)),
  present: (wanted, value) => (value !== undefined) === wanted,
}

/** Matches the whole text: `*` means any characters, `?` one. Takes linear memory and never exponential time. */
export const matchesGlob = (pattern: string, text: string): boolean => {
  const wanted = [...pattern]
  const given = [...text]
  let [p, t] = [0, 0]
  let star: { readonly p: number; t: number } | undefined
  while (t < given.length) {
    if (wanted[p] === '*') {
      star = { p, t }
      p += 1
    } else if (wanted[p] === '?' || wanted[p] === given[t]) {
      p += 1
      t += 1
    } else if (star !== undefined) {
      star.t += 1
      p = star.p + 1
      t = star.t
    } else return false
  }
  return wanted.slice(p).every((character) => character === '*')
}

/** Maximum number of characters of a text that an expression is matched against. */
const MAX_CHARACTERS = 1_000_000

/** Processor time that one run may use. */
const MAX_MS = 200
/** Limit in real time, if the thread gets no processor time. */
const LONGEST_MS = 30_000
/** The watchdog may fire slightly early. */
const NEARLY = 0.9

/** Missing before Node 22.15. */
const { threadCpuUsage } = process as { readonly threadCpuUsage?: () => NodeJS.CpuUsage }

const threadMs = (): number => {
  const { user, system } = threadCpuUsage?.() ?? process.cpuUsage()
  return (user + system) / 1000
}

/** A watchdog measures only real time: if other work had the processor, tries `run` again with a longer timeout. */
export const runWithCpuLimit = <T>(
  run: (timeoutMs: number) => T,
  spentMs: () => number = threadMs,
): { readonly value: T } | undefined => {
  for (let timeoutMs = MAX_MS; timeoutMs <= LONGEST_MS; timeoutMs *= 2) {
    const before = spentMs()
    try {
      return { value: run(timeoutMs) }
    } catch (error) {
      if (!isTimeout(error)) throw error
    }
    if (spentMs() - before >= MAX_MS * NEARLY) return undefined
  }
  return undefined
}

/** An error of another context is not an instance of Error here. */
const isTimeout = (error: unknown): boolean => isObject(error) && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

const match = new Script('expression.exec(text)')
/** One context for all expressions: creating it takes longer than most matches. */
const inputs: { expression?: RegExp; text?: string } = {}
const context = createContext(inputs)

export const regexProblem = (source: string): string | undefined => {
  try {
    new RegExp(source, 'u')
    return undefined
  } catch (error) {
    return errorMessage(error)
  }
}

/** An expression that takes too long is a mistake of the scenario, since the result is unknown. */
export const findByRegex = (source: string, text: string, flags = 'u'): readonly string[] | null => {
  const problem = regexProblem(source)
  if (problem !== undefined) throw new ScenarioMistake({ code: 'bad_regex', params: { source, error: problem } })
  try {
    Object.assign(inputs, { expression: new RegExp(source, flags), text: text.slice(-MAX_CHARACTERS) })
    const found = runWithCpuLimit<readonly string[] | null>((timeout) => match.runInContext(context, { timeout }))
    if (found !== undefined) return found.value
  } catch {
    // The expression overflows the stack on this text: report it as too slow.
  } finally {
    inputs.text = ''
  }
  throw new ScenarioMistake({ code: 'slow_regex', params: { source } })
}

export const PATTERN_WORDS = Object.keys(CHECKS)

export const isPattern = (value: unknown): value is Readonly<Record<string, unknown>> => {
  if (!isObject(value)) return false
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every((key) => Object.hasOwn(CHECKS, key))
}

export const hasPattern = (value: unknown): boolean =>
  isPattern(value) ||
  (Array.isArray(value) ? value.some(hasPattern) : isObject(value) && Object.values(value).some(hasPattern))

/** An object must have the named fields; a list must have as many entries, and each must match its pattern. */
export const findMismatch = (wanted: unknown, value: unknown, at = ''): Mismatch | undefined => {
  const differs = { at, expected: wanted, received: value }
  if (isPattern(wanted)) {
    return Object.entries(wanted).every(([word, part]) => CHECKS[word]?.(part, value)) ? undefined : differs
  }
  if (Array.isArray(wanted)) {
    if (!Array.isArray(value) || value.length !== wanted.length) return differs
    return firstFound(wanted, (part, i) => findMismatch(part, value[i], `${at}/${i}`))
  }
  if (isObject(wanted)) {
    if (!isObject(value)) return differs
    return firstFound(Object.entries(wanted), ([key, part]) =>
      findMismatch(part, ownValue(value, key), `${at}/${pointerPart(key)}`),
    )
  }
  return Object.is(wanted, value) ? undefined : differs
}

const ownValue = (value: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(value, key) ? value[key] : undefined

const pointerPart = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

/** Calls `look` for each entry in order, and returns the first result that is not undefined. */
export const firstFound = <T, F>(all: readonly T[], look: (each: T, i: number) => F | undefined): F | undefined => {
  for (const [i, each] of all.entries()) {
    const found = look(each, i)
    if (found !== undefined) return found
  }
  return undefined
}
