import type { Mistake, PollingBehaviour, TrialResult } from '../../core/contract/suite-findings.ts'
import { type Exchange, exchangeTimes, isFinalResult, trueStatus } from './watch-service.ts'

/** The document asks for 20 ms. The RP's own work lengthens pauses, so their lower quartile is judged. */
const MIN_PAUSE_MS = 15
/** Fewest polls that show a habit. */
const MIN_POLLS = 8

const pausesOf = (polls: readonly Exchange[]): readonly number[] =>
  polls.slice(1).map((poll, i) => {
    const before = polls[i]
    return before === undefined ? 0 : Math.max(0, exchangeTimes(poll).from - exchangeTimes(before).to)
  })

const at = (share: number, numbers: readonly number[]): number | undefined =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)]

const afterEnd = (polls: readonly Exchange[]): readonly Exchange[] => {
  const end = polls.find(isFinalResult)
  if (end === undefined) return []
  return polls.filter((poll) => poll.seq > end.seq && exchangeTimes(poll).from > exchangeTimes(end).to - WALL_MS)
}

/** Tolerance, since events have times in whole milliseconds. */
const WALL_MS = 1

export type ObservedPolls = {
  readonly polls: readonly Exchange[]
  readonly struck: Exchange | undefined
  readonly begun: number
  readonly told_ms: number | undefined
}

export const measurePolling = ({ polls, struck, begun, told_ms }: ObservedPolls): PollingBehaviour => {
  const pause = at(0.5, pausesOf(polls))
  return {
    polls: polls.length,
    ...(pause === undefined ? {} : { pause_ms: Math.round(pause) }),
    retries: struck === undefined ? 0 : polls.filter(({ seq }) => seq > struck.seq).length,
    polls_after_end: afterEnd(polls).length,
    begun,
    ...(told_ms === undefined ? {} : { told_ms: Math.round(told_ms) }),
  }
}

export const pollingMistakes = (polls: readonly Exchange[]): readonly Mistake[] => {
  const mistakes: Mistake[] = []
  const pause = at(0.25, pausesOf(polls)) ?? MIN_PAUSE_MS
  if (polls.length >= MIN_POLLS && pause < MIN_PAUSE_MS) {
    const params = { polls: polls.length, pause_ms: Math.round(pause * 10) / 10 }
    mistakes.push({ check: 'pause-between-polls', reason: { code: 'polls_without_pause', params } })
  }
  const end = polls.find(isFinalResult)
  const after = afterEnd(polls)
  if (end === undefined || after.length === 0) return mistakes
  const status = trueStatus(end)
  if (status === 'success')
    mistakes.push({ check: 'final-read-once', reason: { code: 'reads_final_again', params: { polls: after.length } } })
  // One more poll may be a second reading; several mean that the RP continues polling.
  if (status !== 'success' || after.length > 1)
    mistakes.push({ check: 'polls-end', reason: { code: 'polls_past_end', params: { polls: after.length, status } } })
  return mistakes
}

/** Time for a poll under way, a clock in whole seconds, and a last poll for the final state. */
const GRACE_MS = 1500
/** Fewest late polls that show a habit; a single one may be the last. */
const LATE_POLLS = 2
const WATCH_MS = { least: 1500, most: 7000 } as const

/** Checks that the RP stops when expires_at has passed by its own clock; undefined: not yet known. */
export const judgePastExpiry = (
  polls: readonly Exchange[],
  { expired, now }: { readonly expired: number; readonly now: number },
): TrialResult | undefined => {
  const late = polls.filter((poll) => exchangeTimes(poll).from > expired + GRACE_MS).length
  if (late >= LATE_POLLS) return { verdict: 'broke', reason: { code: 'polls_past_expiry', params: { polls: late } } }
  const pause = at(0.5, pausesOf(polls)) ?? 0
  const enough = Math.max(WATCH_MS.least, 2.5 * pause)
  if (now < expired + GRACE_MS + Math.min(WATCH_MS.most, enough)) return undefined
  if (polls.length > 1 && enough <= WATCH_MS.most) return { verdict: 'held' }
  return { verdict: 'skipped', reason: { code: 'too_few_polls', params: { polls: polls.length } } }
}

export const untriedPolling = (requests: readonly (readonly Exchange[])[]): readonly Mistake[] => {
  const ends = requests.map((polls) => polls.find(isFinalResult)).filter((end) => end !== undefined)
  const paused = requests.some((polls) => polls.length >= MIN_POLLS || (at(0.25, pausesOf(polls)) ?? 0) >= MIN_PAUSE_MS)
  const few = {
    code: 'too_few_polls',
    params: { polls: Math.max(0, ...requests.map((polls) => polls.length)) },
  } as const
  const unread = { code: 'end_never_read' } as const
  return [
    ...(paused ? [] : [{ check: 'pause-between-polls', reason: few } as const]),
    ...(ends.length > 0 ? [] : [{ check: 'polls-end', reason: unread } as const]),
    ...(ends.some((end) => trueStatus(end) === 'success')
      ? []
      : [{ check: 'final-read-once', reason: unread } as const]),
  ]
}
