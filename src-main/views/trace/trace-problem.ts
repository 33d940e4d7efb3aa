import type { TraceHeader, TraceNote, TraceProblemParams } from '../../core/contract/trace.ts'

/** Why a file is no trace that can be shown. */
export type TraceProblem = {
  [Code in keyof TraceProblemParams]: { readonly code: Code } & TraceProblemParams[Code]
}[keyof TraceProblemParams]

export type TraceLimits = {
  /** Unpacked. */
  readonly bytes: number
  readonly events: number
}

/** A bench keeps 256 MiB and 400,000 events of a workspace. */
export const TRACE_LIMITS: TraceLimits = { bytes: 1024 * 1024 * 1024, events: 1_000_000 }

export const tooLarge = (limits: TraceLimits): TraceProblem => ({ code: 'too_large', ...limits })

/** Notes to show a reader first. */
export const traceNotesOf = ({ began_earlier }: TraceHeader): readonly TraceNote[] =>
  began_earlier === true ? ['began_earlier'] : []
