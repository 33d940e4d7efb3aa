import type { NamedKind } from '../../core/contract/scenario/problems.ts'
import type { ControlPhone, Data } from '../../sdk/client.ts'
import { createCookies } from '../calls/cookies.ts'
import { type Browsing, createBrowsing } from './own-rp/playwright.ts'
import { createPrograms, type Programs } from './own-rp/programs.ts'
import type { ScenarioSetting } from './scenario-setting.ts'
import { failure, ScenarioMistake, type StepOutcome, success } from './step-outcome.ts'

export type BegunMessage = Pick<Data<'simulator.register'>, 'msg_id' | 'url' | 'method' | 'rp'>

export type ScenarioPhone = { readonly id: string; readonly name: string }

/** An RP of the scenario; its key is present only if a step needs it. */
export type ScenarioRp = Pick<Data<'rps.get'>, 'id' | 'name' | 'rp_id' | 'origins'> & {
  readonly access_key_id?: string
  readonly secret_key?: string
}

export type ScenarioState = Pick<ScenarioSetting, 'client' | 'micros' | 'pause' | 'stop'> & {
  readonly handset: Pick<Data<'workspaces.get'>, 'base_url' | 'app_url' | 'control_url'> & {
    readonly workspace: string
  }
  /** By the scenario's short names; '' is the RP of steps that name none. */
  readonly rps: Map<string, ScenarioRp>
  readonly phones: Map<string, ScenarioPhone>
  /** The RP's requests by the names steps gave them; the latest one under ''. */
  readonly messages: Map<string, BegunMessage>
  readonly snapshots: Map<string, string>
  /** Numbers of events by the names that steps `mark` gave. */
  readonly marks: Map<string, number>
  readonly saved: Map<string, unknown>
  /** The last event when the previous step began; a wait moves the cursor to the event it found. */
  cursor: number
  /** The last event when the previous step ended: later ones belong to the next step. */
  ended: number
  /** Length of each program's output when the previous step began. */
  outputFrom: ReadonlyMap<string, number>
  /** Programs, cookies and pages. */
  readonly own: OwnRp
}

const named = <T>(kind: NamedKind, map: ReadonlyMap<string, T>, name: string): T => {
  const found = map.get(name)
  if (found !== undefined) return found
  const known = [...map.keys()].filter((each) => each !== '')
  throw new ScenarioMistake({ code: 'unknown_name', params: { kind, name, known } })
}

export const findMessage = (state: ScenarioState, name = ''): BegunMessage => named('message', state.messages, name)
export const findRp = (state: ScenarioState, name = ''): ScenarioRp => named('rp', state.rps, name)
export const findSnapshot = (state: ScenarioState, name: string): string => named('snapshot', state.snapshots, name)
export const findMark = (state: ScenarioState, name: string): number => named('mark', state.marks, name)
export const findPhone = (state: ScenarioState, name: string): ScenarioPhone => named('phone', state.phones, name)

export const phoneIdParam = (state: ScenarioState, { phone }: { readonly phone: string }) => ({
  id: findPhone(state, phone).id,
})

/** A problem on the screen is a failed step; anything else is its result. */
export const screenOutcome = (phone: ControlPhone): StepOutcome => {
  const { screen } = phone
  if (screen.kind === 'problem') {
    const { kind: _, prompt, ...params } = screen
    return failure({ code: 'screen_problem', params })
  }
  if (screen.kind === 'refused') {
    const { kind: _, prompt, ...params } = screen
    return success({ code: 'phone_says', params }, phone)
  }
  if (!('prompt' in screen)) return success({ code: 'shows', params: { screen: screen.kind } }, phone)
  const { kind, rp } = screen.prompt
  return success({ code: screen.kind === 'success' ? 'carried_out' : 'asks', params: { kind, rp: rp.name } }, phone)
}

type OwnRp = ReturnType<typeof createOwnRp>

/**
 * Resources of a scenario outside the bench; they end with the scenario. Programs and pages are made on first use: most
 * scenarios have no RP of their own.
 */
export const createOwnRp = (folder: string) => {
  const made: { programs?: Programs; browsing?: Browsing } = {}
  return {
    cookies: createCookies(),
    get programs(): Programs {
      made.programs ??= createPrograms(folder)
      return made.programs
    },
    get browsing(): Browsing {
      made.browsing ??= createBrowsing(folder)
      return made.browsing
    },
    outputLengths: (): ReadonlyMap<string, number> => made.programs?.lengths() ?? new Map(),
    close: async (): Promise<void> => void (await Promise.allSettled([made.browsing?.close(), made.programs?.close()])),
  }
}
