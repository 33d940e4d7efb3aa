import type { BenchEvent } from '../../core/contract/events.ts'
import type { TracedSignature } from '../../core/contract/trace.ts'

export type TraceEntry = { readonly event: BenchEvent } | { readonly signature: TracedSignature }
