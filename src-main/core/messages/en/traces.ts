import type { TraceNote, TraceProblemParams } from '../../contract/trace.ts'
import type { Texts } from '../text.ts'

/** For a workspace without a title. */
export const defaultTitles = {
  workspace: ({ workspace }: { readonly workspace: string }): string => `Workspace ${workspace}`,
}

/** Of a file, after its name. */
export const traceProblems: Texts<TraceProblemParams> = {
  no_trace: 'is not a trace of Handset.',
  newer: ({ version }) => `was written by a newer Handset, in format ${version}. Open it with that version.`,
  damaged: ({ events }) => `is damaged: it can be read up to event ${events} and no further.`,
  unfit: ({ line, field }) => `cannot be shown: in line ${line}, "${field}" is not what it must be.`,
  too_large: ({ bytes, events }) =>
    `holds more than can be shown: at most ${bytes / 1024 / 1024} MiB or ${events} events.`,
}

export const traceNotes: Readonly<Record<TraceNote, string>> = {
  began_earlier: 'It began earlier: the oldest events are left out.',
}
