import { type BenchEvent, EVENT_KINDS, eventSchemas } from '../../core/contract/events.ts'
import { makeSchemaCheck, type SchemaCheck } from '../../core/contract/make-check.ts'
import {
  TRACE_FORMAT,
  TRACE_VERSION,
  type TracedSignature,
  type TraceHeader,
  type TraceProblem,
  tracedSignature,
  traceHeader,
} from '../../core/contract/trace.ts'
import { isObject, parseJsonOrNothing } from '../../core/protocol/json.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'

const checkHeader = makeSchemaCheck(traceHeader)
const checkSignature = makeSchemaCheck(tracedSignature)
const checkByKind = new Map<string, SchemaCheck>(
  EVENT_KINDS.map((kind, i) => [kind, makeSchemaCheck(eventSchemas[i] ?? {})]),
)

export const readHeader = (text: string): Result<TraceHeader, TraceProblem> => {
  const value = parseJsonOrNothing(text)
  if (!isObject(value) || value.format !== TRACE_FORMAT) return err({ code: 'no_trace' })
  // A later version may have another header.
  if (typeof value.version === 'number' && value.version > TRACE_VERSION) {
    return err({ code: 'newer', version: value.version })
  }
  return fitting(value as TraceHeader, checkHeader(value), 1)
}

export type TraceLine = { readonly event?: BenchEvent; readonly signature?: TracedSignature }

/** Parses any other line; `line` is its number, from 1, and `events` the number of events before it. */
export const readLine = (
  text: string,
  { line, events }: { readonly line: number; readonly events: number },
): Result<TraceLine, TraceProblem> => {
  const value = parseJsonOrNothing(text)
  if (value === undefined) return err({ code: 'damaged', events })
  if (!isObject(value)) return err({ code: 'unfit', line, field: '' })
  const { event, signature } = value
  if (event === undefined) {
    if (signature === undefined) return ok({})
    return fitting({ signature: signature as TracedSignature }, checkSignature(signature), line)
  }
  if (!isObject(event)) return err({ code: 'unfit', line, field: 'event' })
  if (typeof event.kind !== 'string') return err({ code: 'unfit', line, field: 'kind' })
  const check = checkByKind.get(event.kind)
  // Additions of a later Handset of the same version are skipped.
  if (check === undefined) return ok({})
  return fitting({ event: event as unknown as BenchEvent }, check(event), line)
}

/** `field`: the first that does not fit its schema. */
const fitting = <T>(value: T, field: string | undefined, line: number): Result<T, TraceProblem> =>
  field === undefined ? ok(value) : err({ code: 'unfit', line, field })
