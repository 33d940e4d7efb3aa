import type { RecordingNote } from '../../core/contract/recording-notes.ts'
import type { StepWord, VariableSource } from '../../core/contract/scenario.ts'

const REFERENCE = Symbol('reference')

/** A scenario variable in place of a recorded id that changes from run to run; `rest` follows it in the same text. */
export type Reference = { readonly [REFERENCE]: true; readonly name: string; readonly rest: string }

export const reference = (name: string, rest = ''): Reference => ({ [REFERENCE]: true, name, rest })

export const isReference = (value: unknown): value is Reference =>
  typeof value === 'object' && value !== null && REFERENCE in value

/** The members that differ, as they are afterwards. */
export const changedMembers = (before: object, after: object): Readonly<Record<string, unknown>> => {
  const known = new Map<string, unknown>(Object.entries(before))
  return Object.fromEntries(
    Object.entries(after).filter(([key, value]) => JSON.stringify(known.get(key)) !== JSON.stringify(value)),
  )
}

/** Later events may still name its message, or save a part of its result. */
export type RecordedStep = {
  readonly word: StepWord
  readonly input: Record<string, unknown>
  refused?: number
  answer?: unknown
  save?: Readonly<Record<string, VariableSource>>
  /** A fault or a condition affected the step, so it must not be removed. */
  struck?: true
}

export type RecordedLine = { readonly step: RecordedStep } | { readonly note: RecordingNote }
