import type { RecordingNote } from '../../core/contract/recording-notes.ts'
import type { StepWord, VariableSource } from '../../core/contract/scenario.ts'

const REFERENCE = Symbol('reference')

/** A scenario variable in place of a recorded id that changes from run to run. */
export type Reference = { readonly [REFERENCE]: string; readonly rest: string }

/** `rest` follows the variable in the same text. */
export const reference = (name: string, rest = ''): Reference => ({ [REFERENCE]: name, rest })

export const referenceRest = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'rest' in value ? String(value.rest) : ''

export const referenceName = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && REFERENCE in value ? String(value[REFERENCE]) : undefined

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
