import type { Limit } from '../../core/contract/scenario.ts'

/** A step's default time limit, in real time: enough even on a busy machine. */
const USUAL_MS = 30_000

export const limitInMs = (until: Limit = { ms: USUAL_MS }): number =>
  'ms' in until ? until.ms : Math.round(until.s * 1000)

export const startLimit = ({ micros }: { readonly micros: () => number }, until: Limit | undefined): (() => number) => {
  const end = micros() + limitInMs(until) * 1000
  return () => Math.max(0, Math.ceil((end - micros()) / 1000))
}
