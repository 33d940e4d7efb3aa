import type { ReasonParams } from '../../core/contract/errors.ts'
import type { StepResult } from '../../core/contract/scenario/outcomes.ts'
import type { StepProblem } from '../../core/contract/scenario/problems.ts'

export type StepFailure = {
  readonly ok: false
  readonly problem: StepProblem
  /** Trying again would not help. */
  readonly final?: true
}

export type StepSuccess = {
  readonly ok: true
  readonly told: StepResult
  /** The answer, for `answer` and `save`. */
  readonly value?: unknown
}

export type StepOutcome = StepSuccess | StepFailure

export const success = (told: StepResult, value?: unknown): StepSuccess => ({ ok: true, told, value })

/** A success whose text is data, shown unchanged. */
export const withText = (text: string, value?: unknown): StepSuccess =>
  success({ code: 'value', params: { text } }, value)

export const failure = (problem: StepProblem): StepFailure => ({ ok: false, problem })

export const refusal = ({ code, error }: { readonly code: number; readonly error: string }): StepFailure =>
  failure({ code: 'refused', params: { code, error } })

/** The scenario asks for something that does not exist, or that cannot be done: the author's mistake, not the service's. */
export class ScenarioMistake extends Error {
  readonly problem: StepProblem
  constructor(problem: StepProblem) {
    super(problem.code)
    this.problem = problem
  }
}

export const badInput = (params: ReasonParams['field_unfit']): ScenarioMistake =>
  new ScenarioMistake({ code: 'bad_input', params: { problem: { code: 'field_unfit', params } } })
