import type { Source, StepInput, StepWord } from '../../../core/contract/scenario.ts'

export type Wish = { readonly wanted: Readonly<Record<string, unknown>>; readonly line: number }

export type Variables = Readonly<Record<string, unknown>>

export type Step<W extends StepWord = StepWord> = {
  readonly word: W
  /** As it is written: it contains variables by name. */
  readonly input: StepInput<W>
  /** The step must be refused with this code; a text is a variable. */
  readonly refused?: number | string
  /** The expected answer. */
  readonly answer?: unknown
  readonly save?: Readonly<Record<string, Source>>
  readonly line: number
  /** The included file that contains it, below the scenario's folder. */
  readonly file?: string
  /** Variables that each `include` around it set, the outermost first. */
  readonly scopes: readonly Variables[]
}

export type Scenario = {
  readonly name: string
  /** Seed of a report: it is repeated under this one, and its clock is frozen. */
  readonly seed?: number
  readonly about?: string
  readonly tags: readonly string[]
  /** Why it does not run. */
  readonly skip?: string
  /** Why it runs alone, for now. */
  readonly only?: string
  /** Row of the file's cases, from 1. */
  readonly row?: number
  /** Folder of its programs and pages. */
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
