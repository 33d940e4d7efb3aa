import type { BenchEvent } from '../../core/contract/events.ts'
import type { TracedSignature, TraceHeader } from '../../core/contract/trace.ts'

/** What happened in a workspace, to be looked at without it. */
export type Trace = {
  readonly header: TraceHeader
  /** Oldest first. */
  readonly events: readonly BenchEvent[]
  readonly signatures: readonly TracedSignature[]
}
