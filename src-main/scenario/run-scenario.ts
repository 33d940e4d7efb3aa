import type { StepWord } from '../contract/scenario.ts'
import { eventSummary } from '../messages/event-summary.ts'
import { type ControlClient, ControlError } from '../sdk/client.ts'
import type { Scenario, Step } from './parse-scenario.ts'
import { failure, refusal, ScenarioMistake, type ScenarioState, type StepOutcome, said } from './scenario-state.ts'
import { scenarioWords, WAITS } from './scenario-words.ts'

export type StepReport = {
  /** From 1; 0 is what is made before the first step. */
  readonly number: number
  readonly line: number
  readonly word: string
  readonly title: string
  readonly ok: boolean
  readonly said: string
  readonly expected?: string
  readonly received?: string
  /** What was recorded during a step that failed. */
  readonly events: readonly string[]
  readonly took_ms: number
}

export type ScenarioReport = {
  readonly ok: boolean
  readonly steps: number
  readonly took_ms: number
  /** Somebody ended it before its end. */
  readonly stopped?: true
}

export type ScenarioSetting = {
  /** Of the bench, any workspace. */
  readonly client: ControlClient
  readonly seed?: number
  /** The id of the scenario's workspace, from which random values are drawn as well; one is drawn when absent. */
  readonly workspace?: string
  /** Where a seeded run's clock stands. */
  readonly start: number
  /** The clock of a seeded run follows real time nevertheless. */
  readonly clockRuns?: boolean
  readonly micros: () => number
  readonly pause: (ms: number) => Promise<void>
  /** Ends the run; the client and the pauses give up by themselves. */
  readonly stop: AbortSignal
  readonly onStep: (report: StepReport) => void
  /** Called when the last step is over, while the workspace is still open. */
  readonly beforeClose?: (client: ControlClient, good: boolean) => Promise<void>
}

/** Runs a scenario in a workspace of its own, which is closed afterwards. It ends at the first step that fails. */
export const runScenario = async (scenario: Scenario, setting: ScenarioSetting): Promise<ScenarioReport> => {
  const began = setting.micros()
  const took = (from: number): number => Math.round((setting.micros() - from) / 100) / 10
  let steps = 0
  const told = (report: Omit<StepReport, 'took_ms'>, from: number): boolean => {
    setting.onStep({ ...report, took_ms: took(from) })
    steps = report.number
    return report.ok
  }
  const result = async (): Promise<boolean> => {
    const made = await openWorkspace(scenario, setting)
    if (typeof made !== 'string') return told(made, began)
    try {
      const client = setting.client.workspace(made)
      const state = await prepare(scenario, setting, client)
      const good = 'word' in state ? told(state, began) : await runSteps(scenario.steps, state, told)
      await setting.beforeClose?.(client, good)
      return good
    } finally {
      if (!setting.stop.aborted) await setting.client.call('workspaces.close', { params: { id: made } })
    }
  }
  try {
    return { ok: await result(), steps, took_ms: took(began) }
  } catch (error) {
    if (!setting.stop.aborted) throw error
    return { ok: false, steps, took_ms: took(began), stopped: true }
  }
}

type Told = (report: Omit<StepReport, 'took_ms'>, from: number) => boolean

const runSteps = async (steps: readonly Step[], state: ScenarioState, told: Told): Promise<boolean> => {
  const lastSeq = async () => (await state.client.call('events.list', { query: { limit: 1, latest: true } })).last_seq
  state.cursor = await lastSeq()
  for (const [i, step] of steps.entries()) {
    const from = state.micros()
    const seq = await lastSeq()
    const outcome = await runStep(step, state)
    const events = outcome.ok ? [] : await eventsSince(state.client, seq)
    const { line, word } = step
    if (!told({ number: i + 1, line, word, events, ...outcome }, from)) return false
    if (!WAITS.has(word)) state.cursor = seq
  }
  return true
}

type Made = Omit<StepReport, 'took_ms'>

