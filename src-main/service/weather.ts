import { err, ok, type Result } from '../protocol/result.ts'

/** Faults of the service that a user sets, for each of its two interfaces. */
export type Conditions = {
  /** Every answer waits this long, in real time. */
  readonly latency_ms: number
  /** The next n calls are refused with `error` before anything happens. */
  readonly fail_next: number
  /** How many of a hundred calls are refused, drawn from the seed. */
  readonly fail_percent: number
  /** The code that those calls get. */
  readonly fail_code: number
  /** The next n calls are carried out, and their answer is lost on the wire. */
  readonly lose_next: number
  readonly lose_percent: number
  /** Operations to which all this applies, e.g. `attestation.result`; empty: all. */
  readonly only: readonly string[]
}

export type Weather = { readonly rp: Conditions; readonly app: Conditions }

export const calmConditions: Conditions = {
  latency_ms: 0,
  fail_next: 0,
  fail_percent: 0,
  fail_code: 50301,
  lose_next: 0,
  lose_percent: 0,
  only: [],
}

export const calm: Weather = { rp: calmConditions, app: calmConditions }

export const parseWeather = (_input: unknown, base: Weather): Result<Weather, string> =>
  base === calm ? ok(base) : err('not yet')
