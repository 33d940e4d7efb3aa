import type { BenchEvent } from '../../core/contract/events.ts'
import { TRACE_FORMAT, TRACE_VERSION, type TracedSignature, type TraceHeader } from '../../core/contract/trace.ts'

export type NewTraceHeader = Omit<TraceHeader, 'format' | 'version'>

export const headerLine = (header: NewTraceHeader): string =>
  `${JSON.stringify({ format: TRACE_FORMAT, version: TRACE_VERSION, ...header } satisfies TraceHeader)}\n`

export type TraceEntry = { readonly event: BenchEvent } | { readonly signature: TracedSignature }

export const entryLine = (entry: TraceEntry): string => `${JSON.stringify(entry)}\n`

/** Entries are read during writing, so that only the file is in memory. */
export const writeTrace = async (
  header: NewTraceHeader,
  entries: AsyncIterable<TraceEntry> | Iterable<TraceEntry>,
): Promise<Uint8Array<ArrayBuffer>> => {
  const packed = piecesOf(header, entries).pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(packed).arrayBuffer())
}

/** Bytes written at a time; larger pieces need fewer turns of the event loop. */
const PIECE = 256 * 1024

const piecesOf = (header: NewTraceHeader, entries: AsyncIterable<TraceEntry> | Iterable<TraceEntry>) => {
  const encoder = new TextEncoder()
  const source = Symbol.asyncIterator in entries ? entries[Symbol.asyncIterator]() : entries[Symbol.iterator]()
  let text = headerLine(header)
  return new ReadableStream({
    pull: async (controller) => {
      while (text.length < PIECE) {
        const next = await source.next()
        if (next.done === true) break
        text += entryLine(next.value)
      }
      if (text === '') return controller.close()
      controller.enqueue(encoder.encode(text))
      text = ''
    },
    cancel: async () => {
      await source.return?.()
    },
  })
}
