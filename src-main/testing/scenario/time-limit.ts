import type { Limit } from '../../core/contract/scenario.ts'

/** How long a step waits by itself, in real time: what comes at all has come by then, on a busy machine too. */
const USUAL_MS = 30_000

export const limitMs = (until: Limit = { ms: USUAL_MS }): number =>
  'ms' in until ? until.ms : Math.round(until.s * 1000)

/** What is left of the limit, at each call; 0 when it is over. */
export const startLimit = ({ micros }: { readonly micros: () => number }, until: Limit | undefined): (() => number) => {
  const end = micros() + limitMs(until) * 1000
  return () => Math.max(0, Math.ceil((end - micros()) / 1000))
}
