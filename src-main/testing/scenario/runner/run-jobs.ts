import type { AttemptReport, ScenarioResult } from '../../../core/contract/run-report.ts'
import type { StepReport } from '../scenario-setting.ts'
import type { Job } from './plan-jobs.ts'

/** One playing and, where it was asked for, its trace. */
export type Played = Omit<AttemptReport, 'trace'> & { readonly stopped?: true; readonly trace?: Uint8Array }

/** Result of a scenario whose bench was closed under it. */
export const CUT_OFF: Played = { ok: false, workspace: '', began: 0, took_ms: 0, steps: [], stopped: true }

/** Plays one scenario once. */
export type Player = (job: Job, onStep: (step: StepReport) => void) => Promise<Played>

export type JobResult = Omit<ScenarioResult, 'attempts'> & { readonly attempts: readonly Played[] }

export type JobListener = {
  readonly begin: (job: Job) => void
  readonly step: (job: Job, step: StepReport) => void
  /** An attempt failed and is followed by another. */
  readonly retry: (job: Job, played: Played) => void
  readonly end: (job: Job, result: JobResult) => void
}

type Settings = {
  readonly play: Player
  /** How many at a time. */
  readonly parallel: number
  readonly retries: number
  readonly stop: AbortSignal
  readonly listener: JobListener
}

/** Plays all, some at a time; the results have the order of the jobs. */
export const runJobs = async (jobs: readonly Job[], settings: Settings): Promise<readonly JobResult[]> => {
  const results: JobResult[] = jobs.map((job) => resultOf(job, []))
  let next = 0
  const work = async (): Promise<void> => {
    while (next < jobs.length && !settings.stop.aborted) {
      const at = next++
      const job = jobs[at]
      if (job !== undefined) results[at] = await runJob(job, settings)
    }
  }
  await Promise.all(Array.from({ length: Math.min(settings.parallel, jobs.length) }, work))
  return results
}

const runJob = async (job: Job, { play, retries, stop, listener }: Settings): Promise<JobResult> => {
  const attempts: Played[] = []
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

const resultOf = (job: Job, attempts: readonly Played[]): JobResult => {
  const { id, file } = job
  const { name, tags, about, skip } = job.scenario
  return {
    id,
    file,
    name,
    tags,
    ...(about === undefined ? {} : { about }),
    ...(job.case === undefined ? {} : { case: job.case }),
    ...(skip === undefined ? {} : { reason: skip }),
    outcome: outcomeOf(job, attempts),
    attempts,
  }
}

const outcomeOf = ({ scenario: { skip } }: Job, attempts: readonly Played[]): ScenarioResult['outcome'] => {
  if (skip !== undefined) return 'skipped'
  const last = attempts.at(-1)
  if (last === undefined || last.stopped === true) return 'stopped'
  if (!last.ok) return 'failed'
  return attempts.length > 1 ? 'flaky' : 'passed'
}
