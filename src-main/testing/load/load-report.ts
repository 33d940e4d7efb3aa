import { LOAD_REPORT_VERSION, type LoadReport } from '../../core/contract/load-report.ts'
import type { Millis } from '../../core/protocol/time.ts'
import type { LoadPlan } from './load-plan.ts'
import type { LoadRun } from './run-load.ts'

type Made = Pick<LoadReport, 'handset' | 'target' | 'prepared' | 'client'> & {
  readonly plan: LoadPlan
  readonly connections: number
  readonly run: LoadRun
  readonly began: Millis
  readonly serverMs: number | undefined
}

/** The content of `--report json`. */
export const loadReport = ({ plan, connections, run, began, serverMs, ...others }: Made): LoadReport => {
  const { tookMs, stopped, tally } = run
  const figures = tally.figures()
  const { done, failed, dropped } = figures.counts
  const { durationMs, mix, ...asked } = plan
  const sum = mix.register + mix.auth
  return {
    format: 'handset-load',
    version: LOAD_REPORT_VERSION,
    outcome: stopped ? 'stopped' : failed + dropped > 0 ? 'failed' : 'passed',
    ...others,
    asked: {
      ...asked,
      connections,
      duration_ms: durationMs,
      mix: { register: mix.register / sum, auth: mix.auth / sum },
    },
    began,
    took_ms: Math.round(tookMs),
    per_second: tookMs > 0 ? Math.round((done * 100_000) / tookMs) / 100 : 0,
    ...figures,
    ...(serverMs === undefined
      ? {}
      : {
          server: {
            processor_ms: serverMs,
            ...(done === 0 ? {} : { per_ceremony_ms: Math.round((serverMs * 1000) / done) / 1000 }),
          },
        }),
  }
}
