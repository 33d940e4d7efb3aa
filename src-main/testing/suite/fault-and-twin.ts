import { RP_CHECKS, type RpCheckName } from '../../core/contract/rp-checks.ts'
import { type FaultStory, type ServiceFaultName, serviceFaultOf } from '../../core/contract/service-faults.ts'
import type { FindingReason, TrialResult } from '../../core/contract/suite-findings.ts'
import { pause, realNow } from '../../sdk/real-time.ts'
import { notBegunReason, startRequest } from './ceremony.ts'
import { signInPersona } from './personas.ts'
import { playStory, type StoryContext, type StoryResult } from './play-story.ts'
import { judgePastExpiry } from './polling.ts'
import { RpBroken } from './rp-driver.ts'
import { endingOfBroken, openStage, openVisitor, type Persona, type Stage } from './stage.ts'
import type { RpHealth } from './start-rp.ts'

export const skippedResult = (reason: FindingReason): TrialResult => ({ verdict: 'skipped', reason })

/** If the story fails even without the fault, the fault cannot be judged. */
export const vacuousResult = (reason: FindingReason): TrialResult => ({
  verdict: 'vacuous',
  reason: { code: 'twin_failed', params: { reason } },
})

export type TrialContext = Omit<StoryContext, 'story' | 'fault' | 'persona' | 'lingers'>

const BY_HARM = { admits: 'let_in', breaks: 'broke', warns: 'warned' } as const

export const verdictByHarm = (check: RpCheckName) => BY_HARM[RP_CHECKS[check].harm]

export const checkResult = (
  check: RpCheckName,
  { ending, mistakes, untried, proof, behaviour }: StoryResult,
): TrialResult => {
  const mistake = mistakes.find((each) => each.check === check)
  const more = { proof, ...(behaviour === undefined ? {} : { behaviour }) }
  if (mistake !== undefined) return { verdict: verdictByHarm(check), reason: mistake.reason, ...more }
  const unseen = untried.find((each) => each.check === check)
  if (ending.verdict === 'held' && unseen !== undefined) return { verdict: 'skipped', reason: unseen.reason, ...more }
  if (ending.verdict === 'held') return { verdict: 'held', ...more }
  return { verdict: 'skipped', reason: ending.reason, ...more }
}

type FaultTrial = {
  readonly fault: ServiceFaultName
  readonly story: FaultStory
  /** The same user on the same phone plays the story without the fault first; needed before any accusation. */
  readonly hasTwin: boolean
  /** Makes a user for the honest twin of a story that changes its user. */
  readonly another: () => Promise<Persona | undefined>
}

export const playFault = async (
  context: TrialContext,
  persona: Persona,
  { fault, story, hasTwin, another }: FaultTrial,
): Promise<TrialResult> => {
  if (hasTwin) {
    const spared = USER_CHANGING_STORIES.has(story) ? await another() : persona
    if (spared === undefined) return vacuousResult({ code: 'not_registered', params: { shown: '' } })
    const twin = await playStory({ ...context, persona: spared, story, fault: undefined })
    if (twin.ending.verdict !== 'held') return vacuousResult(twin.ending.reason)
  }
  const { ending, hasTriggered, proof, behaviour } = await playStory({ ...context, persona, story, fault })
  const more = { proof, ...(behaviour === undefined ? {} : { behaviour }) }
  if (!hasTriggered) return { verdict: 'not_struck', reason: { code: 'never_struck' }, ...more }
  if (serviceFaultOf(fault).group === 'identity' && proof.struck?.sent === proof.struck?.honest)
    return { verdict: 'not_struck', reason: { code: 'changed_nothing' }, ...more }
  if (ending.verdict === 'unplayable') return { verdict: 'skipped', reason: ending.reason, ...more }
  if (ending.verdict === 'broke' || ending.verdict === 'let_in') return { ...ending, verdict: ending.verdict, ...more }
  const after = USER_CHANGING_STORIES.has(story)
    ? { verdict: 'held' as const }
    : await playSignInAfterFault(context, persona)
  return after.verdict === 'held' ? { ...ending, verdict: ending.verdict, ...more } : { ...after, ...more }
}

/** Stories that change their user. */
export const USER_CHANGING_STORIES: ReadonlySet<FaultStory> = new Set(['passkeys-removed', 'registration-by-stranger'])

export const playSignInAfterFault = (context: TrialContext, persona: Persona): Promise<TrialResult> =>
  onStage(context, persona, async (stage) => {
    const visitor = openVisitor(stage, { who: persona.who }, { kept: persona.kept })
    const who = await signInPersona(stage, visitor, persona)
    return who.ok && who.value === persona.who
      ? { verdict: 'held' }
      : { verdict: 'broke', reason: { code: 'locked_out' } }
  })

