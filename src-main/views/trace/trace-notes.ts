import type { TraceHeader, TraceNote } from '../../core/contract/trace.ts'

/** What a reader should know before anything else. */
export const traceNotesOf = ({ began_earlier }: TraceHeader): readonly TraceNote[] =>
  began_earlier === true ? ['began_earlier'] : []
