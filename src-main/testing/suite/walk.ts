import { isRpCheckName, RP_CHECK_NAMES, storiesOfTrial, type TrialName } from '../../core/contract/rp-checks.ts'
import { FAULT_STORIES, type FaultStory, SERVICE_FAULT_NAMES } from '../../core/contract/service-faults.ts'
import type { FaultFinding, FindingReason, Mistake, Trial, TrialResult } from '../../core/contract/suite-findings.ts'
import { firstErrorLine } from '../../core/protocol/message-of.ts'
import { err, ok } from '../../core/protocol/result.ts'
import type { Phone } from '../../sdk/phone.ts'
import { realNow } from '../../sdk/real-time.ts'
import type { Workspace } from '../../sdk/workspace.ts'
import {
  checkResult,
  createRpCare,
  playFault,
  playPastExpiry,
  playSignInAfterFault,
  skippedResult,
  type TrialContext,
  UNJUDGED_RESULT,
  USER_CHANGING_STORIES,
  vacuousResult,
  verdictByHarm,
} from './fault-and-twin.ts'
import { type Made, makePersona } from './personas.ts'
import { playStory, type StoryResult } from './play-story.ts'
import type { RpAbilities, RpDriver, SuiteUser } from './rp-driver.ts'
import { openTrap, type Persona, type SuiteContext } from './stage.ts'
import type { RpHealth } from './start-rp.ts'
import { watchService } from './watch-service.ts'

export const TRIAL_NAMES: readonly TrialName[] = [...RP_CHECK_NAMES, ...SERVICE_FAULT_NAMES]

export const listTrials = (
  names: readonly TrialName[] = TRIAL_NAMES,
  stories: readonly FaultStory[] = FAULT_STORIES,
): readonly Trial[] =>
  names.flatMap((fault) =>
    storiesOfTrial(fault)
      .filter((story) => stories.includes(story))
      .map((story) => ({ fault, story })),
  )

export type WalkOptions = {
  readonly workspace: Workspace
  readonly driver: RpDriver
  readonly patienceMs: number
  /** The user_id that registrations use, with `{name}` in it. */
  readonly userId?: string | undefined
  readonly trials: readonly Trial[]
  readonly parallel: number
  readonly micros: () => number
  /** The bench is the suite’s own: its clock may be frozen. */
  readonly ownsClock?: boolean
  readonly signal?: AbortSignal
  /** Present if the RP can be restarted when it no longer works. */
  readonly health?: RpHealth
  readonly onFinding?: (finding: FaultFinding) => void
}

const sharedUser = ({ user_id, user: one }: Persona, { user_id: other, user }: Persona): readonly Mistake[] => {
  if (user_id !== other) return []
  const params = { user_id, one: one.user_id, other: user.user_id }
  return [{ check: 'user-id-for-each-account', reason: { code: 'user_id_shared', params } }]
}

type Timed = TrialResult & { readonly took_ms: number }
type Doubt = { readonly played: Timed; readonly isSuspect: boolean }

/** With these reasons the story without the fault would have the same result. */
const SURE: ReadonlySet<FindingReason['code']> = new Set(['not_offered', 'changed_nothing', 'takes_too_long'])

/** Maximum number of doubtful results that may be a coincidence. */
const MAX_DOUBTFUL = 20

