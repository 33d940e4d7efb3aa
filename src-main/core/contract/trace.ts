import type { ParamsOf } from '../protocol/coded.ts'
import { signatureExplanation } from './control/event-routes.ts'
import { rpState } from './control/rp-routes.ts'
import { answer, constant, list, millis, optional, text, type ValueOf, whole } from './schema.ts'

/** A reader opens every version up to its own. */
export const TRACE_VERSION = 1
export const TRACE_FORMAT = 'handset-trace'

/** More than the 256 MiB and 400,000 events that a bench keeps of a workspace; bytes count after decompression. */
export const TRACE_LIMITS = { bytes: 1024 * 1024 * 1024, events: 1_000_000 }

export type TraceLimits = Readonly<typeof TRACE_LIMITS>

export const traceHeader = answer({
  format: constant(TRACE_FORMAT),
  version: whole('Of the format.', { minimum: 1 }),
  handset: text('The version of Handset that wrote it.'),
  title: text('What it is about, such as the name of a scenario; empty when that is its workspace.'),
  workspace: text(),
  saved: millis('Real time, milliseconds since 1970 UTC.'),
  live: optional(constant(true, 'Written while the bench ran: plain lines without gzip, which may end anywhere.')),
  began_earlier: optional(constant(true, 'The oldest events are left out.')),
  rps: optional(list(rpState, 'As they were when it was saved: events older than its own may have named them.')),
  note: optional(text('What else whoever saved it wants a reader to know.')),
})

export const tracedSignature = answer({ seq: whole(undefined, { minimum: 1 }), explanation: signatureExplanation })

export type TraceHeader = ValueOf<typeof traceHeader>
export type TracedSignature = ValueOf<typeof tracedSignature>

/** The title of a trace without one, in English. */
export const defaultTitles = { workspace: ({ workspace }: { workspace: string }) => `Workspace ${workspace}` }

/** Why a file cannot be shown as a trace, in English. Each follows the file’s name. */
export const traceProblems = {
  no_trace: 'is not a trace of Handset.',
  newer: ({ version }: { version: number }) =>
    `was written by a newer Handset, in format ${version}. Open it with that version.`,
  damaged: ({ events }: { events: number }) => `is damaged: it can be read up to event ${events} and no further.`,
  unfit: ({ line, field }: { line: number; field: string }) =>
    `cannot be shown: in line ${line}, "${field}" is not what it must be.`,
  too_large: ({ bytes, events }: { bytes: number; events: number }) =>
    `holds more than can be shown: at most ${bytes / 1024 / 1024} MiB or ${events} events.`,
}

type TraceProblemParams = ParamsOf<typeof traceProblems>

export type TraceProblem = {
  [Code in keyof TraceProblemParams]: { readonly code: Code } & TraceProblemParams[Code]
}[keyof TraceProblemParams]

export const tooLargeProblem = (limits: TraceLimits): TraceProblem => ({ code: 'too_large', ...limits })

/** What a reader of a trace must know, in English. */
export const traceNotes = { began_earlier: 'It began earlier: the oldest events are left out.' }
