import type { RecordingNote } from '../../core/contract/recording-notes.ts'
import type { Source, StepWord } from '../../core/contract/scenario.ts'

const REFERENCE = Symbol('reference')

/** A scenario variable in place of a recorded id that changes from run to run. */
export type Reference = { readonly [REFERENCE]: string; readonly rest: string }

/** `rest` follows the variable in the same text. */
export const reference = (name: string, rest = ''): Reference => ({ [REFERENCE]: name, rest })

export const restOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'rest' in value ? String(value.rest) : ''

/** Undefined for anything but a reference. */
export const referenceIn = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && REFERENCE in value ? String(value[REFERENCE]) : undefined

/** A step during recording: later events may still name its message, or save a part of its result. */
export type RecordedStep = {
  readonly word: StepWord
  readonly input: Record<string, unknown>
  refused?: number
  answer?: unknown
  save?: Readonly<Record<string, Source>>
  /** True if a fault or a condition affected the step, which must then not be removed. */
  struck?: true
}

/** A step, or a note on something that steps cannot repeat. */
export type Line = { readonly step: RecordedStep } | { readonly note: RecordingNote }
