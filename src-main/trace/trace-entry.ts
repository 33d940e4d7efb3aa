import type { BenchEvent } from '../contract/events.ts'
import type { TracedSignature } from '../contract/trace.ts'
import type { TracedKey } from '../contract/trace-secrets.ts'

export type TraceEntry =
  | { readonly event: BenchEvent }
  | { readonly signature: TracedSignature }
  | { readonly secret: TracedKey }
