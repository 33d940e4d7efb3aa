import type { BenchEvent } from '../../core/contract/events.ts'
import { headTitle, outcomeText, type ScenarioHead } from '../../core/contract/scenario/outcomes.ts'
import { problemTexts, type StepProblem } from '../../core/contract/scenario/problems.ts'
import type { StepInput, StepWord } from '../../core/contract/scenario.ts'
import { en } from '../../core/messages/en/en.ts'
import { stepTitle } from '../../core/messages/en/scenario-steps.ts'
import { eventSummary, findingLine, findingsOf } from '../../core/messages/event-sentences.ts'
import { isObject, mapTexts, withoutUndefined } from '../../core/protocol/json.ts'
import { MASK } from '../../core/protocol/log.ts'
import { type ControlClient, ControlError } from '../../sdk/client.ts'
import { findDemoRp, makeScenarioPhone, makeScenarioRp } from './make-parts.ts'
import { allSteps, type Scenario, type Step, type Variables } from './parse/scenario.ts'
import { OBSERVING_WORDS, runStep, stepRefusal } from './run-step.ts'
import type { ScenarioPart, ScenarioSetting, StepReport } from './scenario-setting.ts'
import { createOwnRp, type ScenarioPhone, type ScenarioRp, type ScenarioState } from './scenario-state.ts'
import { failure, ScenarioMistake, type StepOutcome } from './step-outcome.ts'
import { type FindVariable, fillReferences, findReferences, readPart, referenceName } from './variables.ts'

export type ScenarioReport = {
  readonly ok: boolean
  readonly steps: number
  readonly took_ms: number
  readonly stopped?: true
}

/** After a step fails, only the teardown runs. Everything that was started has ended when the result is returned. */
export const runScenario = async (scenario: Scenario, setting: ScenarioSetting): Promise<ScenarioReport> => {
  const began = setting.micros()
  const progress: Progress = { steps: 0, ok: true }
  try {
    await inWorkspace(scenario, setting, progress)
    return { ok: progress.ok, steps: progress.steps, took_ms: tookMs(setting, began) }
  } catch (error) {
    if (!setting.stop.aborted) throw error
    return { ok: false, steps: progress.steps, took_ms: tookMs(setting, began), stopped: true }
  }
}

type Progress = { steps: number; ok: boolean; workspace?: string }

const tookMs = ({ micros }: Pick<ScenarioSetting, 'micros'>, from: number): number =>
  Math.round((micros() - from) / 100) / 10

const inWorkspace = async (scenario: Scenario, setting: ScenarioSetting, progress: Progress): Promise<void> => {
  const began = setting.micros()
  let state: ScenarioState | undefined
  try {
    state = await openState(scenario, setting, progress).catch((error: unknown) => {
      if (!(error instanceof Unmade)) throw error
      progress.ok = false
      const { line, head, problem } = error
      const named = { word: head.code, title: headTitle(head) }
      const at = { number: 0, part: 'steps', line, ...named, events: [], from_seq: 0, to_seq: 0 } as const
      setting.onStep({ ...at, ok: false, said: '', problem, ...problemTexts(problem), took_ms: tookMs(setting, began) })
      return undefined
    })
    if (state !== undefined) await runParts(scenario, state, setting, progress)
    if (progress.workspace !== undefined)
      await setting.beforeClose?.(setting.client.workspace(progress.workspace), progress.ok)
  } finally {
    await state?.own.close()
    if (progress.workspace !== undefined && !setting.stop.aborted)
      await setting.client.call('workspaces.close', { params: { id: progress.workspace } })
  }
}

const runParts = async (scenario: Scenario, state: ScenarioState, setting: ScenarioSetting, progress: Progress) => {
  state.ended = await lastSeq(state, 0)
  state.cursor = state.ended
  state.marks.set('start', state.ended)
  for (const part of ['setup', 'steps', 'teardown'] as const) {
    // After a failed setup only the teardown runs.
    if (!progress.ok && part !== 'teardown') continue
    for (const step of scenario[part]) {
      const report = await reportOf(step, part, scenario, state, progress.steps + 1)
      progress.steps = report.number
      progress.ok &&= report.ok
      setting.onStep(report)
      // A teardown continues: each of its steps cleans up something.
      if (!report.ok && part !== 'teardown') break
    }
  }
}

/** From the step's last answer; if there is none, from the bench: another caller may have recorded events. */
const lastSeq = async ({ client }: ScenarioState, answersBefore: number): Promise<number> => {
  const { answers, last_seq } = client.progress()
  if (answers > answersBefore && last_seq !== undefined) return last_seq
  return (await client.call('events.list', { query: { limit: 1, latest: true, brief: true } })).last_seq
}