/** The shortest message lifetime that a profile allows. */
const SHORTEST_TTL_S = 5
const LOOK_MS = 60

/** Checks that the RP stops polling at expires_at by its own clock: the service's clock is frozen. Runs alone. */
export const playPastExpiry = (context: TrialContext, persona: Persona): Promise<TrialResult> =>
  onStage(context, persona, async (stage) => {
    const { workspace, watch } = stage
    const visitor = openVisitor(stage, 'nobody', { kept: persona.kept })
    const ceremony = { by: 'sign_in', user: persona.user, user_id: persona.user_id } as const
    const { message_ttl_s } = (await workspace.client.call('profile.get')).profile
    try {
      await workspace.profile.set({ message_ttl_s: SHORTEST_TTL_S })
      const { begun, message } = await startRequest(stage, visitor, ceremony, false)
      if (!begun.ok) return skippedResult(notBegunReason(ceremony, begun.refusal))
      if (message === undefined) return skippedResult({ code: 'not_seen' })
      await workspace.clock.freeze()
      const until = realNow() + message.lasts_ms
      for (;;) {
        await visitor.state(begun)
        const ending = judgePastExpiry(await watch.reads(message.msg_id), { expired: until, now: realNow() })
        if (ending !== undefined) return ending
        await pause(LOOK_MS, stage.signal)
      }
    } finally {
      await workspace.clock.reset()
      await workspace.profile.set({ message_ttl_s })
    }
  })

const onStage = async (
  { scenery, driver, trial }: TrialContext,
  persona: Persona,
  act: (stage: Stage) => Promise<TrialResult>,
): Promise<TrialResult> => {
  const rp = driver.open(() => undefined)
  try {
    return await act(openStage(scenery, { rp, persona, story: 'sign-in-approved', fault: undefined, trial }))
  } catch (error) {
    if (error instanceof RpBroken) {
      const ending = endingOfBroken(error)
      return ending.verdict === 'broke' ? { verdict: 'broke', reason: ending.reason } : skippedResult(error.mistake)
    }
    throw error
  } finally {
    await rp.close()
  }
}

type PlayedOnce = {
  readonly played: TrialResult
  /** The RP was broken in the meantime, by this story or by a parallel one: the story is played again, alone. */
  readonly isSuspect: boolean
}

/** A story that ran during a crash and cannot be played again has no result. */
export const UNJUDGED_RESULT: TrialResult = skippedResult({ code: 'stopped_beside' })

type RpCare = {
  play(story: () => Promise<TrialResult>): Promise<PlayedOnce>
  /** Plays the story alone, and again if it turns out that the previous story had left the RP broken. */
  playAlone(story: () => Promise<TrialResult>): Promise<PlayedOnce>
  isGone(): boolean
}

/** Maximum number of restarts in a row of an RP that answers but does not work. */
const MAX_RESTARTS = 3

/** Restores an RP that ends, hangs or stays broken during a walk. `works`: a story without a fault passes. */
export const createRpCare = (health: RpHealth | undefined, works: () => Promise<boolean>): RpCare => {
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
    for (let times = 0; times < MAX_RESTARTS && (await health.restore()); times++) if (await works()) return true
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

  /** Why the RP no longer answers; undefined if it does. Stories that wait during a check share the next one. */
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
        played: skippedResult({ code: 'rp_gone', params: output === undefined ? {} : { output } }),
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
      return isGone
        ? { played: mine.isBeside ? UNJUDGED_RESULT : played, isSuspect: false }
        : { played, isSuspect: true }
    } finally {
      underWay.delete(mine)
    }
  }

  return {
    isGone: () => isGone,
    play,
    playAlone: async (story) => {
      const first = await play(story)
      return isBrokenBefore(first.played) ? play(story) : first
    },
  }
}

/** True if the RP misbehaved with the fault, without it, or before the fault could be triggered. */
const isBroken = ({ verdict }: TrialResult): boolean =>
  verdict === 'broke' || verdict === 'not_struck' || isBrokenBefore({ verdict })

/** True if the honest twin failed: a parallel story may have broken the RP. */
const isBrokenBefore = ({ verdict }: Pick<TrialResult, 'verdict'>): boolean => verdict === 'vacuous'

/** True if no answer came: a parallel story may have ended the RP, which was down until it was restarted. */
const isUnanswered = ({ verdict, reason }: TrialResult): boolean =>
  verdict === 'broke' && reason !== undefined && UNANSWERED.has(reason.code)

const UNANSWERED: ReadonlySet<FindingReason['code']> = new Set([
  ...(['call_failed', 'page_did_not_open', 'page_threw', 'page_showed_nothing'] as const),
])
