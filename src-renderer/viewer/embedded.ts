import type { RunReport } from '../../src-main/core/contract/run-report.ts'
import type { ReportSuite } from '../../src-main/core/contract/suite-findings.ts'
import type { TraceProblem } from '../../src-main/core/contract/trace.ts'
import { latin1 } from '../../src-main/core/protocol/bytes.ts'
import { err, type Result } from '../../src-main/core/protocol/result.ts'
import { createTraceSource, type TraceSource } from './trace-source.ts'
import { openTraceBench, type TraceBench } from './trace-store.ts'

export type Embedded = Awaited<ReturnType<typeof readEmbedded>>

export type OnProblem = (problem: TraceProblem) => void

export const readEmbedded = async (document: Document) => {
  const report = async <T>(id: 'run' | 'suite'): Promise<T | undefined> => {
    const packed = packedIn(document, id)
    return packed && new Response(packed.stream().pipeThrough(new DecompressionStream('gzip'))).json()
  }
  return {
    run: await report<RunReport>('run'),
    /** Result of a fault suite; a page with a suite has no run. */
    suite: await report<ReportSuite>('suite'),
    /** The report has a heading in words above the viewer. */
    headed: document.getElementById('told') !== null,
    /** Opens a trace by its name in the report; `''` for a page with only one trace. */
    trace: async (name: string, onProblem: OnProblem): Promise<Result<TraceBench, TraceProblem>> => {
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
  return base64 === undefined ? undefined : new Blob([latin1(atob(base64))])
}
