import type { AttemptReport, RunReport, ScenarioResult } from '../../../src-main/core/contract/run-report.ts'

type Step = AttemptReport['steps'][number]
const goodStep: Step = {
  ...{ number: 1, part: 'steps', line: 3, word: 'expect', title: 'RP reads', ok: true, said: 'x', events: [] },
  ...{ from_seq: 0, to_seq: 1, took_ms: 1 },
}
export const attempt = (step: Partial<Step> = {}): AttemptReport => {
  const made = { ...goodStep, ...step }
  return { ok: made.ok, workspace: 'w', began: 1_700_000_000_000, took_ms: 5, steps: [made] }
}
export const bad = (received: string): AttemptReport => attempt({ ok: false, said: '', expected: 'success', received })
export const scenario = (outcome: ScenarioResult['outcome'], attempts: readonly AttemptReport[]): ScenarioResult => ({
  ...{ id: 'a.yaml@1', file: 'tests/a.yaml', name: 'Signs in', tags: ['push'], outcome, attempts },
})
export const run = (...scenarios: readonly ScenarioResult[]): RunReport => ({
  ...{ format: 'handset-run', version: 1, handset: '1.0.0', outcome: 'failed', seed: 1, clock: 'running' },
  ...{ began: 1_700_000_000_000, took_ms: 9, counts: { passed: 0, failed: 1, flaky: 0, skipped: 0, stopped: 0 } },
  scenarios,
})

/** What breaks XML. */
export const NASTY = 'NUL \0, lone \ud800, \udfff, ]]>, 🔑, <b a="1">, \u001b[31m, \uffff'
