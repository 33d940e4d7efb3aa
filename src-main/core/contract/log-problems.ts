import { type Coded, type ParamsOf, textOf } from '../protocol/coded.ts'
import { reasons } from '../protocol/reasons.ts'

const logProblems = {
  row_unreadable:
    'It cannot be read and counts as missing. Put back a copy of the data directory, or delete what the row is about.',
  /** Events `first` to `last` of the workspace that the log line names. */
  events_damaged: ({ first, last }: { first: number; last: number }) =>
    `The events ${first} to ${last} cannot be read.`,
  events_newer: ({ version, known }: { version: number; known: number }) =>
    `It has version ${version}; this program knows versions up to ${known}.`,
}

export type LogProblem = Coded<ParamsOf<typeof logProblems>>

/** The log is always in English. Many of its problems are also reasons of a refusal. */
export const logProblemText = (problem: { readonly code: string; readonly params?: unknown }): string =>
  textOf({ ...reasons, ...logProblems }, problem)
