import type { Coded, NoParams } from '../protocol/coded.ts'

export type LogProblemParams = {
  readonly row_unreadable: NoParams
  /** The events `first` to `last` of the workspace of the line. */
  readonly events_damaged: { readonly first: number; readonly last: number }
  readonly events_newer: { readonly version: number; readonly known: number }
}

export type LogProblem = Coded<LogProblemParams>
