import { FAULT_STORIES, type FaultStory } from '../contract/service-fault.ts'
import { SERVICE_FAULT_NAMES, type ServiceFaultName, storiesOf } from '../contract/service-faults.ts'
import type { FaultFinding, Played, Trial } from '../contract/suite-findings.ts'
import { type PlayOptions, playStory, skipped } from './play-story.ts'
import { careFor } from './rp-care.ts'
import type { RpDriver } from './rp-driver.ts'
import type { RpHealth } from './start-rp.ts'

/** Each fault with each of its stories, or with those of them that are named. */
export const trialsOf = (
  faults: readonly ServiceFaultName[] = SERVICE_FAULT_NAMES,
  stories: readonly FaultStory[] = FAULT_STORIES,
): readonly Trial[] =>
  faults.flatMap((fault) =>
    storiesOf(fault)
      .filter((story) => stories.includes(story))
      .map((story) => ({ fault, story })),
  )

export type WalkOptions = PlayOptions & {
  readonly trials: readonly Trial[]
  /** So many stories at once. */
  readonly parallel: number
  readonly micros: () => number
  /** Where the RP can be brought back when it no longer works. */
  readonly health?: RpHealth
  readonly onFinding?: (finding: FaultFinding) => void
}

/** Plays every story without a fault, and then each fault in its stories. */
export const walkFaults = async (options: WalkOptions): Promise<readonly FaultFinding[]> => {
  const { trials, micros } = options
  const honest = new Map<FaultStory, Played>()
  await inParallel([...new Set(trials.map(({ story }) => story))], options, async (story) => {
    if (isPossible(story, options.driver)) honest.set(story, await playStory(options, story, undefined))
  })
  const shown = SHOWN_BY.find((story) => honest.get(story)?.verdict === 'held')
  let checks = 0
  const works = async (): Promise<boolean> => {
    if (shown === undefined) return true
    const prefix = `${options.prefix}-check-${++checks}`
    return (await playStory({ ...options, prefix }, shown, undefined)).verdict === 'held'
  }
  const care = careFor(options.health, works)
  const findings = new Map<Trial, FaultFinding>()
  const tell = (trial: Trial, played: Timed): void => {
    const finding: FaultFinding = { ...trial, ...played }
    findings.set(trial, finding)
    options.onFinding?.(finding)
  }
  const play = async (
    { fault, story }: Trial,
    how: 'play' | 'playAlone' = 'play',
  ): Promise<{ readonly played: Timed; readonly isSuspect: boolean }> => {
    let took_ms = 0
    const { played, isSuspect } = await care[how](async () => {
      const began = micros()
      const finding = await playStory(options, story, fault)
      took_ms = Math.round((micros() - began) / 1000)
      return finding
    })
    return { played: { ...played, took_ms }, isSuspect }
  }
  const suspects = new Map<Trial, Timed>()
  await inParallel(trials, options, async (trial) => {
    const reason = reasonToSkip(honest.get(trial.story))
    if (reason !== undefined) return tell(trial, { ...reason, took_ms: 0 })
    const { played, isSuspect } = await play(trial)
    if (isSuspect) suspects.set(trial, played)
    else tell(trial, played)
  })
  // What was under way when the RP had to be brought back is played again, each alone.
  for (const [trial, before] of suspects) {
    options.signal?.throwIfAborted()
    tell(trial, care.isGone() ? before : (await play(trial, 'playAlone')).played)
  }
  return trials.flatMap((trial) => findings.get(trial) ?? [])
}

/** An RP works that plays the first of these, which it played before, without a fault. */
const SHOWN_BY: readonly FaultStory[] = ['sign-in-approved', ...FAULT_STORIES]

type Timed = Played & Pick<FaultFinding, 'took_ms'>

const reasonToSkip = (honest: Played | undefined): Played | undefined => {
  if (honest === undefined) return skipped({ code: 'not_offered' })
  if (honest.verdict === 'held') return undefined
  return skipped({ code: 'fails_without_fault', params: { reason: honest.reason } })
}

const isPossible = (story: FaultStory, { can }: RpDriver): boolean =>
  story === 'passkeys-listed' ? can.passkeys : story === 'passkeys-removed' ? can.remove : true

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
