import type { RandomSource } from '../../core/protocol/random.ts'

export const CEREMONIES = ['register', 'auth'] as const
export type Ceremony = (typeof CEREMONIES)[number]

/** Names of the parts of a ceremony, in their order; `push` only with `--push`, `device` when registering. */
export const STEPS = ['device', 'request', 'push', 'bind', 'answer', 'result'] as const
export type Step = (typeof STEPS)[number]

export type LoadPlan = {
  readonly users: number
  /** Ceremonies per second. */
  readonly rate: number
  readonly durationMs: number
  readonly mix: Readonly<Record<Ceremony, number>>
  readonly push: boolean
  readonly arrivals: ArrivalKind
  readonly seed: number
}

/** Why a ceremony failed. `code`: the envelope's code, a word of the phone, or the result's `fail` or `timeout`. */
export type CeremonyFailure = { readonly step: Step; readonly code: string }

/** How long each part took, in ms; a part that failed is the last one. */
export type CeremonyOutcome = {
  readonly steps: readonly (readonly [Step, number])[]
  readonly failure?: CeremonyFailure
}

type ArrivalKind = 'poisson' | 'fixed'

/** Times when ceremonies begin, in ms from the start. They depend on the rate only, not on earlier ceremonies. */
export const arrivalTimes = function* (options: {
  readonly kind: ArrivalKind
  /** Arrivals per second. */
  readonly rate: number
  readonly durationMs: number
  readonly random: RandomSource
}): Generator<number, undefined> {
  const { kind, rate, durationMs, random } = options
  const mean = 1000 / rate
  for (let n = 1, at = 0; ; n++) {
    // Poisson: independent, exponential gaps with this mean. Fixed: multiples of it, so no rounding adds up.
    at = kind === 'fixed' ? (n - 1) * mean : at - Math.log(1 - randomFraction(random)) * mean
    if (at >= durationMs) return
    yield at
  }
}

/** A random number in [0, 1) from 32 bits. */
export const randomFraction = (random: RandomSource): number => {
  const [a = 0, b = 0, c = 0, d = 0] = random.bytes(4)
  return (((a << 24) | (b << 16) | (c << 8) | d) >>> 0) / 2 ** 32
}
