import type { RandomSource } from '../../core/protocol/random.ts'
import { pause } from '../../sdk/real-time.ts'
import { CaseEnded, type Exchange, sendRequest, type TimedExchange } from './exchange.ts'
import type { Finding } from './finding.ts'

export type PlayedCase<C> = {
  readonly case: C
  readonly finding: Finding
  readonly exchanges: readonly TimedExchange[]
  readonly tookMs: number
}

export type PlayOptions<C> = {
  /** In the order in which they begin. */
  readonly cases: readonly C[]
  /** How many cases are played at a time. */
  readonly parallel: number
  readonly random: RandomSource
  /** Real time, like that of the service under test. */
  readonly now: () => number
  readonly patienceMs?: number | undefined
  readonly signal: AbortSignal
  readonly onResult: (result: PlayedCase<C>) => void
}

type Playing<C> = PlayOptions<C> & {
  /** Why a case cannot be played. */
  readonly missing: (each: C) => string | undefined
  /** Everything that the case sends is kept with its verdict. */
  readonly play: (each: C, send: SendRequest) => Promise<Finding>
}

export type SendRequest = typeof sendRequest

/** After this many calls in a row without an answer, the check stops waiting. */
const MAX_UNANSWERED = 5

/** Time allowed for the restart of a server that a request has crashed. */
const RESTART_MS = 3000

/** Plays the cases; their results come in the same order. */
export const playCases = async <C>(options: Playing<C>): Promise<readonly PlayedCase<C>[]> => {
  const { cases, parallel, now, patienceMs, signal, onResult, missing, play } = options
  let silent = 0
  let hasAnswered = false
  const patiently: SendRequest = async (origin, request, how): Promise<Exchange> => {
    if (silent >= MAX_UNANSWERED) return { origin, request, problem: 'timed out', tookMs: 0 }
    let exchange = await sendRequest(origin, request, { ...how, patienceMs })
    const end = performance.now() + RESTART_MS
    while (hasAnswered && exchange.problem === 'refused' && silent < MAX_UNANSWERED && performance.now() < end) {
      await pause(100, signal)
      exchange = await sendRequest(origin, request, { ...how, patienceMs })
    }
    hasAnswered ||= exchange.response !== undefined
    // A connection that ends at once costs no time.
    const isQuick = exchange.problem === 'not sendable' || (hasAnswered && exchange.problem === 'broken off')
    if (!isQuick) silent = exchange.response === undefined ? silent + 1 : 0
    return exchange
  }
  const result = async (each: C): Promise<PlayedCase<C>> => {
    const why = missing(each) ?? (silent >= MAX_UNANSWERED ? 'the service no longer answers' : undefined)
    if (why !== undefined) return { case: each, finding: { verdict: 'skipped', text: why }, exchanges: [], tookMs: 0 }
    const from = performance.now()
    const exchanges: TimedExchange[] = []
    const keeping: SendRequest = async (...request) => {
      const exchange = await patiently(...request)
      exchanges.push({ ...exchange, at: now() - exchange.tookMs })
      return exchange
    }
    const finding = await play(each, keeping).catch((reason: unknown): Finding => {
      if (reason instanceof CaseEnded) return { verdict: reason.verdict, text: reason.message }
      // A bug in the case, revealed by a strange answer: the other cases keep their verdicts.
      return { verdict: 'vacuous', text: `the case broke off: ${String(reason)}` }
    })
    return { case: each, finding, exchanges, tookMs: performance.now() - from }
  }
  const left = [...cases]
  const results = new Map<C, PlayedCase<C>>()
  const brokenOff = new Map<C, PlayedCase<C>>()
  const playing = async (from: C[], isShared: boolean): Promise<void> => {
    for (let next = from.shift(); next !== undefined && !signal.aborted; next = from.shift()) {
      const before = silent >= MAX_UNANSWERED ? brokenOff.get(next) : undefined
      const played = before ?? (await result(next))
      // Another case may have ended the server: a case that broke off is played again, alone.
      if (isShared && played.exchanges.some(({ problem }) => problem === 'broken off')) {
        brokenOff.set(next, played)
        continue
      }
      results.set(next, played)
      onResult(played)
    }
  }
  await Promise.all(Array.from({ length: parallel }, () => playing(left, parallel > 1)))
  await playing([...brokenOff.keys()], false)
  return cases.flatMap((each) => results.get(each) ?? [])
}
