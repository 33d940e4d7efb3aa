import type { ScenarioHead } from '../../core/contract/scenario/outcomes.ts'
import type { StepProblem } from '../../core/contract/scenario/problems.ts'
import { ControlError } from '../../sdk/client.ts'
import { demoRp, makeScenarioPhone, makeScenarioRp } from './make-parts.ts'
import { createOwnRp } from './own-rp/own-rp.ts'
import { allSteps, type Scenario, type Variables } from './parse/scenario.ts'
import { refusalOf } from './run-step.ts'
import type { ScenarioSetting } from './scenario-setting.ts'
import type { ScenarioPhone, ScenarioRp, ScenarioState } from './scenario-state.ts'
import { ScenarioMistake } from './step-outcome.ts'
import { fillIn, headOf, partOf, referencesIn } from './variables.ts'

/** A failure before the first step, in something that the file names: it is reported like a step. */
export type Unmade = {
  readonly ok: false
  readonly line: number
  readonly making: ScenarioHead
  readonly problem: StepProblem
}

export type Opened = ({ readonly ok: true; readonly state: ScenarioState } | Unmade) & { readonly workspace?: string }

/** The workspace of a scenario with its RPs and phones. */
export const openState = async (scenario: Scenario, setting: ScenarioSetting): Promise<Opened> => {
  const head = await making(async () => filledHead(scenario), {
    line: scenario.profileLine,
    making: { code: 'vars' },
  })
  if (!head.ok) return head
  const filled = { ...scenario, ...head.value }
  const opened = await making(() => openWorkspace(filled.profile, setting), {
    line: scenario.profileLine,
    making: { code: 'profile' },
  })
  if (!opened.ok) return opened
  const { id, base_url, app_url, control_url } = opened.value
  const client = setting.client.workspace(id)
  const rps = new Map<string, ScenarioRp>()
  const phones = new Map<string, ScenarioPhone>()
  for (const [short, { wanted, line }] of Object.entries(filled.rps)) {
    const rp = await making(() => makeScenarioRp(client, short, wanted), {
      line,
      making: { code: 'rps', params: { name: short } },
    })
    if (!rp.ok) return { ...rp, workspace: id }
    rps.set(short, rp.value)
  }
  const first = [...rps.values()][0] ?? (await demoRp(client, usesKey(scenario)))
  if (first !== undefined) rps.set('', first)
  for (const [short, { wanted, line }] of Object.entries(filled.phones)) {
    const phone = await making(() => makeScenarioPhone({ client, phones }, short, wanted), {
      line,
      making: { code: 'phones', params: { name: short } },
    })
    if (!phone.ok) return { ...phone, workspace: id }
  }
  const { micros, pause, stop } = setting
  return {
    ok: true,
    workspace: id,
    state: {
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
    },
  }
}

type At = Pick<Unmade, 'line' | 'making'>

const making = async <T>(
  make: () => Promise<T>,
  at: At,
): Promise<{ readonly ok: true; readonly value: T } | Unmade> => {
  try {
    return { ok: true, value: await make() }
  } catch (error) {
    if (error instanceof ScenarioMistake) return { ok: false, ...at, problem: error.problem }
    if (!(error instanceof ControlError)) throw error
    return { ok: false, ...at, problem: refusalOf(error).problem }
  }
}

/** Profile, RPs and phones with the scenario's variables in them. */
const filledHead = ({ profile, rps, phones, vars }: Scenario): Pick<Scenario, 'profile' | 'rps' | 'phones'> => {
  const find = (reference: string): unknown => {
    const value = partOf(vars, reference.split('.'))
    if (value !== undefined) return value
    throw new ScenarioMistake({ code: 'no_value', params: { reference, known: Object.keys(vars) } })
  }
  const fill = <T>(value: T): T => fillIn(value, find) as T
  return { profile: fill(profile), rps: fill(rps), phones: fill(phones) }
}

const openWorkspace = (profile: Variables, setting: ScenarioSetting) => {
  const { client, seed, start, workspace, clockRuns = seed === undefined } = setting
  return client.call('workspaces.create', {
    body: {
      profile: { ...(clockRuns ? {} : { skew_clock: 'bench' }), ...profile },
      ...(seed === undefined ? {} : { seed }),
      ...(workspace === undefined ? {} : { id: workspace }),
      // From the beginning: certificates and events name times from the first one on.
      ...(clockRuns ? {} : { clock: { now: start, frozen: true } }),
    },
  })
}

/** Its key is fetched only where a step mentions the RP: it is a secret. */
const usesKey = (scenario: Scenario): boolean =>
  allSteps(scenario).some(({ input, answer, scopes }) =>
    referencesIn([input, answer, scopes]).some((reference) => ['rp', 'rps'].includes(headOf(reference))),
  )
