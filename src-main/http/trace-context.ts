import { AsyncLocalStorage } from 'node:async_hooks'
import type { HeaderPair } from '../core/protocol/canonical-request.ts'
import { headerOf } from './message.ts'

/** W3C Trace Context, section 3.2: version 00 has exactly four parts; a later one may have more. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

export type TraceContext = {
  /** The unchanged header. */
  readonly traceparent: string
  readonly traceId: string
}

/** The trace of a request, if its client sends a valid header. */
export const traceContextOf = (headers: readonly HeaderPair[]): TraceContext | undefined => {
  const traceparent = headerOf(headers, 'traceparent')
  if (traceparent === undefined) return undefined
  const [, version, traceId, , , more] = TRACEPARENT.exec(traceparent) ?? []
  return traceId === undefined || (version === '00' && more !== undefined) ? undefined : { traceparent, traceId }
}

export const traceIdOf = (headers: readonly HeaderPair[]): string | undefined => traceContextOf(headers)?.traceId

const traces = new AsyncLocalStorage<string>()

/** Calls made by `run` belong to the trace of the request. */
export const inTraceOf = <T>(headers: readonly HeaderPair[], run: () => T): T => {
  const trace = traceContextOf(headers)
  return trace === undefined ? run() : traces.run(trace.traceparent, run)
}

/** W3C Trace Context, section 3.4: a service without spans passes the header on unchanged. */
export const passedTraceparent = (): string | undefined => traces.getStore()
