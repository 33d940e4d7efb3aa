import { setTimeout } from 'node:timers/promises'
import { monotonicMicros } from '../../src-main/bench/harness/clock.ts'
import type { ControlClient } from '../../src-main/sdk/client.ts'
import type { Scenario } from '../../src-main/testing/scenario/parse/scenario.ts'
import { runScenario, type ScenarioReport } from '../../src-main/testing/scenario/run-scenario.ts'
import type { StepReport } from '../../src-main/testing/scenario/scenario-setting.ts'
import { START } from './bench.ts'

export type Played = ScenarioReport & { readonly reports: readonly StepReport[]; readonly last: StepReport | undefined }

/** Plays a scenario on a bench that runs. */
export const playScenario = async (
  client: ControlClient,
  scenario: Scenario,
  stop: AbortSignal = new AbortController().signal,
): Promise<Played> => {
  const reports: StepReport[] = []
  const report = await runScenario(scenario, {
    client,
    start: START,
    micros: monotonicMicros,
    pause: (ms) => setTimeout(ms, undefined, { signal: stop }),
    stop,
    onStep: (step) => void reports.push(step),
  })
  return { ...report, reports, last: reports.at(-1) }
}

/** What failed, in a line each, for the message of a test. */
export const failuresOf = ({ reports }: Played): readonly string[] =>
  reports
    .filter(({ ok }) => !ok)
    .map(({ line, title, expected, received }) => `line ${line}: ${title}: expected ${expected}, got ${received}`)
