import {
  answer,
  choice,
  coded,
  constant,
  count,
  decimal,
  flag,
  list,
  millis,
  optional,
  text,
  type ValueOf,
} from './schema.ts'

/** Version 1 changes only by adding optional fields. */
export const RUN_REPORT_VERSION = 1

const step = answer({
  number: count('From 1; 0 is what is made before the first step.'),
  part: choice(['setup', 'steps', 'teardown']),
  line: count('In the scenario’s file.'),
  file: optional(text('The included file that the line is of.')),
  word: text('The step’s word.'),
  title: text(),
  ok: flag(),
  said: text('What the step told.'),
  told: optional(coded('The same as a code; `said` is its sentence.')),
  problem: optional(coded('Why it failed; `expected` and `received` are its sentences.')),
  expected: optional(text('Of a step that failed.')),
  received: optional(text('Of a step that failed.')),
  why: optional(
    list(text(), { description: 'Of a step that failed: what failed, was refused or still waits in its workspace.' }),
  ),
  faults: optional(list(count(), { description: 'Which lines of `why` tell that a fault struck; from 0.' })),
  events: list(text(), { description: 'What was recorded during a step that failed.' }),
  from_seq: count('Its events are those after this one'),
  to_seq: count('up to this one.'),
  took_ms: decimal('Real time.'),
})

const attempt = answer({
  ok: flag(),
  workspace: text('The workspace in which it was played; closed since.'),
  began: millis('Real time, milliseconds since 1970 UTC.'),
  took_ms: decimal('Real time.'),
  steps: list(step),
  trace: optional(text('The trace’s file, in the report’s folder.')),
})

const outcome = ['passed', 'failed', 'flaky', 'skipped', 'stopped'] as const

const scenarioResult = answer({
  id: text('Plays this scenario alone: `handset run --replay ID`.'),
  file: text('As it was named or found.'),
  name: text(),
  case: optional(text('Its row, where the file has cases; from 1.')),
  about: optional(text()),
  tags: list(text()),
  outcome: choice(
    outcome,
    '`flaky` failed and passed when it was retried; `stopped` was not over when the run was ended.',
  ),
  reason: optional(text('Why it was skipped.')),
  attempts: list(attempt, { description: 'One, and one for each retry.' }),
})

export const runReportSchema = answer({
  format: constant('handset-run'),
  version: constant(RUN_REPORT_VERSION),
  handset: text('The version of Handset.'),
  outcome: choice(['passed', 'failed', 'stopped']),
  seed: count('`--seed` with this number draws the same values.'),
  clock: choice(['standing', 'running'], 'Under `--seed` the clocks stand.'),
  shard: optional(text('`1/4`: the first of four parts.')),
  began: millis('Real time, milliseconds since 1970 UTC.'),
  took_ms: decimal('Real time.'),
  counts: answer({ passed: count(), failed: count(), flaky: count(), skipped: count(), stopped: count() }),
  scenarios: list(scenarioResult),
})

export type RunReport = ValueOf<typeof runReportSchema>
export type ScenarioResult = ValueOf<typeof scenarioResult>
export type AttemptReport = ValueOf<typeof attempt>
export type Outcome = ScenarioResult['outcome']
