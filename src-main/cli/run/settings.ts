import { createRandom } from '../../bench/harness/random.ts'
import type { Profile } from '../../core/contract/profile.ts'
import { fileProblemText, runProblemText, scenarioIdProblemText } from '../../core/contract/scenario/file-problems.ts'
import { MAIN_WORKSPACE } from '../../core/protocol/ids.ts'
import type { TraceWhen } from '../../testing/scenario/runner/play-job.ts'
import { findFiles, readScenarios } from '../../testing/scenario/runner/read-scenarios.ts'
import { type Job, planJobs, type Shard } from '../../testing/scenario/runner/run-jobs.ts'
import { formatScenarioId, parseScenarioId } from '../../testing/scenario/runner/scenario-id.ts'
import { ifGiven, misuse, needed } from '../command-end.ts'
import { parseChoices, refuseStray } from '../option-values.ts'
import { type OptionsOf, RESULTS } from '../options.ts'
import { type NameOption, parseDuration } from '../read-options.ts'
import type { ResultsFolder } from './results-folder.ts'

export const REPORT_KINDS = ['html', 'junit', 'json', 'github'] as const
export type ReportKind = (typeof REPORT_KINDS)[number]

const TRACE_WHEN = ['on', 'failure', 'off'] as const satisfies readonly TraceWhen[]

const MAX_SHARDS = 10_000

/** The options, parsed. */
export type RunSettings = ReturnType<typeof parseRunSettings>

export const parseRunSettings = (options: OptionsOf<'run'>, named: NameOption) => {
  const filter = ifGiven(options.filter, (text) => parseFilter(text, named('filter')))
  const exclude = ifGiven(options.exclude, (text) => parseFilter(text, named('exclude')))
  const shard = ifGiven(options.shard, (text) => parseShard(text, named('shard')))
  const replay = ifGiven(options.replay, (text) => {
    const id = parseScenarioId(text)
    return id.ok ? id.value : misuse(`${named('replay')} needs ${scenarioIdProblemText(id.error)}`)
  })
  const reports = parseChoices(options.report, { known: REPORT_KINDS, name: named('report') })
  refuseStray({ options, named }, ['control-url', 'data', 'token', 'ca'], 'attach')
  const timeoutMs = ifGiven(options.timeout, (text) => parseDuration(text, named('timeout')))
  const keeps = reports.length > 0 || options.out !== undefined
  const { trace: when = keeps ? 'failure' : 'off' } = options
  const trace = TRACE_WHEN.find((each) => each === when)
  if (trace === undefined) return misuse(`${named('trace')} must be on, failure or off; got "${when}".`)
  return {
    ...{ ...options, filter, exclude, shard, replay, reports, trace, timeoutMs, maxFailures: options['max-failures'] },
    out: options.out ?? RESULTS.usual,
    /** True if the run writes files into the folder `out`. */
    writes: trace !== 'off' || reports.some((kind) => kind !== 'github'),
    tags: options.tag ?? [],
    shuffle: options.shuffle === true,
    onlyLastFailed: options['last-failed'] === true,
  }
}

const parseFilter = (text: string, name: string): ((subject: string) => boolean) => {
  const [, pattern] = /^\/(.+)\/$/.exec(text) ?? []
  if (pattern === undefined) {
    const wanted = text.toLowerCase()
    return (subject) => subject.toLowerCase().includes(wanted)
  }
  try {
    const regex = new RegExp(pattern, 'iu')
    return (subject) => regex.test(subject)
  } catch (reason) {
    return misuse(`${name} is no pattern: ${reason instanceof Error ? reason.message : reason}.`)
  }
}

const parseShard = (text: string, name: string): Shard => {
  const [, part = '', of = ''] = /^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? []
  const shard = { part: Number(part), of: Number(of) }
  return part !== '' && shard.part >= 1 && shard.part <= shard.of && shard.of <= MAX_SHARDS
    ? shard
    : misuse(`${name} must be the part and how many there are, such as 1/4; got "${text}".`)
}

export type RunPlan = { readonly jobs: readonly Job[]; readonly seed: number; readonly clockFrozen: boolean }

type Wanted = {
  readonly paths: readonly string[]
  readonly settings: RunSettings
  readonly results: ResultsFolder
  /** The default profile of each scenario's workspace; a scenario overrides single members. */
  readonly profile: Partial<Profile> | undefined
}

export const planRun = ({ paths, settings, results, profile }: Wanted): RunPlan => {
  const { replay, seed = drawSeed() } = settings
  const files = findFiles(replay === undefined ? paths : [replay.file])
  if (!files.ok) return misuse(fileProblemText(files.error))
  const read = readScenarios(files.value)
  if (!read.ok) return misuse(read.error.map(fileProblemText).join('\n'))
  const found = read.value.map((each) => ({
    ...each,
    scenario: { ...each.scenario, profile: { ...profile, ...each.scenario.profile } },
  }))
  if (replay !== undefined) {
    const one = found.find((each) => each.case === replay.case)
    if (one === undefined) return misuse(`${replay.file} has no case ${JSON.stringify(replay.case ?? '')} any more.`)
    const jobs = [{ ...one, seed: replay.seed, id: formatScenarioId(replay) }]
    return { jobs, seed: replay.seed, clockFrozen: replay.clockFrozen }
  }
  const lastFailed = settings.onlyLastFailed ? needed(results.lastFailed()) : undefined
  const clockFrozen = settings.seed !== undefined || found.every(({ scenario }) => scenario.seed !== undefined)
  const jobs = planJobs(found, { ...settings, seed, clockFrozen, lastFailed })
  return jobs.ok ? { jobs: jobs.value, seed, clockFrozen } : misuse(runProblemText(jobs.error))
}

const drawSeed = (): number => {
  const [a = 0, b = 0, c = 0, d = 0] = createRandom().stream(MAIN_WORKSPACE, 'run', 'seed').bytes(4)
  return (a * 256 + b) * 65_536 + c * 256 + d
}