/** Plays every story without a fault, for the checks, and then each fault in its stories. */
export const walkFaults = async (options: WalkOptions): Promise<readonly FaultFinding[]> => {
  const { trials, micros, driver } = options
  const msSince = (began: number): number => Math.round((micros() - began) / 1000)
  const began = micros()
  const scenery = await sceneryOf(options)
  const { secretKey, close } = await options.workspace.rp()
  close()
  const context: TrialContext = { scenery, driver, trial: '', secrets: formsOf(secretKey) }
  const findings = new Map<Trial, FaultFinding>()
  const note = (trial: Trial, played: Timed): void => {
    const finding: FaultFinding = { ...trial, ...played }
    findings.set(trial, finding)
    options.onFinding?.(finding)
  }
  const cast = castOf(scenery, driver)
  try {
    const attempt = await cast.borrow()
    // A second attempt: one slow moment of the RP must not end the whole suite.
    const first = attempt.ok ? attempt : await cast.borrow()
    const noteAll = (why: Parameters<typeof withoutUser>[1]): readonly FaultFinding[] => {
      const took_ms = Math.round(msSince(began) / trials.length)
      for (const trial of trials) note(trial, { ...withoutUser(trial, why), took_ms })
      return trials.flatMap((trial) => findings.get(trial) ?? [])
    }
    // No user can be registered and signed in: no fault can be tried, but the findings so far count.
    if (!first.ok) return noteAll(first.error)
    cast.giveBack(first.value)
    const second = await cast.fresh()
    // If two signed-in users look the same, no story can be judged; if they share a user_id, the RP confuses them.
    if (second.ok && second.value.who === first.value.who) {
      const reason = { code: 'who_alike', params: { who: first.value.who } } as const
      return noteAll({ reason, mistakes: sharedUser(first.value, second.value) })
    }
    if (second.ok) cast.giveBack(second.value)
    const works = async (): Promise<boolean> => {
      const borrowed = await cast.borrow()
      if (!borrowed.ok) return false
      const persona = borrowed.value
      const { verdict } = await unlessItThrows(options, () => playSignInAfterFault(context, persona), skippedResult)
      if (verdict === 'held') cast.giveBack(persona)
      return verdict === 'held' || (await cast.fresh()).ok
    }
    const care = createRpCare(options.health, works)
    let count = 0
    const honest = new Map<FaultStory, StoryResult | FindingReason>()
    const honestMs = new Map<FaultStory, number>()
    const playHonest = async (story: FaultStory): Promise<StoryResult | FindingReason> => {
      const borrowed = await cast.borrow()
      if (!borrowed.ok) return borrowed.error.reason
      const persona = borrowed.value
      const trial = `honest-${++count}`
      const performance = await playStory({ ...context, trial, persona, story, fault: undefined, lingers: true })
      if (!USER_CHANGING_STORIES.has(story) && performance.ending.verdict === 'held') cast.giveBack(persona)
      return performance
    }
    const playOnce = async ({ fault, story }: Trial, hasTwin: boolean): Promise<TrialResult> => {
      if (!isPossible(story, driver.can)) return skippedResult({ code: 'not_offered' })
      if (isRpCheckName(fault)) {
        const performance = honest.get(story) ?? NOT_OFFERED
        const played = 'code' in performance ? skippedResult(performance) : checkResult(fault, performance)
        return fault === 'polls-end' && story === EXPIRING && played.verdict === 'held' ? afterExpiry : played
      }
      const alone = reasonAgainst(honest.get(story))
      if (alone !== undefined) return vacuousResult(alone)
      // A restarted RP may have forgotten its earlier users.
      const borrowed = await (hasTwin ? cast.fresh() : cast.borrow())
      if (!borrowed.ok) return vacuousResult(borrowed.error.reason)
      const persona = borrowed.value
      const another = async (): Promise<Persona | undefined> => {
        const second = await cast.fresh()
        return second.ok ? second.value : undefined
      }
      const playing = { ...context, trial: `trial-${++count}` }
      const played = await playFault(playing, persona, { fault, story, hasTwin, another })
      if (!USER_CHANGING_STORIES.has(story) && played.verdict === 'held') cast.giveBack(persona)
      return played
    }
    const timed = async (how: 'play' | 'playAlone', play: () => Promise<TrialResult>) => {
      let took_ms = 0
      const { played, isSuspect } = await care[how](async () => {
        const began = micros()
        const finding = await unlessItThrows(options, play, skippedResult)
        took_ms += msSince(began)
        return finding
      })
      return { played: { ...played, took_ms }, isSuspect }
    }
    /** Plays the story without a fault; true if it must be played again, alone. */
    const honestly = async (story: FaultStory, how: 'play' | 'playAlone'): Promise<boolean> => {
      let performance: StoryResult | FindingReason = NOT_OFFERED
      const { played, isSuspect } = await timed(how, async () => {
        performance = await unlessItThrows<typeof performance>(
          options,
          () => playHonest(story),
          (reason) => reason,
        )
        const reason = reasonAgainst(performance)
        return reason === undefined ? { verdict: 'held' } : { verdict: 'broke', reason }
      })
      honestMs.set(story, (honestMs.get(story) ?? 0) + played.took_ms)
      // After a crash, the reason from `care` says more than the story.
      honest.set(
        story,
        played.reason !== undefined && played.reason !== reasonAgainst(performance) ? played.reason : performance,
      )
      return isSuspect
    }
    const pastExpiry = async (): Promise<TrialResult> => {
      if (!trials.some(({ fault, story }) => fault === 'polls-end' && story === EXPIRING))
        return skippedResult(NOT_OFFERED)
      if (options.ownsClock !== true) return skippedResult({ code: 'clock_of_others' })
      const borrowed = await cast.borrow()
      if (!borrowed.ok) return skippedResult(borrowed.error.reason)
      const persona = borrowed.value
      const played = await unlessItThrows(options, () => playPastExpiry(context, persona), skippedResult)
      cast.giveBack(persona)
      return played
    }
    const stories = [...new Set(trials.map(({ story }) => story))].filter((story) => isPossible(story, driver.can))
    const [beside, failed]: [FaultStory[], FaultStory[]] = [[], []]
    await inParallel(stories, options, async (story) => {
      if (await honestly(story, 'play')) beside.push(story)
      else if (isDoubtful(honest.get(story))) failed.push(story)
    })
    // A second attempt: with parallel stories, a slow moment of the RP is not a failure.
    if (!care.isGone()) await inParallel(failed, options, async (story) => void (await honestly(story, 'play')))
    for (const story of beside) {
      if (care.isGone()) honest.set(story, STOPPED_BESIDE)
      else await honestly(story, 'playAlone')
    }
    const expiryBegan = micros()
    const afterExpiry = await pastExpiry()
    const expiryMs = msSince(expiryBegan)
    /** The time of a check. Checks of one story share its time, so that the sum is right. */
    const checkMs = ({ fault, story }: Trial): number => {
      const checks = trials.filter((trial) => isRpCheckName(trial.fault) && trial.story === story).length
      const own = fault === 'polls-end' && story === EXPIRING ? expiryMs : 0
      return own + Math.round((honestMs.get(story) ?? 0) / checks)
    }
    const doubtful = new Map<Trial, Doubt>()
    await inParallel(trials, options, async (trial) => {
      if (isRpCheckName(trial.fault)) return note(trial, { ...(await playOnce(trial, false)), took_ms: checkMs(trial) })
      const outcome = await timed('play', () => playOnce(trial, false))
      const { verdict, reason } = outcome.played
      const isSure = verdict === 'held' || verdict === 'warned' || (reason !== undefined && SURE.has(reason.code))
      if ((outcome.isSuspect || !isSure) && reasonAgainst(honest.get(trial.story)) === undefined)
        doubtful.set(trial, outcome)
      else note(trial, outcome.played)
    })
    // No RP is accused without an honest twin: the same user, the same story, no fault.
    const again = async (trial: Trial, doubt: Doubt, how: 'play' | 'playAlone'): Promise<Doubt> => {
      if (care.isGone()) return doubt
      const { played, isSuspect } = await timed(how, () => playOnce(trial, true))
      return { isSuspect, played: { ...played, took_ms: doubt.played.took_ms + played.took_ms } }
    }
    // Some trials are played again alone, since the cause may lie outside them: those that a crash of the RP may have
    // disturbed and, if only a few broke, those that broke.
    const isRare = [...doubtful.values()].filter(({ played }) => played.verdict === 'broke').length <= MAX_DOUBTFUL
    const isAlone = ({ isSuspect, played }: Doubt): boolean => isSuspect || (isRare && played.verdict === 'broke')
    const others = [...doubtful].filter(([, doubt]) => !isAlone(doubt))
    await inParallel(others, options, async ([trial, doubt]) => {
      const outcome = await again(trial, doubt, 'play')
      if (outcome.isSuspect) doubtful.set(trial, outcome)
      else {
        doubtful.delete(trial)
        note(trial, outcome.played)
      }
    })
    for (const [trial, doubt] of doubtful) {
      options.signal?.throwIfAborted()
      const isLost = care.isGone() && doubt.isSuspect
      const { played } = await again(trial, doubt, 'playAlone')
      note(trial, isLost ? { ...UNJUDGED_RESULT, took_ms: played.took_ms } : played)
    }
    return trials.flatMap((trial) => findings.get(trial) ?? [])
  } finally {
    scenery.trap.close()
    await scenery.clear()
  }
}

