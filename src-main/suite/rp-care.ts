import type { Finding, FindingReason, Played } from '../contract/suite-findings.ts'
import { skipped } from './play-story.ts'
import type { RpHealth } from './start-rp.ts'

type Told = {
  readonly played: Played
  /** Whether the RP had to be restored meanwhile: that says nothing of this story then. */
  readonly isSuspect: boolean
}

export type RpCare = {
  play(story: () => Promise<Played>): Promise<Told>
  /** With nothing beside it. Once more where the story before it left the RP broken, which was only noticed now. */
  playAlone(story: () => Promise<Played>): Promise<Told>
  isGone(): boolean
}

/** So often in a row an RP may fail before anything is done to it. */
const MOST_FRUITLESS = 3

/** Looks after an RP that may end, hang or break for good in the middle of a walk. */
export const careFor = (health: RpHealth | undefined): RpCare => {
  let isGone = false
  let fruitless = 0
  let turn: Promise<unknown> = Promise.resolve()

  /** One story after the other; what was wrong with the RP, if it was more than the story says. */
  const check = async (since: number, { reason }: Broken): Promise<FindingReason | undefined> => {
    if (health === undefined || isGone || health.restored() !== since) return undefined
    const wasBroken = reason.code === 'broken_before'
    const problem = await health.problem()
    fruitless = wasBroken ? fruitless + 1 : 0
    if (problem === undefined && !wasBroken) return undefined
    isGone = fruitless > MOST_FRUITLESS || !(await health.restore())
    return problem
  }

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work)
    turn = done.catch(() => undefined)
    return done
  }

  const play: RpCare['play'] = async (story) => {
    await turn
    if (isGone) return { played: skipped({ code: 'rp_gone' }), isSuspect: false }
    const since = health?.restored() ?? 0
    let played = await story()
    if (isBroken(played)) {
      const broken = played
      const problem = await inTurn(() => check(since, broken))
      if (problem !== undefined) played = { verdict: 'broke', reason: problem }
    } else {
      fruitless = 0
      await turn
    }
    return { played, isSuspect: since !== (health?.restored() ?? 0) }
  }

  return {
    isGone: () => isGone,
    play,
    playAlone: async (story) => {
      const told = await play(story)
      return told.isSuspect && isBrokenBefore(told.played) ? play(story) : told
    },
  }
}

type Broken = Extract<Finding, { readonly reason: FindingReason }>

const isBroken = (played: Played): played is Broken => played.verdict === 'broke'

const isBrokenBefore = (played: Played): boolean => isBroken(played) && played.reason.code === 'broken_before'
