import { CannotGoOn, type Exchange, type KeptExchange, send } from './exchange.ts'
import type { Finding } from './finding.ts'

export type Played<C> = {
  readonly case: C
  readonly finding: Finding
  readonly exchanges: readonly KeptExchange[]
  readonly tookMs: number
}

export type PlayOptions<C> = {
  /** In the order in which they begin. */
  readonly cases: readonly C[]
  /** How many cases are played at a time. */
  readonly parallel: number
  /** Real time, like that of the service under test. */
  readonly now: () => number
  readonly patienceMs?: number | undefined
  readonly signal: AbortSignal
  readonly onResult: (result: Played<C>) => void
}

type Playing<C> = PlayOptions<C> & {
  /** Why a case cannot be played. */
  readonly missing: (each: C) => string | undefined
  /** Everything that the case sends is kept with its verdict. */
  readonly play: (each: C, send: Send) => Promise<Finding>
}

export type Send = typeof send

/** After this many calls in a row without an answer, the check stops waiting. */
const MOST_SILENT = 5

/** Plays the cases; their results come in the same order. */
export const playCases = async <C>(options: Playing<C>): Promise<readonly Played<C>[]> => {
  const { cases, parallel, now, patienceMs, signal, onResult, missing, play } = options
  let silent = 0
  const patiently: Send = async (origin, request, how): Promise<Exchange> => {
    if (silent >= MOST_SILENT) return { origin, request, problem: 'timed out', tookMs: 0 }
    const exchange = await send(origin, request, { ...how, patienceMs })
    if (exchange.problem !== 'not sendable') silent = exchange.response === undefined ? silent + 1 : 0
    return exchange
  }
  const result = async (each: C): Promise<Played<C>> => {
    const why = missing(each) ?? (silent >= MOST_SILENT ? 'the service no longer answers' : undefined)
    if (why !== undefined) return { case: each, finding: { verdict: 'skipped', text: why }, exchanges: [], tookMs: 0 }
    const from = performance.now()
    const exchanges: KeptExchange[] = []
    const keeping: Send = async (...request) => {
      const exchange = await patiently(...request)
      exchanges.push({ ...exchange, at: now() - exchange.tookMs })
      return exchange
    }
    const finding = await play(each, keeping).catch((reason: unknown): Finding => {
      if (reason instanceof CannotGoOn) return { verdict: 'vacuous', text: reason.message }
      // A bug in the case, revealed by a strange answer: the other cases keep their verdicts.
      return { verdict: 'vacuous', text: `the case broke off: ${String(reason)}` }
    })
    return { case: each, finding, exchanges, tookMs: performance.now() - from }
  }
  const left = [...cases]
  const results = new Map<C, Played<C>>()
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined && !signal.aborted; next = left.shift()) {
      const played = await result(next)
      results.set(next, played)
      onResult(played)
    }
  }
  await Promise.all(Array.from({ length: parallel }, worker))
  return cases.flatMap((each) => results.get(each) ?? [])
}
