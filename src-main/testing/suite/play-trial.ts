import { RP_CHECKS, type RpCheckName } from '../../core/contract/rp-checks.ts'
import type { FaultStory } from '../../core/contract/service-fault.ts'
import { type ServiceFaultName, serviceFaultOf } from '../../core/contract/service-faults.ts'
import type { FindingReason, Played } from '../../core/contract/suite-findings.ts'
import { pause, realNow } from '../../sdk/real-time.ts'
import { playedPastExpiry } from './behaviour.ts'
import { notBegun, starts } from './ceremony.ts'
import { signsIn } from './personas.ts'
import { type Performance, type Playing, playStory } from './play-story.ts'
import { RpBroken } from './rp-driver.ts'
import { brokenBy, enter, type Persona, type Stage } from './stage.ts'

export const skipped = (reason: FindingReason): Played => ({ verdict: 'skipped', reason })

/** A fault whose story fails without it cannot be judged. */
export const vacuous = (reason: FindingReason): Played => ({
  verdict: 'vacuous',
  reason: { code: 'twin_failed', params: { reason } },
})

export type Company = Omit<Playing, 'story' | 'fault' | 'persona' | 'lingers'>

/** Verdict on an RP that breaks its rule. */
export const verdictOf = (check: RpCheckName): 'let_in' | 'broke' =>
  RP_CHECKS[check].harm === 'admits' ? 'let_in' : 'broke'

/** The result of a check in the honest play of its story. */
export const playedCheck = (
  check: RpCheckName,
  { ending, mistakes, untried, proof, behaviour }: Performance,
): Played => {
  const mistake = mistakes.find((each) => each.check === check)
  const more = { proof, ...(behaviour === undefined ? {} : { behaviour }) }
  if (mistake !== undefined) return { verdict: verdictOf(check), reason: mistake.reason, ...more }
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
  /** A user for the honest twin, where the story spends its user. */
  readonly another: () => Promise<Persona | undefined>
}

/** The story with the fault, then whether the RP still works. */
export const playFault = async (
  company: Company,
  persona: Persona,
  { fault, story, hasTwin, another }: FaultTrial,
): Promise<Played> => {
  if (hasTwin) {
    const spared = SPENT.has(story) ? await another() : persona
    if (spared === undefined) return vacuous({ code: 'not_registered', params: { shown: '' } })
    const twin = await playStory({ ...company, persona: spared, story, fault: undefined })
    if (twin.ending.verdict !== 'held') return vacuous(twin.ending.reason)
  }
  const { ending, hasStruck, proof, behaviour } = await playStory({ ...company, persona, story, fault })
  const more = { proof, ...(behaviour === undefined ? {} : { behaviour }) }
  if (!hasStruck) return { verdict: 'not_struck', reason: { code: 'never_struck' }, ...more }
  if (serviceFaultOf(fault).group === 'identity' && proof.struck?.sent === proof.struck?.honest)
    return { verdict: 'not_struck', reason: { code: 'changed_nothing' }, ...more }
  if (ending.verdict === 'unplayable') return { verdict: 'skipped', reason: ending.reason, ...more }
  if (ending.verdict === 'broke' || ending.verdict === 'let_in') return { ...ending, verdict: ending.verdict, ...more }
  const after = SPENT.has(story) ? { verdict: 'held' as const } : await worksAfterwards(company, persona)
  return after.verdict === 'held' ? { ...ending, verdict: ending.verdict, ...more } : { ...after, ...more }
}

/** Their user is not the same afterwards. */
export const SPENT: ReadonlySet<FaultStory> = new Set(['passkeys-removed', 'registration-by-stranger'])

/** Without the fault the user can sign in, as before. */
export const worksAfterwards = (company: Company, persona: Persona): Promise<Played> =>
  onStage(company, persona, async (stage) => {
    const visitor = enter(stage, { who: persona.who }, { kept: persona.kept })
    const who = await signsIn(stage, visitor, persona)
    return who.ok && who.value === persona.who
      ? { verdict: 'held' }
      : { verdict: 'broke', reason: { code: 'locked_out' } }
  })

/** The shortest that a profile allows. */
const SHORTEST_TTL_S = 5
const LOOK_MS = 60

/** Polls after expires_at: the service’s clock is frozen, so only the RP’s clock ends the request. It runs alone. */
export const playPastExpiry = (company: Company, persona: Persona): Promise<Played> =>
  onStage(company, persona, async (stage) => {
    const { workspace, watch } = stage
    const visitor = enter(stage, 'nobody', { kept: persona.kept })
    const ceremony = { by: 'sign_in', user: persona.user, user_id: persona.user_id } as const
    const { message_ttl_s } = (await workspace.client.call('profile.get')).profile
    try {
      await workspace.profile.set({ message_ttl_s: SHORTEST_TTL_S })
      const { begun, message } = await starts(stage, visitor, ceremony, false)
      if (!begun.ok) return skipped(notBegun(ceremony, begun.refusal))
      if (message === undefined) return skipped({ code: 'not_seen' })
      await workspace.clock.freeze()
      const until = realNow() + message.lasts_ms
      for (;;) {
        await visitor.state(begun)
        const told = playedPastExpiry(await watch.reads(message.msg_id), { expired: until, now: realNow() })
        if (told !== undefined) return told
        await pause(LOOK_MS, stage.signal)
      }
    } finally {
      await workspace.clock.reset()
      await workspace.profile.set({ message_ttl_s })
    }
  })

const onStage = async (
  { scenery, driver, trial }: Company,
  persona: Persona,
  act: (stage: Stage) => Promise<Played>,
): Promise<Played> => {
  const rp = driver.open(() => undefined)
  const stage: Stage = {
    ...scenery,
    ...{ rp, persona, story: 'sign-in-approved', fault: undefined, trial, mistakes: [], untried: [] },
    ...{ lingers: false, browsers: [], started: [], armed: [], told_ms: undefined, hasMarkup: false },
  }
  try {
    return await act(stage)
  } catch (error) {
    if (error instanceof RpBroken) {
      const ending = brokenBy(error)
      return ending.verdict === 'broke' ? { verdict: 'broke', reason: ending.reason } : skipped(error.mistake)
    }
    throw error
  } finally {
    await rp.close()
  }
}
