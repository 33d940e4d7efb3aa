import { EVENT_KINDS, recordedEvent } from '../contract/events.ts'
import { TRACE_FORMAT, TRACE_VERSION, tracedSignature, traceHeader } from '../contract/trace.ts'
import { findProblem } from '../contract/validate.ts'
import { isObject } from '../protocol/json.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { Trace } from './trace.ts'

/** Why a file is no trace that can be shown. */
export type TraceProblem =
  | { readonly code: 'no_trace' }
  | { readonly code: 'newer'; readonly version: number }
  /** It ends in the middle, or its bytes are not those that were written. */
  | { readonly code: 'damaged'; readonly events: number }
  | { readonly code: 'unfit'; readonly line: number; readonly field: string }
  | { readonly code: 'too_large'; readonly bytes: number }

/** Unpacked; a bench keeps 256 MiB of a workspace. */
export const MOST_BYTES = 1024 * 1024 * 1024

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>

/** Opens a trace of any version. Never unpacks more than the limit, whatever the file says of itself. */
export const readTrace = async (packed: Bytes, most = MOST_BYTES): Promise<Result<Trace, TraceProblem>> => {
  const reader = createLineReader()
  let size = 0
  try {
    const unpacked = packed.pipeThrough(new DecompressionStream('gzip')).getReader()
    for (;;) {
      const { done, value } = await unpacked.read()
      if (done) break
      size += value.length
      if (size > most) {
        void unpacked.cancel().catch(() => undefined)
        return err({ code: 'too_large', bytes: most })
      }
      const problem = reader.take(value)
      if (problem === undefined) continue
      void unpacked.cancel().catch(() => undefined)
      return err(problem)
    }
  } catch {
    return err(reader.broken())
  }
  return reader.finish()
}

type Draft = { -readonly [K in keyof Trace]: Trace[K] extends readonly (infer T)[] ? T[] : Trace[K] | undefined }

const createLineReader = () => {
  const draft: Draft = { header: undefined, events: [], signatures: [] }
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  let line = 0
  const takeLine = (text: string): TraceProblem | undefined => {
    line += 1
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return broken()
    }
    if (draft.header === undefined) return takeHeader(value)
    return takeEntry(value)
  }
  const takeHeader = (value: unknown): TraceProblem | undefined => {
    if (!isObject(value) || value.format !== TRACE_FORMAT) return { code: 'no_trace' }
    const problem = findProblem(value, traceHeader)
    if (problem !== undefined) return { code: 'unfit', line, field: problem.params.field }
    draft.header = value as Trace['header']
    const { version } = draft.header
    return version > TRACE_VERSION ? { code: 'newer', version } : undefined
  }
  const takeEntry = (value: unknown): TraceProblem | undefined => {
    if (!isObject(value)) return { code: 'unfit', line, field: '' }
    // What a later Handset of the same version adds is passed over.
    if (isObject(value.event) && !EVENT_KINDS.includes(value.event.kind as 'exchange')) return undefined
    const [schema, part] =
      'event' in value ? [recordedEvent, value.event] : 'signature' in value ? [tracedSignature, value.signature] : []
    if (schema === undefined) return undefined
    const problem = findProblem(part, schema)
    if (problem !== undefined) return { code: 'unfit', line, field: problem.params.field }
    if ('event' in value) draft.events.push(part as Trace['events'][number])
    else draft.signatures.push(part as Trace['signatures'][number])
    return undefined
  }
  const broken = (): TraceProblem =>
    draft.header === undefined ? { code: 'no_trace' } : { code: 'damaged', events: draft.events.length }
  return {
    broken,
    take: (bytes: Uint8Array): TraceProblem | undefined => {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const text of lines) {
        const problem = takeLine(text)
        if (problem !== undefined) return problem
      }
      return undefined
    },
    finish: (): Result<Trace, TraceProblem> => {
      const { header, ...entries } = draft
      return header === undefined || rest !== '' ? err(broken()) : ok({ header, ...entries })
    },
  }
}
