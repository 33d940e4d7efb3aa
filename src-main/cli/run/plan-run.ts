import { createRandom } from '../../bench/harness/random.ts'
import { fileProblemText, runProblemText } from '../../core/messages/en/scenario-files.ts'
import { MAIN_WORKSPACE } from '../../core/protocol/ids.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { findFiles, readScenarios } from '../../testing/scenario/runner/read-scenarios.ts'
import { type Job, planJobs } from '../../testing/scenario/runner/run-jobs.ts'
import { formatScenarioId } from '../../testing/scenario/runner/scenario-id.ts'
import type { ResultsFolder } from './results-folder.ts'
import type { RunSettings } from './settings.ts'

export type RunPlan = {
  readonly jobs: readonly Job[]
  readonly seed: number
  readonly clockStands: boolean
}

type Wanted = { readonly paths: readonly string[]; readonly settings: RunSettings; readonly results: ResultsFolder }

/** The jobs of a run and its seed. Refusals are sentences. */
export const planRun = ({ paths, settings, results }: Wanted): Result<RunPlan, string> => {
  const { replay, seed = drawSeed() } = settings
  const files = findFiles(replay === undefined ? paths : [replay.file])
  if (!files.ok) return err(fileProblemText(files.error))
  const found = readScenarios(files.value)
  if (!found.ok) return err(fileProblemText(found.error))
  if (replay !== undefined) {
    const one = found.value.find((each) => each.case === replay.case)
    if (one === undefined) return err(`${replay.file} has no case ${JSON.stringify(replay.case ?? '')} any more.`)
    const jobs = [{ ...one, seed: replay.seed, id: formatScenarioId(replay) }]
    return ok({ jobs, seed: replay.seed, clockStands: replay.clockStands })
  }
  const lastFailed = settings.onlyLastFailed ? results.lastFailed() : ok(undefined)
  if (!lastFailed.ok) return lastFailed
  const clockStands = settings.seed !== undefined || found.value.every(({ scenario }) => scenario.seed !== undefined)
  const jobs = planJobs(found.value, {
    ...settings,
    seed,
    clockStands,
    lastFailed: lastFailed.value,
  })
  return jobs.ok ? ok({ jobs: jobs.value, seed, clockStands }) : err(runProblemText(jobs.error))
}

/** Drawn where none was given, so that each scenario can be played again. */
const drawSeed = (): number => {
  const [a = 0, b = 0, c = 0, d = 0] = createRandom().stream(MAIN_WORKSPACE, 'run', 'seed').bytes(4)
  return (a * 256 + b) * 65_536 + c * 256 + d
}