/** An exception in one story says nothing about the others. */
const unlessItThrows = async <T>(
  { signal }: Pick<SuiteContext, 'signal'>,
  play: () => Promise<T>,
  failed: (reason: FindingReason) => T,
): Promise<T> => {
  try {
    return await play()
  } catch (error) {
    if (signal?.aborted === true) throw error
    return failed({ code: 'story_failed', params: { error: firstErrorLine(error) } })
  }
}

const NOT_OFFERED: FindingReason = { code: 'not_offered' }
const STOPPED_BESIDE: FindingReason = { code: 'stopped_beside' }
/** The story whose full result depends on the RP's own clock. */
const EXPIRING: FaultStory = 'sign-in-ignored'

const reasonAgainst = (performance: StoryResult | FindingReason | undefined): FindingReason | undefined => {
  if (performance === undefined) return NOT_OFFERED
  if ('code' in performance) return performance
  return performance.ending.verdict === 'held' ? undefined : performance.ending.reason
}

/** True if the story failed without letting a user in: a slow moment explains such a failure, but never a sign-in. */
const isDoubtful = (performance: StoryResult | FindingReason | undefined): boolean =>
  reasonAgainst(performance) !== undefined &&
  !(performance !== undefined && 'ending' in performance && performance.ending.verdict === 'let_in')

