import type { Input, ScenarioState } from './scenario-state.ts'

/** How long a step waits by itself, in real time. */
const USUAL_MS = 5000

const LONGEST_MS = 600_000

/** `until: {s: 10}` or `until: {ms: 500}`: real time from the beginning of the step. */
export const untilProblem = (until: unknown): string | undefined => {
  if (until === undefined) return undefined
  const [[unit, value] = [], ...more] = typeof until === 'object' && until !== null ? Object.entries(until) : []
  const ms = unit === 'ms' ? value : unit === 's' && typeof value === 'number' ? value * 1000 : undefined
  const fits = more.length === 0 && Number.isInteger(ms) && ms >= 1 && ms <= LONGEST_MS
  return fits ? undefined : '"until" must be {s: SECONDS} or {ms: MILLISECONDS}, at most 10 minutes'
}

/** The milliseconds that `until` names. */
export const limitOf = (until: unknown): number => {
  if (typeof until !== 'object' || until === null) return USUAL_MS
  return 'ms' in until ? Number(until.ms) : 's' in until ? Number(until.s) * 1000 : USUAL_MS
}

export const limitText = (ms: number): string => (ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`)

/** What is left of the limit, at each call; 0 when it is over. */
export const startLimit = ({ micros }: ScenarioState, { until }: Input): (() => number) => {
  const end = micros() + limitOf(until) * 1000
  return () => Math.max(0, Math.ceil((end - micros()) / 1000))
}
