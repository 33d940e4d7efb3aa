import type { RunReport } from '../../src-main/contract/run-report.ts'
import { err, type Result } from '../../src-main/protocol/result.ts'
import { readTrace, type TraceProblem } from '../../src-main/trace/read-trace.ts'
import type { Trace } from '../../src-main/trace/trace.ts'

/** What the file holds beside the viewer itself. */
export type Embedded = {
  readonly run: RunReport | undefined
  /** By the name that the report gives it; `''` is that of a page with one trace alone. */
  readonly trace: (name: string) => Promise<Result<Trace, TraceProblem>>
}

export const readEmbedded = async (document: Document): Promise<Embedded> => {
  const run = packedIn(document, 'run')
  return {
    run: run === undefined ? undefined : await new Response(run.pipeThrough(new DecompressionStream('gzip'))).json(),
    trace: async (name) => {
      const packed = packedIn(document, `trace:${name}`)
      return packed === undefined ? err({ code: 'no_trace' }) : readTrace(packed)
    },
  }
}

const packedIn = (document: Document, id: string): ReadableStream<Uint8Array<ArrayBuffer>> | undefined => {
  const base64 = document.getElementById(id)?.textContent ?? undefined
  if (base64 === undefined) return undefined
  return new Blob([Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))]).stream()
}
