import { createHash } from 'node:crypto'
import type { JobResult } from '../../testing/scenario/runner/run-jobs.ts'
import type { ResultsFolder } from './results-folder.ts'
import type { NamedTrace } from './viewer-pages.ts'

const TRACES = 'traces'

export type WrittenTraces = {
  readonly traceOf: (id: string, attempt: number) => string | undefined
  /** Traces of failures, for the page. */
  readonly traces: readonly NamedTrace[]
  readonly problem: string | undefined
}

export const writeTraces = (results: readonly JobResult[], folder: ResultsFolder): WrittenTraces => {
  const files = new Map<string, string>()
  const traces: NamedTrace[] = []
  let problem: string | undefined
  for (const { id, name, attempts } of results) {
    for (const [attempt, { ok, trace }] of attempts.entries()) {
      if (trace === undefined) continue
      const file = `${TRACES}/${fileNameOf(name, id, attempt)}`
      const written = folder.write(file, trace)
      if (!written.ok) {
        problem ??= written.error
        continue
      }
      files.set(keyOf(id, attempt), file)
      if (!ok) traces.push({ name: file, bytes: trace })
    }
  }
  return { traceOf: (id, attempt) => files.get(keyOf(id, attempt)), traces, problem }
}

const keyOf = (id: string, attempt: number): string => `${attempt} ${id}`

/** A name that a person recognizes and every file system accepts. */
const fileNameOf = (name: string, id: string, attempt: number): string => {
  const words = name.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60)
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 8)
  return `${words}-${hash}${attempt === 0 ? '' : `-retry-${attempt}`}.handset`
}
