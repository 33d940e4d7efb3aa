import type { TraceHeader, TraceNote } from '../contract/trace.ts'

/** What stands in a header for a reader to know; what is a danger comes first. */
export const traceNotesOf = ({ secrets, began_earlier }: TraceHeader): readonly TraceNote[] => [
  ...(secrets === true ? (['secrets'] as const) : []),
  ...(began_earlier === true ? (['began_earlier'] as const) : []),
]
