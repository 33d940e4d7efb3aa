import type { Limit } from '../contract/scenario.ts'
import type { ScenarioState } from './scenario-state.ts'

/** How long a step waits by itself, in real time. */
const USUAL_MS = 5000

const limitOf = (until: Limit = { ms: USUAL_MS }): number => ('ms' in until ? until.ms : Math.round(until.s * 1000))

export const limitText = (until: Limit | undefined): string => {
  const ms = limitOf(until)
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`
}

/** What is left of the limit, at each call; 0 when it is over. */
export const startLimit = ({ micros }: ScenarioState, until: Limit | undefined): (() => number) => {
  const end = micros() + limitOf(until) * 1000
  return () => Math.max(0, Math.ceil((end - micros()) / 1000))
}
