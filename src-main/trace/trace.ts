import type { BenchEvent } from '../contract/events.ts'
import type { TracedSignature, TraceHeader } from '../contract/trace.ts'

/** What happened in a workspace, to be looked at without it. */
export type Trace = {
  readonly header: TraceHeader
  /** Oldest first. */
  readonly events: readonly BenchEvent[]
  readonly signatures: readonly TracedSignature[]
}
