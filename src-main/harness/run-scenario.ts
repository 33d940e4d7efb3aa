import { type ControlClient, ControlError } from '../sdk/client.ts'
import { eventSummary } from './event-summary.ts'
import type { Scenario, Step } from './scenario.ts'
import { ScenarioMistake, type ScenarioState, type StepOutcome, wordNamed } from './scenario-words.ts'

export type StepReport = {
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

export type ScenarioReport = { readonly ok: boolean; readonly steps: number; readonly took_ms: number }

export type ScenarioSetting = {
  /** Of the bench, any workspace. */
  readonly client: ControlClient
  readonly seed?: number
  /** Where a seeded run's clock stands. */
  readonly start: number
  readonly micros: () => number
  readonly onStep: (report: StepReport) => void
}

/** Runs a scenario in a workspace of its own, which is closed afterwards. It ends at the first step that fails. */
export const runScenario = async (scenario: Scenario, setting: ScenarioSetting): Promise<ScenarioReport> => {
  const began = setting.micros()
  const took = (from: number): number => Math.round((setting.micros() - from) / 100) / 10
  const { id } = await setting.client.call('workspaces.create', {
    body: {
      profile: { ...(setting.seed === undefined ? {} : { skew_clock: 'bench' }), ...scenario.profile },
      ...(setting.seed === undefined ? {} : { seed: setting.seed }),
    },
  })
  const client = setting.client.workspace(id)
  let number = 0
  let ok = true
  try {
    if (setting.seed !== undefined) await client.call('clock.put', { body: { now: setting.start, frozen: true } })
    const state = await prepare(client, scenario)
    for (const step of scenario.steps) {
      const from = setting.micros()
      const { last_seq: seq } = await client.call('events.list', { query: { limit: 1, latest: true } })
      const report = await runStep(step, { ...state, seq })
      const events = report.ok ? [] : await eventsSince(client, seq)
      number++
      setting.onStep({ number, line: step.line, word: step.word, took_ms: took(from), events, ...report })
      ok = report.ok
      if (!ok) break
    }
  } finally {
    await setting.client.call('workspaces.close', { params: { id } })
  }
  return { ok, steps: number, took_ms: took(began) }
}

const prepare = async (client: ControlClient, scenario: Scenario): Promise<Omit<ScenarioState, 'seq'>> => {
  const { rps } = await client.call('rps.list')
  const phones: Record<string, { id: string; name: string }> = {}
  for (const [short, wanted] of Object.entries(scenario.phones)) {
    const phone = await client.call('phones.create', { body: { name: short, ...wanted } as { name: string } })
    phones[short] = { id: phone.id, name: phone.name }
  }
  return { client, rp: rps[0]?.id ?? '', phones, messages: new Map() }
}

type Outcome = Pick<StepReport, 'title' | 'ok' | 'said' | 'expected' | 'received'>

const runStep = async (step: Step, state: ScenarioState): Promise<Outcome> => {
  const word = wordNamed(step.word)
  const title = word.title(step.input, state)
  const outcome = await attempt(() => word.run(step.input, state))
  if (step.refused !== undefined) return { title: `${title}, in vain`, ...asRefusal(step.refused, outcome) }
  if ('refusal' in outcome) {
    return {
      title,
      ok: false,
      said: '',
      expected: 'success',
      received: `${outcome.refusal.code} ${outcome.refusal.message}`,
    }
  }
  return outcome.ok ? { title, ...outcome } : { title, said: '', ...outcome }
}

type Attempted = StepOutcome | { readonly refusal: { readonly code: number; readonly message: string } }

const attempt = async (run: () => Promise<StepOutcome>): Promise<Attempted> => {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ControlError) return { refusal: error }
    if (error instanceof ScenarioMistake)
      return { ok: false, expected: 'a step that can be carried out', received: error.message }
    throw error
  }
}

const asRefusal = (code: number, outcome: Attempted): Omit<Outcome, 'title'> => {
  if (!('refusal' in outcome)) {
    return {
      ok: false,
      said: '',
      expected: `refused with ${code}`,
      received: outcome.ok ? 'success' : outcome.received,
    }
  }
  const { refusal } = outcome
  const text = `${refusal.code} ${refusal.message}`
  return refusal.code === code
    ? { ok: true, said: text }
    : { ok: false, said: '', expected: `refused with ${code}`, received: text }
}

const eventsSince = async (client: ControlClient, seq: number): Promise<readonly string[]> => {
  const { events } = await client.call('events.list', { query: { after: seq, limit: 50 } })
  return events.map((event) => eventSummary(event))
}
