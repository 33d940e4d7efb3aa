import type { BenchEvent } from '../../core/contract/events.ts'
import {
  TRACE_LIMITS,
  type TracedSignature,
  type TraceHeader,
  type TraceProblem,
  tooLargeProblem,
} from '../../core/contract/trace.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { readHeader, readLine } from './read-line.ts'
import { decodeLines, type TraceBytes, unpackTrace } from './unpack-trace.ts'

export type TraceHandlers = {
  readonly header?: (header: TraceHeader) => void
  /** Called with the very first event if it is not among the events passed on. */
  readonly began?: (event: BenchEvent) => void
  readonly event: (event: BenchEvent) => void
  /** Called after the event that the signature explains. */
  readonly signature?: (signature: TracedSignature) => void
}

export type ScannedTrace = { readonly header: TraceHeader; readonly signatures: readonly TracedSignature[] }

/**
 * Opens a trace of any version. Never unpacks more than the limit, even if the file claims less. Keeps no events,
 * because a hundred thousand of them are millions of objects.
 */
export const scanTrace = async (
  file: TraceBytes,
  reader: TraceHandlers,
  limits = TRACE_LIMITS,
): Promise<Result<ScannedTrace, TraceProblem>> => {
  let header: TraceHeader | undefined
  const signatures: TracedSignature[] = []
  let line = 0
  let events = 0
  const takeLine = (text: string): TraceProblem | undefined => {
    line += 1
    if (header === undefined) {
      const first = readHeader(text)
      if (!first.ok) return first.error
      header = first.value
      reader.header?.(header)
      return undefined
    }
    const read = readLine(text, { line, events })
    if (!read.ok) return read.error
    const { event, signature } = read.value
    if (signature !== undefined) {
      signatures.push(signature)
      reader.signature?.(signature)
    }
    if (event === undefined) return undefined
    events += 1
    if (events > limits.events) return tooLargeProblem(limits)
    reader.event(event)
    return undefined
  }
  const unpacked = await unpackTrace(file, limits, (block) => {
    for (const text of decodeLines(block)) {
      const problem = takeLine(text)
      if (problem !== undefined) return problem
    }
    return undefined
  })
  // A callback has set `header`, which the compiler does not see.
  const known = header as TraceHeader | undefined
  const broken = (): TraceProblem => (known === undefined ? { code: 'no_trace' } : { code: 'damaged', events })
  if (!unpacked.ok) return err(unpacked.error === 'broken' ? broken() : unpacked.error)
  // A process that writes while the bench runs may be killed in the middle of a line.
  if (known === undefined || (unpacked.value.cut && known.live !== true)) return err(broken())
  return ok({ header: known, signatures })
}
