import { EXIT_STOPPED, makeCommand, misuse, notDone } from './command.ts'
import { measureLoad } from './load/measure.ts'
import { parseLoadSettings } from './load/settings.ts'
import { summaryText, writeLoadReports } from './load/summary.ts'
import { openTarget } from './load/target.ts'
import { openResultsFolder } from './run/results-folder.ts'

export const load = makeCommand(
  {
    name: 'load',
    usage: '[OPTIONS]',
    more: [
      'Ceremonies arrive at the rate whatever the service does, and latencies count from their arrival.',
      'Without --base-url and --attach it starts a bench of its own, in memory, in a process of its own.',
      'Only this machine is loaded, unless --yes-this-host names another one.',
      'Exit code 0: every ceremony succeeded. 1: one failed, or arrivals were dropped. 2: something cannot be read. 3: the service could not be reached or did not register the users, or a report could not be written. 130: ended by hand, with the figures so far.',
    ],
  },
  async (parsed, environment) => {
    const { options, named } = parsed
    const settings = parseLoadSettings(options, named)
    if (!settings.ok) return misuse(environment, 'load', settings.error)
    const folder = settings.value.reports.length > 0 ? openResultsFolder(settings.value.out) : undefined
    const target = await openTarget(parsed, environment)
    if (!target.ok)
      return target.error.misused
        ? misuse(environment, 'load', target.error.problem)
        : notDone(environment, 'load', target.error.problem)
    try {
      const prepared = folder?.prepare()
      if (prepared?.ok === false) return notDone(environment, 'load', prepared.error)
      const measured = await measureLoad(settings.value, target.value, { environment, quiet: options.json === true })
      if (!measured.ok) return notDone(environment, 'load', measured.error)
      const { terminal } = environment
      const report = measured.value
      terminal.out(options.json === true ? JSON.stringify(report) : summaryText(report, terminal))
      const problem = folder && writeLoadReports(report, { kinds: settings.value.reports, folder })
      if (problem !== undefined) notDone(environment, 'load', problem)
      if (options.json !== true) folder?.tell(terminal)
      if (report.outcome === 'stopped') return EXIT_STOPPED
      return problem !== undefined ? 3 : report.outcome === 'passed' ? 0 : 1
    } finally {
      await target.value.close()
    }
  },
)
