import { createHash } from 'node:crypto'
import { monotonicMicros, realClock } from '../bench/harness/clock.ts'
import { stepUnderWay } from '../core/contract/run-report.ts'
import { type JobResult, playableKey, runJobs } from '../testing/scenario/runner/run-jobs.ts'
import { runReport } from '../testing/scenario/runner/run-report.ts'
import type { Viewer } from '../views/report/html-template.ts'
import { type Environment, makeCommand, reportEnd } from './command.ts'
import { EXIT_STOPPED, type ExitCode, misuse, needed, notDone } from './command-end.ts'
import { findBench } from './find-bench.ts'
import { findProjectFile } from './find-project-file.ts'
import type { Read } from './read-options.ts'
import type { Benches } from './run/attached-bench.ts'
import { jsonListener, lineListener, stepListener, summaryText } from './run/listen.ts'
import { openBenches } from './run/open-benches.ts'
import { openResultsFolder, type ResultsFolder, viewerFor } from './run/results-folder.ts'
import { parseRunSettings, planRun, type RunPlan, type RunSettings } from './run/settings.ts'
import type { NamedTrace } from './run/viewer-pages.ts'
import { paintFor } from './terminal.ts'

export const run = makeCommand(
  {
    name: 'run',
    usage: '[PATH…] [OPTIONS]',
    more: [
      'PATH is a scenario, a folder or a pattern such as "tests/**/*.yaml"; without one, what the nearest handset.config.yaml names under run.paths.',
      'To begin with: npx handset init, or on the page select a request and “Copy as scenario”.',
      'Exit code 0: all passed, some of them perhaps when retried. 1: one failed, or --timeout was over. 2: something cannot be read. 3: the run could not start, lost its bench, or could not write its reports. 130: ended by hand.',
    ],
    defaults: async ({ options, positionals }) => {
      const file = findProjectFile(process.cwd())
      if (file === undefined) return undefined
      const { readProjectFile } = await import('./run/project-file.ts')
      return readProjectFile(file, positionals.length > 0 || options.replay !== undefined)
    },
  },
  async (parsed, environment) => {
    const { options, positionals: paths, named } = parsed
    if (paths.length === 0 && options.replay === undefined)
      misuse('there is no scenario to play: name one, here or in run.paths, or begin with npx handset init.')
    const settings = parseRunSettings(options, named)
    if (options.watch !== true) return planned(parsed, settings, environment)
    for (;;) {
      const { startWatch } = await import('./run/watch.ts')
      // Watch before the run, so that files saved during the run count as well.
      const watch = startWatch(paths, environment.stop)
      if (watch.refused !== undefined) {
        const { folder, errno } = watch.refused
        const advice = errno === 'ENOSPC' ? ' Raise fs.inotify.max_user_watches, or name fewer folders.' : ''
        notDone(`${folder} cannot be watched (${errno}).${advice}`)
      }
      await reportEnd('run', environment, () => planned(parsed, settings, environment))
      if (!environment.stop.aborted) environment.terminal.out('Waiting for a file to change. Ctrl-C ends it.')
      await watch.changed()
      if (environment.stop.aborted) return EXIT_STOPPED
    }
  },
)

const planned = async (
  { options, positionals: paths, named, file }: Read<'run'>,
  settings: RunSettings,
  environment: Environment,
): Promise<ExitCode> => {
  const results = openResultsFolder(settings.out)
  const plan = planRun({ paths, settings, results, profile: file?.profile })
  const { jobs, clockFrozen } = plan
  if (options.list === true) {
    for (const job of jobs) environment.terminal.out(`${job.id}  ${job.scenario.name}`)
    return 0
  }
  const attached = options.attach === true ? findBench({ options, named }, environment, notDone) : undefined
  if (settings.writes) needed(results.prepare(), notDone)
  const viewer = viewerFor(settings.reports, environment)
  const late = new AbortController()
  const limited = { ...environment, stop: AbortSignal.any([environment.stop, late.signal]) }
  const benches = await openBenches(
    { ...settings, jobs: jobs.length, clockFrozen, attached, reportsSteps: options.json === true },
    limited,
  )
  // The time limit begins after the start of the bench, so that a slow start does not change a run.
  const { timeoutMs } = settings
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => late.abort(LATE), timeoutMs)
  try {
    return await played({ plan, settings, results, viewer, benches, json: options.json === true }, limited)
  } finally {
    clearTimeout(timer)
    await benches.close()
  }
}

