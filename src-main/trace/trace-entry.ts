import type { BenchEvent } from '../contract/events.ts'
import type { TracedSignature } from '../contract/trace.ts'

export type TraceEntry = { readonly event: BenchEvent } | { readonly signature: TracedSignature }
