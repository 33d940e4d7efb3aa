import { createHash } from 'node:crypto'
import type { AttemptReport, ScenarioResult } from '../../../core/contract/run-report.ts'
import type { RunProblem } from '../../../core/contract/scenario/file-problems.ts'
import { withoutUndefined } from '../../../core/protocol/json.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import type { StepReport } from '../scenario-setting.ts'
import type { PlayableScenario } from './read-scenarios.ts'
import { formatScenarioId, scenarioSeed } from './scenario-id.ts'

export type PlayedAttempt = Omit<AttemptReport, 'trace'> & { readonly stopped?: true; readonly trace?: Uint8Array }

/** Result of a scenario whose bench was closed while it ran. */
export const CUT_OFF_ATTEMPT: PlayedAttempt = {
  ok: false,
  workspace: '',
  began: 0,
  took_ms: 0,
  steps: [],
  stopped: true,
}

export type Player = (job: Job, onStep: (step: StepReport) => void) => Promise<PlayedAttempt>

export type JobResult = Omit<ScenarioResult, 'attempts'> & { readonly attempts: readonly PlayedAttempt[] }

export type JobListener = {
  readonly begin: (job: Job) => void
  readonly step: (job: Job, step: StepReport) => void
  readonly retry: (job: Job, played: PlayedAttempt) => void
  readonly end: (job: Job, result: JobResult) => void
}

type Settings = {
  readonly play: Player
  readonly parallel: number
  readonly retries: number
  /** Begins no further job after so many failures. */
  readonly maxFailures: number | undefined
  readonly stop: AbortSignal
  readonly listener: JobListener
}

/** The results have the order of the jobs. */
export const runJobs = async (jobs: readonly Job[], settings: Settings): Promise<readonly JobResult[]> => {
  const results: JobResult[] = jobs.map((job) => resultOf(job, []))
  const { maxFailures = Infinity } = settings
  let next = 0
  let failures = 0
  const work = async (): Promise<void> => {
    while (next < jobs.length && failures < maxFailures && !settings.stop.aborted) {
      const at = next++
      const job = jobs[at]
      if (job === undefined) return
      const result = await runJob(job, settings)
      results[at] = result
      if (result.outcome === 'failed') failures += 1
    }
  }
  await Promise.all(Array.from({ length: Math.min(settings.parallel, jobs.length) }, work))
  return results
}

const runJob = async (job: Job, { play, retries, stop, listener }: Settings): Promise<JobResult> => {
  const attempts: PlayedAttempt[] = []
  listener.begin(job)
  while (job.scenario.skip === undefined) {
    const played = await play(job, (step) => listener.step(job, step))
    attempts.push(played)
    if (played.ok || played.stopped === true || attempts.length > retries || stop.aborted) break
    listener.retry(job, played)
  }
  const result = resultOf(job, attempts)
  listener.end(job, result)
  return result
}

const resultOf = (job: Job, attempts: readonly PlayedAttempt[]): JobResult => {
  const { id, file } = job
  const { name, tags, about, skip } = job.scenario
  return {
    id,
    file,
    name,
    tags,
    ...withoutUndefined({ about, case: job.case, reason: skip }),
    outcome: outcomeOf(job, attempts),
    attempts,
  }
}

const outcomeOf = ({ scenario: { skip } }: Job, attempts: readonly PlayedAttempt[]): ScenarioResult['outcome'] => {
  if (skip !== undefined) return 'skipped'
  const last = attempts.at(-1)
  if (last === undefined || last.stopped === true) return 'stopped'
  if (!last.ok) return 'failed'
  return attempts.length > 1 ? 'flaky' : 'passed'
}

export type Shard = { readonly part: number; readonly of: number }

export type Selection = {
  /** Matches a text, or `/…/`, against name, case or file. */
  readonly filter: ((text: string) => boolean) | undefined
  readonly exclude: ((text: string) => boolean) | undefined
  readonly tags: readonly string[]
  readonly shard: Shard | undefined
  readonly repeat: number
  readonly shuffle: boolean
  readonly seed: number
  readonly clockFrozen: boolean
  /** `file#case` of the scenarios that failed the last time. */
  readonly lastFailed: Pick<ReadonlySet<string>, 'has'> | undefined
}

export type Job = PlayableScenario & { readonly id: string; readonly seed: number }

export const planJobs = (
  found: readonly PlayableScenario[],
  selection: Selection,
): Result<readonly Job[], RunProblem> => {
  const { filter, exclude, tags, shard, lastFailed, repeat, shuffle } = selection
  const only = found.some((one) => one.scenario.only !== undefined)
  const wanted = found.filter(
    (one) =>
      (!only || one.scenario.only !== undefined) &&
      tags.every((tag) => one.scenario.tags.includes(tag)) &&
      (filter === undefined || filter(one.scenario.name) || filter(one.file)) &&
      !(exclude !== undefined && (exclude(one.scenario.name) || exclude(one.file))) &&
      (lastFailed === undefined || lastFailed.has(playableKey(one))),
  )
  if (wanted.length === 0) return err(nothingLeft(found, selection))
  const rounds = Array.from({ length: repeat }, (_, round) => wanted.map((one) => jobOf(one, round, selection))).flat()
  const ordered = shuffle ? shuffled(rounds, selection.seed) : rounds
  return ok(shard === undefined ? ordered : ordered.filter((_, i) => i % shard.of === shard.part - 1))
}

export const playableKey = ({ file, case: row }: Pick<PlayableScenario, 'file' | 'case'>): string =>
  row === undefined ? file : `${file}#${row}`

const jobOf = (one: PlayableScenario, round: number, { seed: run, clockFrozen }: Selection): Job => {
  const { name, seed: own } = one.scenario
  // A report generates the same values wherever its file is.
  const parts = own === undefined ? { run, file: one.file, case: one.case } : { run: own, file: name, case: one.case }
  const seed = scenarioSeed({ ...parts, round })
  return { ...one, seed, id: formatScenarioId({ ...one, seed, clockFrozen }) }
}

const shuffled = (jobs: readonly Job[], seed: number): readonly Job[] => {
  const place = ({ id }: Job): string => createHash('sha256').update(`${seed} ${id}`).digest('hex')
  return jobs
    .map((job) => ({ job, at: place(job) }))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ job }) => job)
}

const nothingLeft = (
  found: readonly PlayableScenario[],
  { tags, filter, exclude, lastFailed }: Selection,
): RunProblem => {
  if (found.length === 0) return { code: 'no_scenarios' }
  const known = [...new Set(found.flatMap((one) => one.scenario.tags))].sort()
  const strange = tags.filter((tag) => !known.includes(tag))
  if (strange.length > 0) return { code: 'no_tag', params: { tags: strange, known } }
  if (lastFailed !== undefined) return { code: 'none_failed' }
  const by = exclude !== undefined ? 'exclude' : filter !== undefined ? 'filter' : 'tags'
  return { code: 'none_fits', params: { found: found.length, by } }
}
