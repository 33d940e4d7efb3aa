import type { VariableSource } from '../../core/contract/scenario.ts'
import { findByRegex } from './patterns/mismatch.ts'
import { ScenarioMistake, type StepOutcome, type StepSuccess } from './step-outcome.ts'
import { readPart } from './variables.ts'

/** A missing part fails the step. */
export const saveValues = (
  outcome: StepSuccess,
  saved: Map<string, unknown>,
  wanted: Readonly<Record<string, VariableSource>> = {},
): StepOutcome => {
  const found = Object.entries(wanted).map(([name, source]) => [name, valueAt(source, outcome.value)] as const)
  for (const [name, value] of found) saved.set(name, value)
  return outcome
}

const MAX_SHOWN = 300
const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, MAX_SHOWN)

const valueAt = (source: VariableSource, answer: unknown): unknown => {
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
  readPart(
    value,
    pointer
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')),
  )