const reportOf = async (step: Step, part: ScenarioPart, scenario: Scenario, state: ScenarioState, number: number) => {
  const { word, line, file } = step
  const began = state.micros()
  const from_seq = state.ended
  const written = state.own.outputLengths()
  const { answers } = state.client.progress()
  const { title, outcome } = await runFilled(step, scenario, state)
  if (!OBSERVING_WORDS.has(word)) {
    state.cursor = from_seq
    state.outputFrom = written
  }
  const events = outcome.ok ? [] : await eventsSince(state.client, from_seq)
  const to_seq = await lastSeq(state, answers)
  state.ended = to_seq
  const place = { number, part, line, ...withoutUndefined({ file }), word, title }
  const result = outcome.ok
    ? { ok: true, said: outcomeText(outcome.told), told: outcome.told, events }
    : {
        ...{ ok: false, said: '', problem: outcome.problem, ...problemTexts(outcome.problem), events },
        ...(await whyIn(state.client)),
      }
  const report: StepReport = { ...place, ...result, from_seq, to_seq, took_ms: tookMs(state, began) }
  const secrets = [...state.rps.values()].flatMap(({ secret_key }) => secret_key ?? [])
  const masked = (text: string): string => secrets.reduce((all, secret) => all.replaceAll(secret, MASK), text)
  return secrets.length === 0 ? report : (mapTexts(report, masked) as StepReport)
}

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
      input: fillReferences(step.input, find) as StepInput<StepWord>,
      ...('answer' in step ? { answer: fillReferences(step.answer, find) } : {}),
      ...(refused === undefined ? {} : { refused: fillReferences(refused, find) as number }),
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

const phoneName = (input: unknown, { phones }: ScenarioState): string => {
  const fields = isObject(input) ? input : {}
  const short = typeof fields.phone === 'string' ? fields.phone : fields.scan
  return typeof short === 'string' ? (phones.get(short)?.name ?? short) : ''
}

const eventsSince = async (client: ControlClient, seq: number): Promise<readonly string[]> => {
  const { events } = await client.call('events.list', { query: { after: seq, limit: 50, brief: true } })
  const lines: { text: string; times: number }[] = []
  for (const text of events.map(eventSummary)) {
    const last = lines.at(-1)
    if (last?.text === text) last.times += 1
    else lines.push({ text, times: 1 })
  }
  return lines.map(inOneLine)
}

/** More events than a usual scenario records; the trace has the rest. */
const EVENTS_TO_READ = 1000
const MAX_REASONS = 4
const MAX_VERDICTS = 20

const whyIn = async (client: ControlClient): Promise<Pick<StepReport, 'why' | 'faults'>> => {
  const query = { latest: true, brief: true } as const
  const { events } = await client.call('events.list', { query: { ...query, limit: EVENTS_TO_READ } })
  const found = findingsOf(await withVerdicts(client, events), en).slice(-MAX_REASONS)
  const faults = found.flatMap(({ fault }, i) => (fault === undefined ? [] : [i]))
  const why = found.map((finding) => inOneLine({ text: findingLine(finding), times: finding.times }))
  return { why, ...(faults.length === 0 ? {} : { faults }) }
}

/** Adds the steps of verdicts, which a brief list omits: they say what a faulty phone sent. */
const withVerdicts = async (client: ControlClient, events: readonly BenchEvent[]): Promise<readonly BenchEvent[]> => {
  if (!events.some((event) => event.kind === 'phone' && event.struck !== undefined)) return events
  const query = { kind: 'verdict', latest: true, limit: MAX_VERDICTS } as const
  const whole = new Map((await client.call('events.list', { query })).events.map((event) => [event.seq, event]))
  return events.map((event) => whole.get(event.seq) ?? event)
}

const inOneLine = ({ text, times }: { readonly text: string; readonly times: number }): string =>
  times === 1 ? text : `${text} (${times} times)`

/** The variables of a step: from the includes around it, the scenario, what was saved, and those of every scenario. */
const findVariable = (
  scenario: Pick<Scenario, 'vars'>,
  { scopes }: Pick<Step, 'scopes'>,
  state: ScenarioState,
): FindVariable => {
  const inScope = (reference: string, depth: number): unknown => {
    const head = referenceName(reference)
    for (let i = depth - 1; i >= 0; i--) {
      const scope = scopes[i]
      if (scope === undefined || !Object.hasOwn(scope, head)) continue
      return readPart(
        fillReferences(scope[head], (inner) => inScope(inner, i)),
        restOf(reference),
      )
    }
    return own(reference)
  }
  const own = (reference: string): unknown => {
    const head = referenceName(reference)
    const all = new Map<string, unknown>([...Object.entries(scenario.vars), ...state.saved, ...ownVariables(state)])
    const value = readPart(all.get(head), restOf(reference))
    if (value !== undefined) return value
    throw new ScenarioMistake({ code: 'no_value', params: { reference, known: [...all.keys()] } })
  }
  return (reference) => {
    const value = inScope(reference, scopes.length)
    if (value !== undefined) return value
    throw new ScenarioMistake({ code: 'no_value', params: { reference, known: [...scopes.flatMap(Object.keys)] } })
  }
}

