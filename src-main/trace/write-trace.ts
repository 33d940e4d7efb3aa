import { TRACE_FORMAT, TRACE_VERSION, type TraceHeader } from '../contract/trace.ts'
import type { Trace } from './trace.ts'

export type NewTrace = Omit<Trace, 'header'> & { readonly header: Omit<TraceHeader, 'format' | 'version'> }

/** A trace as a file: JSON lines under gzip; first the header, then `{"event"}` and `{"signature"}`. */
export const writeTrace = async ({ header, events, signatures }: NewTrace): Promise<Uint8Array<ArrayBuffer>> => {
  const first: TraceHeader = { format: TRACE_FORMAT, version: TRACE_VERSION, ...header }
  const lines = function* (): Generator<Uint8Array<ArrayBuffer>> {
    const encoder = new TextEncoder()
    yield encoder.encode(`${JSON.stringify(first)}\n`)
    for (const event of events) yield encoder.encode(`${JSON.stringify({ event })}\n`)
    for (const signature of signatures) yield encoder.encode(`${JSON.stringify({ signature })}\n`)
  }
  const packed = streamOf(lines()).pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(packed).arrayBuffer())
}

/** So much is handed on at a time: each piece costs a turn. */
const PIECE = 256 * 1024

const streamOf = (lines: Iterator<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({
    pull: (controller) => {
      const parts: Uint8Array[] = []
      let size = 0
      while (size < PIECE) {
        const line = lines.next()
        if (line.done === true) break
        parts.push(line.value)
        size += line.value.length
      }
      if (size === 0) return controller.close()
      const piece = new Uint8Array(size)
      let at = 0
      for (const part of parts) {
        piece.set(part, at)
        at += part.length
      }
      controller.enqueue(piece)
    },
  })
