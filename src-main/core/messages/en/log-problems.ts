import type { LogProblemParams } from '../../contract/log-problems.ts'
import { type Texts, textOf } from '../text.ts'
import { en } from './en.ts'

const own: Texts<LogProblemParams> = {
  row_unreadable:
    'It cannot be read and counts as missing. Put back a copy of the data directory, or delete what the row is about.',
  events_damaged: ({ first, last }) => `The events ${first} to ${last} cannot be read.`,
  events_newer: ({ version, known }) => `It has version ${version}; this program knows versions up to ${known}.`,
}

/** Many problems of the log are also reasons of a refusal. */
const logProblems = { ...en.reasons, ...own }

/** The log is always in English. */
export const logProblemText = (problem: { readonly code: string; readonly params?: unknown }): string =>
  textOf(logProblems, problem)
