import { type Outcome, RUN_REPORT_VERSION, type RunReport } from '../../../core/contract/run-report.ts'
import type { JobResult } from './run-jobs.ts'

export type RunFacts = Pick<RunReport, 'handset' | 'seed' | 'clock' | 'began' | 'took_ms'> & {
  readonly shard?: string
  readonly stopped: boolean
  /** Path of an attempt's trace, relative to the report's folder; undefined if it has none. */
  readonly traceOf: (id: string, attempt: number) => string | undefined
}

export const runReport = (results: readonly JobResult[], facts: RunFacts): RunReport => {
  const { handset, seed, clock, began, took_ms, shard, stopped, traceOf } = facts
  const counts = countOutcomes(results)
  return {
    format: 'handset-run',
    version: RUN_REPORT_VERSION,
    handset,
    outcome: stopped ? 'stopped' : counts.failed > 0 ? 'failed' : 'passed',
    seed,
    clock,
    ...(shard === undefined ? {} : { shard }),
    began,
    took_ms,
    counts,
    scenarios: results.map(({ attempts, ...result }) => ({
      ...result,
      attempts: attempts.map(({ ok, workspace, began: from, took_ms: took, steps }, i) => {
        const trace = traceOf(result.id, i)
        return { ok, workspace, began: from, took_ms: took, steps, ...(trace === undefined ? {} : { trace }) }
      }),
    })),
  }
}

export const countOutcomes = (results: readonly Pick<JobResult, 'outcome'>[]): Readonly<Record<Outcome, number>> => {
  const counts = { passed: 0, failed: 0, flaky: 0, skipped: 0, stopped: 0 }
  for (const { outcome } of results) counts[outcome] += 1
  return counts
}
