import type { Source } from '../../core/contract/scenario.ts'
import { isObject } from '../../core/protocol/json.ts'
import { findByRegex } from './patterns/mismatch.ts'
import { failure, ScenarioMistake, type StepOutcome, type StepSuccess } from './step-outcome.ts'

/** `${name.part}`; `$${` is a plain `${`. */
const REFERENCE = /\$(\$?)\{([^{}]*)\}/g
const NAME = /^[A-Za-z_][\w-]*(\.[\w-]+)*$/

/** The value of `name.part`. */
export type Lookup = (reference: string) => unknown

/** True if it is well formed: the variable need not exist. */
export const isReference = (text: string): boolean => NAME.test(text)

const isOnly = (text: string): boolean => text.startsWith('${') && text.indexOf('}') === text.length - 1

/**
 * The value with each reference replaced, once: a variable's own text is never read as a reference. A text that is one
 * reference becomes the variable's value with its type.
 */
export const fillIn = (value: unknown, find: Lookup): unknown => {
  if (typeof value === 'string') return isOnly(value) ? find(value.slice(2, -1)) : fillText(value, find)
  if (Array.isArray(value)) return value.map((each) => fillIn(each, find))
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fillIn(each, find)]))
  return value
}

export const fillText = (text: string, find: Lookup): string =>
  text.replace(REFERENCE, (_, escaped: string, name: string) => (escaped === '$' ? `\${${name}}` : textOf(find(name))))

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** The references in the texts of a value. */
export const referencesIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') {
    return [...value.matchAll(REFERENCE)].flatMap(([, escaped, name = '']) => (escaped === '$' ? [] : [name]))
  }
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  return isObject(value) ? Object.values(value).flatMap(referencesIn) : []
}

export const headOf = (reference: string): string => reference.split('.')[0] ?? reference

/** The value at `.part.part`; undefined if there is nothing. */
export const partOf = (value: unknown, parts: readonly string[]): unknown => {
  let at = value
  for (const part of parts) {
    const inside = (isObject(at) || Array.isArray(at)) && Object.hasOwn(at, part)
    at = inside ? (at as Readonly<Record<string, unknown>>)[part] : undefined
  }
  return at
}

/** Keeps parts of a step's answer as variables; a part that is not there fails the step. */
export const saveValues = (
  outcome: StepSuccess,
  wanted: Readonly<Record<string, Source>> | undefined,
  saved: Map<string, unknown>,
): StepOutcome => {
  if (wanted === undefined) return outcome
  try {
    const found = Object.entries(wanted).map(([name, source]) => [name, valueAt(source, outcome.value)] as const)
    for (const [name, value] of found) saved.set(name, value)
    return outcome
  } catch (error) {
    if (error instanceof ScenarioMistake) return failure(error.problem)
    throw error
  }
}

const MOST_SHOWN = 300
const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, MOST_SHOWN)

const valueAt = (source: Source, answer: unknown): unknown => {
  const pointer = typeof source === 'string' ? source : source.from
  const value = atPointer(answer, pointer)
  if (value === undefined) {
    throw new ScenarioMistake({ code: 'nothing_at', params: { pointer, value: shown(answer) } })
  }
  if (typeof source === 'string') return value
  const { matches } = source
  const found = findByRegex(matches, typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
  if (found !== null) return found[1] ?? found[0]
  throw new ScenarioMistake({ code: 'nothing_matches', params: { pointer, matches, value: shown(value) } })
}

/** RFC 6901. */
const atPointer = (value: unknown, pointer: string): unknown =>
  partOf(
    value,
    pointer
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')),
  )