const withoutUser = (
  { fault }: Trial,
  first: { readonly reason: FindingReason; readonly mistakes: readonly Mistake[] },
): TrialResult => {
  const mistake = first.mistakes.find(({ check }) => check === fault)
  if (mistake !== undefined && isRpCheckName(fault)) return { verdict: verdictByHarm(fault), reason: mistake.reason }
  return isRpCheckName(fault) ? skippedResult(first.reason) : vacuousResult(first.reason)
}

const formsOf = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret, 'utf8')
  return [secret, bytes.toString('base64').replace(/=+$/, ''), bytes.toString('hex')]
}

const sceneryOf = async ({ workspace, driver, patienceMs, signal, userId = '{name}-zoë' }: WalkOptions) => {
  const phones: Phone[] = []
  // An RP that keeps running still knows the users of earlier walks.
  const prefix = lettersOf(Math.floor(realNow() / 1000), 4)
  const firstNumber = Math.floor(realNow() / 1000) % 80_000
  let users = 0
  let neighbour: Promise<Persona> | undefined
  const scenery: SuiteContext = {
    ...{ workspace, patienceMs, signal, can: driver.can, watch: watchService(workspace), trap: await openTrap() },
    newUser: (): SuiteUser => {
      const name = `s${prefix}${lettersOf(++users, 3)}`
      const digits = String(10_000 + ((firstNumber + users) % 90_000))
      const user_id = userId.replaceAll('{name}', name).replaceAll('{digits}', digits)
      return { name, user_id, username: name }
    },
    newPhone: async () => {
      const phone = await workspace.phone({ name: `suite ${phones.length + 1}` })
      phones.push(phone)
      return phone
    },
    neighbour: () => {
      neighbour ??= makePersona(scenery, driver).then((made) => {
        if (made.ok) return made.value
        throw new Error('the RP registers one user, but not a second one')
      })
      return neighbour
    },
  }
  const clear = async (): Promise<void> => {
    for (const phone of phones) await phone.remove().catch(() => undefined)
  }
  return { ...scenery, clear }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** Letters only, since every RP accepts such names. */
const lettersOf = (number: number, length: number): string =>
  Array.from({ length }, (_, i) => LETTERS[Math.floor(number / 26 ** (length - 1 - i)) % 26]).join('')

/** Registered users: each plays one story at a time, and is reused while the RP still knows them. */
const castOf = (scenery: SuiteContext, driver: RpDriver) => {
  const idle: Persona[] = []
  const failed = (reason: FindingReason): Made => err({ reason, mistakes: [] })
  const fresh = (): Promise<Made> => unlessItThrows(scenery, () => makePersona(scenery, driver), failed)
  return {
    fresh,
    borrow: async (): Promise<Made> => {
      const persona = idle.pop()
      return persona === undefined ? fresh() : ok(persona)
    },
    giveBack: (persona: Persona): void => void idle.push(persona),
  }
}

const isPossible = (story: FaultStory, can: RpAbilities): boolean => {
  if (story.startsWith('push-')) return can.push
  if (story === 'passkeys-listed') return can.passkeys
  return story === 'passkeys-removed' ? can.remove && can.passkeys : true
}

const inParallel = async <T>(
  all: readonly T[],
  { parallel, signal }: Pick<WalkOptions, 'parallel' | 'signal'>,
  work: (one: T) => Promise<void>,
): Promise<void> => {
  const left = all.values()
  const workers = Array.from({ length: parallel }, async () => {
    for (const one of left) {
      signal?.throwIfAborted()
      await work(one)
    }
  })
  await Promise.all(workers)
}