type Ready = {
  readonly plan: RunPlan
  readonly settings: RunSettings
  readonly results: ResultsFolder
  readonly benches: Benches
  readonly viewer: Viewer | undefined
  readonly json: boolean
}

const played = async (
  { plan: { jobs, seed, clockFrozen }, settings, results, viewer, benches, json }: Ready,
  environment: Environment,
): Promise<ExitCode> => {
  const { terminal, stop, version } = environment
  const began = realClock.now()
  const from = monotonicMicros()
  const alone = jobs.length === 1
  const listener = json ? jsonListener(terminal) : alone ? stepListener(terminal) : lineListener(terminal, jobs.length)
  const { play, gone } = benches
  const ended = gone === undefined ? stop : AbortSignal.any([stop, gone])
  const all = await runJobs(jobs, { ...settings, play, stop: ended, listener })
  const took_ms = Math.round((monotonicMicros() - from) / 1000)
  if (!json && !alone) terminal.out(summaryText(all, { took_ms, seed, paint: paintFor(terminal) }))
  const traces = writeTraces(all, results)
  const report = runReport(all, {
    ...{ handset: version, seed, began, took_ms, traceOf: traces.traceOf },
    clock: clockFrozen ? 'standing' : 'running',
    stopped: ended.aborted,
    ...(settings.shard === undefined ? {} : { shard: `${settings.shard.part}/${settings.shard.of}` }),
  })
  const kinds = settings.reports
  const writing = { report, kinds, viewer, traces: traces.traces, folder: results, environment }
  const written = kinds.length > 0 ? (await import('./run/write-reports.ts')).writeRunReports(writing) : undefined
  const bad = all.filter(({ outcome }) => outcome === 'failed')
  const now = {
    played: all.filter(({ outcome }) => outcome !== 'stopped').map(playableKey),
    failed: bad.map(playableKey),
  }
  const kept = (settings.writes || !alone) && !ended.aborted ? results.keepLastFailed(now) : undefined
  // A run that the user stopped has no results for jobs that did not run.
  const unkept = settings.writes && kept?.ok === false ? kept.error : undefined
  const problem = traces.problem ?? written ?? unkept
  if (!json) results.tell(terminal)
  if (stop.aborted) {
    const isLate = stop.reason === LATE
    const why = isLate ? lateText(all) : 'stopped before the end.'
    terminal.error(`handset run: ${[why, problem ?? ''].join(' ').trim()}`)
    return isLate ? 1 : EXIT_STOPPED
  }
  if (gone?.aborted === true) notDone([gone.reason, problem ?? ''].join(' ').trim())
  if (problem !== undefined) terminal.error(`handset run: ${problem}`)
  return bad.length > 0 ? 1 : problem === undefined ? 0 : 3
}

const LATE = 'The time of --timeout is over.'
const MAX_NAMED = 10

const lateText = (all: readonly JobResult[]): string => {
  const left = all.flatMap((job) => {
    const step = stepUnderWay(job)
    return job.outcome === 'stopped' ? [playableKey(job) + (step === undefined ? '' : ` (in step ${step})`)] : []
  })
  const more = left.length > MAX_NAMED ? ` and ${left.length - MAX_NAMED} more` : ''
  return `the time of --timeout is over: ${left.length} of ${all.length} were not played to their end: ${left.slice(0, MAX_NAMED).join(', ')}${more}.`
}

const writeTraces = (results: readonly JobResult[], folder: ResultsFolder) => {
  const files = new Map<string, string>()
  /** Traces of failures, for the page. */
  const traces: NamedTrace[] = []
  let problem: string | undefined
  for (const { id, name, attempts } of results) {
    for (const [attempt, { ok, trace }] of attempts.entries()) {
      if (trace === undefined) continue
      const file = `traces/${fileNameOf(name, id, attempt)}`
      const written = folder.write(file, trace)
      if (!written.ok) {
        problem ??= written.error
        continue
      }
      files.set(keyOf(id, attempt), file)
      if (!ok) traces.push({ name: file, bytes: trace })
    }
  }
  return { traceOf: (id: string, attempt: number) => files.get(keyOf(id, attempt)), traces, problem }
}

const keyOf = (id: string, attempt: number): string => `${attempt} ${id}`

/** A name that a person recognizes and every file system accepts. */
const fileNameOf = (name: string, id: string, attempt: number): string => {
  const words = name.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60)
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 8)
  return `${words}-${hash}${attempt === 0 ? '' : `-retry-${attempt}`}.handset`
}
