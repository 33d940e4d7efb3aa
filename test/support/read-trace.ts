import type { BenchEvent } from '../../src-main/core/contract/events.ts'
import { TRACE_LIMITS } from '../../src-main/core/contract/trace.ts'
import { ok } from '../../src-main/core/protocol/result.ts'
import { scanTrace, type TraceBytes } from '../../src-main/views/trace/read-trace.ts'

/** A whole trace, with its events. */
export const readTrace = async (file: TraceBytes, limits = TRACE_LIMITS) => {
  const events: BenchEvent[] = []
  const read = await scanTrace(file, { event: (event) => void events.push(event) }, limits)
  return read.ok ? ok({ ...read.value, events }) : read
}