/** What is made before the first step failed: the file names it, so it is told like a step. */
const unmade = (
  error: unknown,
  { line, word, title }: { readonly line: number; readonly word: string; readonly title: string },
): Made => {
  if (!(error instanceof ControlError)) throw error
  const { expected, received } = refusalOf(error)
  return { number: 0, line, word, title, ok: false, said: '', expected, received, events: [] }
}

const openWorkspace = async ({ profile, profileLine }: Scenario, setting: ScenarioSetting): Promise<string | Made> => {
  const { client, seed, start, workspace, clockRuns = seed === undefined } = setting
  try {
    const { id } = await client.call('workspaces.create', {
      body: {
        profile: { ...(clockRuns ? {} : { skew_clock: 'bench' }), ...profile },
        ...(seed === undefined ? {} : { seed }),
        ...(workspace === undefined ? {} : { id: workspace }),
      },
    })
    if (!clockRuns) await client.workspace(id).call('clock.put', { body: { now: start, frozen: true } })
    return id
  } catch (error) {
    return unmade(error, { line: profileLine, word: 'profile', title: 'The workspace is opened with its profile' })
  }
}

const prepare = async (
  { phones: wanted }: Scenario,
  { micros, pause }: ScenarioSetting,
  client: ControlClient,
): Promise<ScenarioState | Made> => {
  const { rps } = await client.call('rps.list')
  const phones: Record<string, { id: string; name: string }> = {}
  for (const [short, phone] of Object.entries(wanted)) {
    try {
      const { same_account_as: sharer, ...rest } = phone.wanted
      // A scenario knows its phones by their short names; ids are drawn when they are made.
      const shared = sharer === undefined ? {} : { same_account_as: phones[String(sharer)]?.id ?? sharer }
      const made = await client.call('phones.create', { body: { name: short, ...rest, ...shared } as { name: string } })
      phones[short] = { id: made.id, name: made.name }
    } catch (error) {
      return unmade(error, { line: phone.line, word: 'phones', title: `The phone ${short} is made` })
    }
  }
  return { client, rp: rps[0]?.id ?? '', phones, messages: new Map(), cursor: 0, micros, pause }
}

type Outcome = Pick<StepReport, 'title' | 'ok' | 'said' | 'expected' | 'received'>

const runStep = async <W extends StepWord>(
  { word, input, refused }: Step<W>,
  state: ScenarioState,
): Promise<Outcome> => {
  const { title: titleOf, run } = scenarioWords[word]
  const title = titleOf(input, state)
  const outcome = await attempt(() => run(input, state))
  const judged = refused === undefined ? outcome : asRefusal(refused, outcome)
  const shown = refused === undefined ? title : `${title}, in vain`
  if (judged.ok) return { title: shown, ...judged }
  const { expected, received } = judged
  return { title: shown, ok: false, said: '', expected, received }
}

const attempt = async (run: () => Promise<StepOutcome>): Promise<StepOutcome> => {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ControlError) return refusalOf(error)
    if (error instanceof ScenarioMistake) return failure('a step that can be carried out', error.message)
    throw error
  }
}

/** A phone's step tells what the service answered the phone: the control interface only passes it on. */
const refusalOf = ({ code, message, data }: ControlError) =>
  refusal({ code: serviceCodeIn(data) ?? code, error: message })

const serviceCodeIn = (data: unknown): number | undefined =>
  typeof data === 'object' && data !== null && 'service_code' in data && typeof data.service_code === 'number'
    ? data.service_code
    : undefined

/** The step must be refused, with this code and no other. */
const asRefusal = (code: number, outcome: StepOutcome): StepOutcome => {
  if (!outcome.ok && outcome.code === code) return said(outcome.received)
  return failure(`refused with ${code}`, outcome.ok ? 'success' : outcome.received)
}

const eventsSince = async (client: ControlClient, seq: number): Promise<readonly string[]> => {
  const { events } = await client.call('events.list', { query: { after: seq, limit: 50 } })
  return events.map((event) => eventSummary(event))
}
