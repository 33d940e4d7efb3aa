import type { StepInput, StepWord } from '../../../core/contract/scenario.ts'
import { withoutUndefined } from '../../../core/protocol/json.ts'
import type { ScenarioState } from '../scenario-state.ts'
import { ScenarioMistake, type StepOutcome, success } from '../step-outcome.ts'

export type StepHandler<W extends StepWord> = (input: StepInput<W>, state: ScenarioState) => Promise<StepOutcome>

export type StepHandlers<Steps> = { readonly [W in keyof Steps & StepWord]: StepHandler<W> }

type Armed = {
  readonly left?: number
  readonly probability?: number
  readonly strikes?: { readonly begun: readonly string[] }
}

export const armedOutcome = (armed: Armed): StepOutcome => {
  const { left, probability, strikes } = armed
  const begun = strikes?.begun.length || undefined
  return success({ code: 'armed', params: withoutUndefined({ left, probability, begun }) }, armed)
}

/** The credential of this name; without a name, the only one. */
export const oneCredential = <C>(all: readonly C[], nameOf: (each: C) => string, wanted: string | undefined): C => {
  const [found, ...others] = all.filter((each) => wanted === undefined || nameOf(each) === wanted)
  if (found !== undefined && others.length === 0) return found
  throw new ScenarioMistake({ code: 'which_credential', params: { known: all.map(nameOf) } })
}
