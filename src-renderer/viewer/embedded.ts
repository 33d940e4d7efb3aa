import type { RunReport } from '../../src-main/core/contract/run-report.ts'
import type { ReportSuite } from '../../src-main/core/contract/suite-findings.ts'
import type { TraceProblem } from '../../src-main/core/contract/trace.ts'
import { err, type Result } from '../../src-main/core/protocol/result.ts'
import { createTraceSource, type TraceSource } from './trace-source.ts'
import { openTraceBench, type TraceBench } from './trace-store.ts'

export type Embedded = {
  readonly run: RunReport | undefined
  /** Result of a fault suite; a page with a suite has no run. */
  readonly suite: ReportSuite | undefined
  /** The report has a heading in words above the viewer. */
  readonly headed: boolean
  /** Opens a trace by its name in the report; `''` for a page with only one trace. */
  readonly trace: (name: string, onProblem: OnProblem) => Promise<Result<TraceBench, TraceProblem>>
}

export type OnProblem = (problem: TraceProblem) => void

export const readEmbedded = async (document: Document): Promise<Embedded> => {
  const report = async (id: 'run' | 'suite') => {
    const packed = packedIn(document, id)
    return packed && new Response(packed.stream().pipeThrough(new DecompressionStream('gzip'))).json()
  }
  return {
    run: await report('run'),
    suite: await report('suite'),
    headed: document.getElementById('told') !== null,
    trace: async (name, onProblem) => {
      const packed = packedIn(document, `trace:${name}`)
      return packed === undefined
        ? err({ code: 'no_trace' })
        : openTraceBench(packed, createTurnwiseSource(), onProblem)
    },
  }
}

/** Reads a trace without a worker, which pages from disk cannot start; the page draws between two parts. */
const createTurnwiseSource = (): TraceSource => {
  const source = createTraceSource()
  return {
    ...source,
    read: async (part) => {
      await new Promise((resolve) => setTimeout(resolve))
      return source.read(part)
    },
  }
}

const packedIn = (document: Document, id: string): Blob | undefined => {
  const base64 = document.getElementById(id)?.textContent ?? undefined
  return base64 === undefined ? undefined : new Blob([bytesOf(base64)])
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}
