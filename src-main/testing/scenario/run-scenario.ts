import type { StepInput, StepWord } from '../../core/contract/scenario.ts'
import { outcomeText } from '../../core/messages/en/scenario-outcomes.ts'
import { problemTexts } from '../../core/messages/en/scenario-problems.ts'
import { headTitle, stepTitle } from '../../core/messages/en/scenario-steps.ts'
import { isObject } from '../../core/protocol/json.ts'
import { eventsSince, whyIn } from './failure-events.ts'
import { maskIn } from './mask.ts'
import { openState } from './open-state.ts'
import type { Scenario, Step } from './parse/scenario.ts'
import { runStep } from './run-step.ts'
import type { ScenarioPart, ScenarioSetting, StepReport } from './scenario-setting.ts'
import type { ScenarioState } from './scenario-state.ts'
import { findVariable } from './scenario-variables.ts'
import { LOOKS } from './scenario-words.ts'
import { failure, ScenarioMistake, type StepOutcome } from './step-outcome.ts'
import { fillIn } from './variables.ts'

export type ScenarioReport = {
  readonly ok: boolean
  readonly steps: number
  /** The number of the first step that failed. */
  readonly failed?: number
  readonly took_ms: number
  /** The workspace it ran in, which is closed now; absent when there was none. */
  readonly workspace?: string
  /** It was ended early. */
  readonly stopped?: true
}

/**
 * Runs a scenario in a workspace of its own, which is closed afterwards. It ends at the first step that fails; its
 * teardown still runs. Everything it started has ended when this does.
 */
export const runScenario = async (scenario: Scenario, setting: ScenarioSetting): Promise<ScenarioReport> => {
  const began = setting.micros()
  const progress: Progress = { steps: 0, ok: true }
  const finish = (more: Partial<ScenarioReport> = {}): ScenarioReport => ({
    ok: progress.ok,
    steps: progress.steps,
    took_ms: tookMs(setting, began),
    ...(progress.failed === undefined ? {} : { failed: progress.failed }),
    ...(progress.workspace === undefined ? {} : { workspace: progress.workspace }),
    ...more,
  })
  try {
    await inWorkspace(scenario, setting, progress)
    return finish()
  } catch (error) {
    if (!setting.stop.aborted) throw error
    return finish({ ok: false, stopped: true })
  }
}

type Progress = { steps: number; ok: boolean; failed?: number; workspace?: string }

const tookMs = ({ micros }: Pick<ScenarioSetting, 'micros'>, from: number): number =>
  Math.round((micros() - from) / 100) / 10

const inWorkspace = async (scenario: Scenario, setting: ScenarioSetting, progress: Progress): Promise<void> => {
  const began = setting.micros()
  const opened = await openState(scenario, setting)
  if (opened.workspace !== undefined) progress.workspace = opened.workspace
  try {
    if (opened.ok) await runParts(scenario, opened.state, setting, progress)
    else {
      progress.ok = false
      const { line, making, problem } = opened
      const named = { word: making.code, title: headTitle(making) }
      const at = { number: 0, part: 'steps', line, ...named, events: [], from_seq: 0, to_seq: 0 } as const
      setting.onStep({ ...at, ok: false, said: '', problem, ...problemTexts(problem), took_ms: tookMs(setting, began) })
    }
    if (opened.workspace !== undefined) {
      await setting.beforeClose?.(setting.client.workspace(opened.workspace), progress.ok)
    }
  } finally {
    if (opened.ok) await opened.state.own.close()
    if (opened.workspace !== undefined && !setting.stop.aborted) {
      await setting.client.call('workspaces.close', { params: { id: opened.workspace } })
    }
  }
}

const runParts = async (
  scenario: Scenario,
  state: ScenarioState,
  setting: ScenarioSetting,
  progress: Progress,
): Promise<void> => {
  state.ended = await lastSeq(state, 0)
  state.cursor = state.ended
  state.marks.set('start', state.ended)
  for (const part of ['setup', 'steps', 'teardown'] as const) {
    // What setup did not make needs no steps, but perhaps a teardown.
    if (!progress.ok && part !== 'teardown') continue
    for (const step of scenario[part]) {
      const report = await reportOf(step, part, scenario, state, progress.steps + 1)
      progress.steps = report.number
      if (!report.ok) progress.failed ??= report.number
      progress.ok &&= report.ok
      setting.onStep(report)
      // A teardown goes on: each of its steps tidies up something.
      if (!report.ok && part !== 'teardown') break
    }
  }
}

/** From the last answer; read again where there was none: a step's effect may come from another caller. */
const lastSeq = async ({ client }: ScenarioState, answersBefore: number): Promise<number> => {
  const { answers, last_seq } = client.progress()
  if (answers > answersBefore && last_seq !== undefined) return last_seq
  return (await client.call('events.list', { query: { limit: 1, latest: true, brief: true } })).last_seq
}

const reportOf = async (
  step: Step,
  part: ScenarioPart,
  scenario: Scenario,
  state: ScenarioState,
  number: number,
): Promise<StepReport> => {
  const { word, line, file } = step
  const began = state.micros()
  const from_seq = state.ended
  const written = state.own.programs.lengths()
  const { answers } = state.client.progress()
  const { title, outcome } = await runFilled(step, scenario, state)
  if (!LOOKS.has(word)) {
    state.cursor = from_seq
    state.outputFrom = written
  }
  const events = outcome.ok ? [] : await eventsSince(state.client, from_seq)
  const to_seq = await lastSeq(state, answers)
  state.ended = to_seq
  const place = { number, part, line, ...(file === undefined ? {} : { file }), word, title }
  const result = outcome.ok
    ? { ok: true, said: outcomeText(outcome.told), told: outcome.told, events }
    : {
        ...{ ok: false, said: '', problem: outcome.problem, ...problemTexts(outcome.problem), events },
        ...(await whyIn(state.client)),
      }
  const report: StepReport = { ...place, ...result, from_seq, to_seq, took_ms: tookMs(state, began) }
  return maskIn(report, secretsOf(state))
}

const secretsOf = ({ rps }: ScenarioState): readonly string[] =>
  [...rps.values()].flatMap(({ secret_key }) => secret_key ?? [])

const runFilled = async (
  step: Step,
  scenario: Scenario,
  state: ScenarioState,
): Promise<{ readonly title: string; readonly outcome: StepOutcome }> => {
  const find = findVariable(scenario, step, state)
  try {
    const { refused, ...others } = step
    const filled = {
      ...others,
      input: fillIn(step.input, find) as StepInput<StepWord>,
      ...('answer' in step ? { answer: fillIn(step.answer, find) } : {}),
      ...(refused === undefined ? {} : { refused: fillIn(refused, find) as number }),
    }
    const title = stepTitle(filled.word, filled.input as never, {
      phone: phoneName(filled.input, state),
      refused: refused !== undefined,
    })
    return { title, outcome: await runStep(filled, state) }
  } catch (error) {
    if (!(error instanceof ScenarioMistake)) throw error
    return { title: step.word, outcome: failure(error.problem) }
  }
}

/** As its owner calls it. */
const phoneName = (input: unknown, { phones }: ScenarioState): string => {
  const fields = isObject(input) ? input : {}
  const short = typeof fields.phone === 'string' ? fields.phone : fields.scan
  return typeof short === 'string' ? (phones.get(short)?.name ?? short) : ''
}
