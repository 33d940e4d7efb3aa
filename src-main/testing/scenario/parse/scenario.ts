import type { StepInput, StepWord, VariableSource } from '../../../core/contract/scenario.ts'

export type WantedRp = { readonly wanted: Readonly<Record<string, unknown>>; readonly line: number }

export type Variables = Readonly<Record<string, unknown>>

export type Step<W extends StepWord = StepWord> = {
  readonly word: W
  /** The input as written, with references to variables. */
  readonly input: StepInput<W>
  /** The step must be refused with this code; a text is a variable. */
  readonly refused?: number | string
  readonly answer?: unknown
  readonly save?: Readonly<Record<string, VariableSource>>
  readonly line: number
  /** The included file that contains the step, relative to the scenario's folder. */
  readonly file?: string
  /** Variables of each `include` around the step, the outermost first. */
  readonly scopes: readonly Variables[]
}

export type Scenario = {
  readonly name: string
  /** Seed from a report: the scenario is repeated with this seed and a frozen clock. */
  readonly seed?: number
  readonly about?: string
  readonly tags: readonly string[]
  /** Why the scenario is skipped. */
  readonly skip?: string
  /** Why only this scenario runs for now. */
  readonly only?: string
  /** Row of the file's cases, from 1. */
  readonly row?: number
  readonly folder: string
  readonly profile: Readonly<Record<string, unknown>>
  readonly profileLine: number
  /** By the short name that the steps use. */
  readonly rps: Readonly<Record<string, WantedRp>>
  readonly phones: Readonly<Record<string, WantedRp>>
  readonly vars: Variables
  readonly setup: readonly Step[]
  readonly steps: readonly Step[]
  readonly teardown: readonly Step[]
}

export const allSteps = ({ setup, steps, teardown }: Scenario): readonly Step[] => [...setup, ...steps, ...teardown]
