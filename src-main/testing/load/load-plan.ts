import type { ArrivalKind } from './arrival-times.ts'

export const CEREMONIES = ['register', 'auth'] as const
export type Ceremony = (typeof CEREMONIES)[number]

/** What the parts of a ceremony are called, in their order; `push` is there only with `--push`, `device` when registering. */
export const STEPS = ['device', 'request', 'push', 'bind', 'answer', 'result'] as const
export type Step = (typeof STEPS)[number]

export type LoadPlan = {
  readonly users: number
  /** Ceremonies for each second. */
  readonly rate: number
  readonly durationMs: number
  /** Weights. */
  readonly mix: Readonly<Record<Ceremony, number>>
  readonly push: boolean
  readonly arrivals: ArrivalKind
  readonly seed: number
}

/** Why a ceremony came to nothing. `code` is the envelope's, a phone's word, or `fail` and `timeout` of the result. */
export type CeremonyFailure = { readonly step: Step; readonly code: string }

/** How long each part took, in ms; a failure ends it. */
export type CeremonyOutcome = {
  readonly steps: readonly (readonly [Step, number])[]
  readonly failure?: CeremonyFailure
}
