import type { StepResult } from '../../../core/contract/scenario/outcomes.ts'
import type { StepInput, StepWord } from '../../../core/contract/scenario.ts'
import type { ScenarioState } from '../scenario-state.ts'
import type { StepOutcome } from '../step-outcome.ts'

export type StepHandler<W extends StepWord> = (input: StepInput<W>, state: ScenarioState) => Promise<StepOutcome>

export type StepHandlers<Steps> = { readonly [W in keyof Steps & StepWord]: StepHandler<W> }

export const armedResult = ({
  left,
  probability,
  strikes,
}: {
  readonly left?: number
  readonly probability?: number
  readonly strikes?: { readonly begun: readonly string[] }
}): StepResult => ({
  code: 'armed',
  params: {
    ...(left === undefined ? {} : { left }),
    ...(probability === undefined ? {} : { probability }),
    ...(strikes === undefined || strikes.begun.length === 0 ? {} : { begun: strikes.begun.length }),
  },
})
