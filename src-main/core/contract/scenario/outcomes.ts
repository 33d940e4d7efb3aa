import type { Coded, NoParams } from '../../protocol/coded.ts'
import type { PhoneTrouble } from '../phone-trouble.ts'
import type { ProgramEnd, StepProblem } from './problems.ts'

type Ceremony = { readonly kind: 'registration' | 'authentication'; readonly rp: string }
type Count = { readonly count: number }
type Event = { readonly seq: number }

type Named = { readonly name: string }

export type ScenarioHeadParams = {
  readonly vars: NoParams
  readonly profile: NoParams
  readonly rps: Named
  readonly phones: Named
}

export type ScenarioHead = Coded<ScenarioHeadParams>

export type StepOutcomeParams = {
  /** Unchanged text: an id, an address, a state, JSON. */
  readonly value: { readonly text: string }

  readonly asks: Ceremony
  readonly carried_out: Ceremony
  readonly shows: { readonly screen: string }
  readonly phone_says: PhoneTrouble
  readonly prompt_gone: NoParams
  readonly phone_removed: NoParams
  readonly credentials_left: Count

  /** A fault of a phone or the service, and how often it triggers. `begun`: attempts under way, not affected. */
  readonly armed: { readonly left?: number; readonly probability?: number; readonly begun?: number }
  readonly none_armed: NoParams
  readonly disarmed: Count

  readonly refused: { readonly problem: StepProblem }

  readonly credentials_deleted: Count

  readonly event: Event
  readonly no_event: NoParams
  readonly marked: Event
  readonly events: Count

  readonly started: NoParams
  readonly ready: NoParams
  readonly ended: { readonly ended: ProgramEnd }
}

export type StepResult = Coded<StepOutcomeParams>
