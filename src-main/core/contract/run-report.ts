import * as t from './schema.ts'

/** Version 1 changes only by adding optional fields. */
export const RUN_REPORT_VERSION = 1

const step = t.answer({
  number: t.count('From 1; 0 is what is made before the first step.'),
  part: t.choice(['setup', 'steps', 'teardown']),
  line: t.count('In the scenario’s file.'),
  file: t.optional(t.text('The included file that the line is of.')),
  word: t.text('The step’s word.'),
  title: t.text(),
  ok: t.flag(),
  said: t.text('What the step told.'),
  told: t.optional(t.coded('The same as a code; `said` is its sentence.')),
  problem: t.optional(t.coded('Why it failed; `expected` and `received` are its sentences.')),
  expected: t.optional(t.text('Of a step that failed.')),
  received: t.optional(t.text('Of a step that failed.')),
  why: t.optional(t.list(t.text(), 'Of a step that failed: what failed, was refused or still waits in its workspace.')),
  faults: t.optional(t.list(t.count(), 'Which lines of `why` tell that a fault struck; from 0.')),
  events: t.list(t.text(), 'What was recorded during a step that failed.'),
  from_seq: t.count('Its events are those after this one'),
  to_seq: t.count('up to this one.'),
  took_ms: t.decimal('Real time.'),
})

const attempt = t.answer({
  ok: t.flag(),
  workspace: t.text('The workspace in which it was played; closed since.'),
  began: t.millis('Real time, milliseconds since 1970 UTC.'),
  took_ms: t.decimal('Real time.'),
  steps: t.list(step),
  trace: t.optional(t.text('The trace’s file, in the report’s folder.')),
})

const outcome = ['passed', 'failed', 'flaky', 'skipped', 'stopped'] as const

const scenarioResult = t.answer({
  id: t.text('Plays this scenario alone: `handset run --replay ID`.'),
  file: t.text('As it was named or found.'),
  name: t.text(),
  case: t.optional(t.text('Its row, where the file has cases; from 1.')),
  about: t.optional(t.text()),
  tags: t.list(t.text()),
  outcome: t.choice(
    outcome,
    '`flaky` failed and passed when it was retried; `stopped` was not over when the run was ended.',
  ),
  reason: t.optional(t.text('Why it was skipped.')),
  attempts: t.list(attempt, 'One, and one for each retry.'),
})

export const runReportSchema = t.answer({
  format: t.constant('handset-run'),
  version: t.constant(RUN_REPORT_VERSION),
  handset: t.text('The version of Handset.'),
  outcome: t.choice(['passed', 'failed', 'stopped']),
  seed: t.count('`--seed` with this number draws the same values.'),
  clock: t.choice(['standing', 'running'], 'Under `--seed` the clocks stand.'),
  shard: t.optional(t.text('`1/4`: the first of four parts.')),
  began: t.millis('Real time, milliseconds since 1970 UTC.'),
  took_ms: t.decimal('Real time.'),
  counts: t.answer({ passed: t.count(), failed: t.count(), flaky: t.count(), skipped: t.count(), stopped: t.count() }),
  scenarios: t.list(scenarioResult),
})

export type RunReport = t.ValueOf<typeof runReportSchema>
export type ScenarioResult = t.ValueOf<typeof scenarioResult>
export type AttemptReport = t.ValueOf<typeof attempt>
export type Outcome = ScenarioResult['outcome']

type Stopping = { readonly outcome: Outcome; readonly attempts: readonly { readonly steps: readonly unknown[] }[] }

/** The number of the step in which the end of the run cut a scenario off; undefined if it had an end, or had not begun. */
export const stepUnderWay = ({ outcome, attempts }: Stopping): number | undefined => {
  const last = attempts.at(-1)
  return outcome === 'stopped' && last !== undefined ? last.steps.length + 1 : undefined
}