const restOf = (reference: string): readonly string[] => reference.split('.').slice(1)

const ownVariables = ({ handset, rps, phones, messages }: ScenarioState): readonly (readonly [string, unknown])[] => [
  ['handset', handset],
  ['rp', rps.get('')],
  ['rps', Object.fromEntries(rps)],
  ['phones', Object.fromEntries(phones)],
  ['messages', Object.fromEntries(messages)],
]

/** A failure before the first step, in the file's head, e.g. `phones`; reported like a step. */
class Unmade extends Error {
  readonly line: number
  readonly head: ScenarioHead
  readonly problem: StepProblem
  constructor(line: number, head: ScenarioHead, problem: StepProblem) {
    super(problem.code)
    this.line = line
    this.head = head
    this.problem = problem
  }
}

const making = async <T>(line: number, head: ScenarioHead, make: () => T | Promise<T>): Promise<T> => {
  try {
    return await make()
  } catch (error) {
    if (error instanceof ScenarioMistake) throw new Unmade(line, head, error.problem)
    throw error instanceof ControlError ? new Unmade(line, head, stepRefusal(error).problem) : error
  }
}

const openState = async (scenario: Scenario, setting: ScenarioSetting, progress: Progress): Promise<ScenarioState> => {
  const { profileLine } = scenario
  const filled = await making(profileLine, { code: 'vars' }, () => filledHead(scenario))
  const opened = await making(profileLine, { code: 'profile' }, () => openWorkspace(filled.profile, setting))
  const { id, base_url, app_url, control_url } = opened
  progress.workspace = id
  const client = setting.client.workspace(id)
  const rps = new Map<string, ScenarioRp>()
  const phones = new Map<string, ScenarioPhone>()
  for (const [name, { wanted, line }] of Object.entries(filled.rps)) {
    const rp = await making(line, { code: 'rps', params: { name } }, () => makeScenarioRp(client, name, wanted))
    rps.set(name, rp)
  }
  const first = [...rps.values()][0] ?? (await findDemoRp(client, usesKey(scenario)))
  if (first !== undefined) rps.set('', first)
  for (const [name, { wanted, line }] of Object.entries(filled.phones)) {
    const make = () => makeScenarioPhone({ client, phones }, name, wanted)
    await making(line, { code: 'phones', params: { name } }, make)
  }
  const { micros, pause, stop } = setting
  return {
    client,
    handset: { workspace: id, base_url, app_url, control_url },
    rps,
    phones,
    messages: new Map(),
    snapshots: new Map(),
    marks: new Map(),
    saved: new Map(),
    cursor: 0,
    ended: 0,
    outputFrom: new Map(),
    own: createOwnRp(scenario.folder),
    micros,
    pause,
    stop,
  }
}

const filledHead = ({ profile, rps, phones, vars }: Scenario): Pick<Scenario, 'profile' | 'rps' | 'phones'> => {
  const find = (reference: string): unknown => {
    const value = readPart(vars, reference.split('.'))
    if (value !== undefined) return value
    throw new ScenarioMistake({ code: 'no_value', params: { reference, known: Object.keys(vars) } })
  }
  const fill = <T>(value: T): T => fillReferences(value, find) as T
  return { profile: fill(profile), rps: fill(rps), phones: fill(phones) }
}

const openWorkspace = (profile: Variables, setting: ScenarioSetting) => {
  const { client, seed, start, workspace, clockRuns = seed === undefined } = setting
  return client.call('workspaces.create', {
    body: {
      profile: { ...(clockRuns ? {} : { skew_clock: 'bench' }), ...profile },
      ...withoutUndefined({ seed, id: workspace }),
      // Frozen from the beginning, since the first certificates and events already contain times.
      ...(clockRuns ? {} : { clock: { now: start, frozen: true } }),
    },
  })
}

/** The RP's key is a secret, so it is fetched only if a step mentions the RP. */
const usesKey = (scenario: Scenario): boolean =>
  allSteps(scenario).some(({ input, answer, scopes }) =>
    findReferences([input, answer, scopes]).some((reference) => ['rp', 'rps'].includes(referenceName(reference))),
  )
