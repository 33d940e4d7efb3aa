import type { BenchEvent } from '../../core/contract/events.ts'
import { TRACE_FORMAT, TRACE_VERSION, type TracedSignature, type TraceHeader } from '../../core/contract/trace.ts'

export type NewTraceHeader = Omit<TraceHeader, 'format' | 'version'>

export const headerLine = (header: NewTraceHeader): string =>
  `${JSON.stringify({ format: TRACE_FORMAT, version: TRACE_VERSION, ...header } satisfies TraceHeader)}\n`

export type TraceEntry = { readonly event: BenchEvent } | { readonly signature: TracedSignature }

export const entryLine = (entry: TraceEntry): string => `${JSON.stringify(entry)}\n`

/** Bytes written at a time; larger pieces need fewer turns of the event loop. */
const PIECE = 256 * 1024

/** Entries are read during writing, so that only the file is in memory. */
export const writeTrace = async (
  header: NewTraceHeader,
  entries: AsyncIterable<TraceEntry> | Iterable<TraceEntry>,
): Promise<Uint8Array<ArrayBuffer>> => {
  const { readable, writable } = new CompressionStream('gzip')
  const file = new Response(readable).arrayBuffer()
  const writer = writable.getWriter()
  const encoder = new TextEncoder()
  let text = headerLine(header)
  for await (const entry of entries) {
    text += entryLine(entry)
    if (text.length < PIECE) continue
    await writer.write(encoder.encode(text))
    text = ''
  }
  await writer.write(encoder.encode(text))
  await writer.close()
  return new Uint8Array(await file)
}
