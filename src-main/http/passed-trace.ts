import { AsyncLocalStorage } from 'node:async_hooks'
import type { HeaderPair } from '../core/protocol/canonical-request.ts'
import { traceContextOf } from './trace-context.ts'

const traces = new AsyncLocalStorage<string>()

/** What this run calls belongs to the trace of the request that it is for. */
export const inTraceOf = <T>(headers: readonly HeaderPair[], run: () => T): T => {
  const trace = traceContextOf(headers)
  return trace === undefined ? run() : traces.run(trace.traceparent, run)
}

/** W3C Trace Context, section 3.4: who measures no span of its own passes the header on as it came. */
export const passedTraceparent = (): string | undefined => traces.getStore()
