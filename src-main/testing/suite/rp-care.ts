import type { FindingReason, Played } from '../../core/contract/suite-findings.ts'
import { skipped } from './play-trial.ts'
import type { RpHealth } from './start-rp.ts'

type Told = {
  readonly played: Played
  /** The RP was broken in the meantime, by this story or by a parallel one: the story is played again, alone. */
  readonly isSuspect: boolean
}

/** A story that ran during a crash and cannot be played again has no result. */
export const UNJUDGED: Played = skipped({ code: 'stopped_beside' })

export type RpCare = {
  play(story: () => Promise<Played>): Promise<Told>
  /** Plays it alone. Once more if the story before it left the RP broken, which was only noticed now. */
  playAlone(story: () => Promise<Played>): Promise<Told>
  isGone(): boolean
}

/** Restarts in a row of an RP that answers, but does not work. */
const MOST_RESTARTS = 3

/** Looks after an RP that may end, hang or break for good during a walk. `works`: a story without a fault passes. */
export const careFor = (health: RpHealth | undefined, works: () => Promise<boolean>): RpCare => {
  if (health === undefined) {
    const play: RpCare['play'] = async (story) => ({ played: await story(), isSuspect: false })
    return { play, playAlone: play, isGone: () => false }
  }
  let isGone = false
  let crashes = 0
  const underWay = new Set<{ isBeside: boolean }>()
  let running: Promise<unknown> = Promise.resolve()
  let waiting: Promise<FindingReason | undefined> | undefined

  const bringBack = async (): Promise<boolean> => {
    for (let times = 0; times < MOST_RESTARTS && (await health.restore()); times++) if (await works()) return true
    return false
  }

  const check = async (): Promise<FindingReason | undefined> => {
    if (isGone) return undefined
    const problem = await health.problem()
    if (problem === undefined && (await works())) return undefined
    crashes += 1
    isGone = !(await bringBack())
    return problem
  }

  /** Why the RP no longer answers, if so. One check at a time: all stories that wait for the next one share it. */
  const checked = (): Promise<FindingReason | undefined> => {
    waiting ??= running.then(() => {
      waiting = undefined
      const checking = check()
      running = checking.catch(() => undefined)
      return checking
    })
    return waiting
  }

  const play: RpCare['play'] = async (story) => {
    await (waiting ?? running)
    const output = health.output()
    if (isGone)
      return {
        played: skipped({ code: 'rp_gone', params: output === undefined ? {} : { output } }),
        isSuspect: false,
      }
    const before = crashes
    const mine = { isBeside: underWay.size > 0 }
    for (const other of underWay) other.isBeside = true
    underWay.add(mine)
    try {
      let played = await story()
      if (isBroken(played)) {
        const problem = await checked()
        if (problem !== undefined) played = { ...played, verdict: 'broke', reason: problem }
      } else await (waiting ?? running)
      if (crashes === before)
        return { played, isSuspect: isBrokenBefore(played) || (mine.isBeside && isUnanswered(played)) }
      return isGone ? { played: mine.isBeside ? UNJUDGED : played, isSuspect: false } : { played, isSuspect: true }
    } finally {
      underWay.delete(mine)
    }
  }

  return {
    isGone: () => isGone,
    play,
    playAlone: async (story) => {
      const told = await play(story)
      return isBrokenBefore(told.played) ? play(story) : told
    },
  }
}

/** It did not do what it should, with the fault, without it, or before the fault could be triggered. */
const isBroken = ({ verdict }: Played): boolean =>
  verdict === 'broke' || verdict === 'not_struck' || isBrokenBefore({ verdict })

/** Its honest twin failed: a parallel story may have broken the RP. */
const isBrokenBefore = ({ verdict }: Pick<Played, 'verdict'>): boolean => verdict === 'vacuous'

/** No answer came: the RP may have been down for a moment, ended by a parallel story and started again by others. */
const isUnanswered = ({ verdict, reason }: Played): boolean =>
  verdict === 'broke' && reason !== undefined && UNANSWERED.has(reason.code)

const UNANSWERED: ReadonlySet<FindingReason['code']> = new Set([
  ...(['call_failed', 'page_did_not_open', 'page_threw', 'page_showed_nothing'] as const),
])
