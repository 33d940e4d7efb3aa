import type { Source, StepInput, StepWord } from '../../../core/contract/scenario.ts'

export type Wish = { readonly wanted: Readonly<Record<string, unknown>>; readonly line: number }

export type Variables = Readonly<Record<string, unknown>>

export type Step<W extends StepWord = StepWord> = {
  readonly word: W
  /** As it is written: variables stand in it by name. */
  readonly input: StepInput<W>
  /** The step must be refused with this code; a text is a variable. */
  readonly refused?: number | string
  /** What its answer must be. */
  readonly answer?: unknown
  readonly save?: Readonly<Record<string, Source>>
  readonly line: number
  /** The included file that it stands in, below the scenario's folder. */
  readonly file?: string
  /** What the `include` around it set, the outermost first. */
  readonly scopes: readonly Variables[]
}

export type Scenario = {
  readonly name: string
  /** Of a report: it is repeated under this one, and its clock stands. */
  readonly seed?: number
  readonly about?: string
  readonly tags: readonly string[]
  /** Why it does not run. */
  readonly skip?: string
  /** Why it runs alone, for now. */
  readonly only?: string
  /** Of a file with cases: its row, from 1. */
  readonly row?: number
  /** Programs and pages of its own belong there. */
  readonly folder: string
  readonly profile: Readonly<Record<string, unknown>>
  readonly profileLine: number
  /** By the short name that the steps use. */
  readonly rps: Readonly<Record<string, Wish>>
  readonly phones: Readonly<Record<string, Wish>>
  readonly vars: Variables
  readonly setup: readonly Step[]
  readonly steps: readonly Step[]
  readonly teardown: readonly Step[]
}

export const allSteps = ({ setup, steps, teardown }: Scenario): readonly Step[] => [...setup, ...steps, ...teardown]
