import { makeCommand } from './command.ts'
import { EXIT_STOPPED, needed, notDone } from './command-end.ts'
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
    const folder = settings.reports.length > 0 ? openResultsFolder(settings.out) : undefined
    const target = await openTarget(parsed, environment)
    try {
      if (folder !== undefined) needed(folder.prepare(), notDone)
      const report = await measureLoad(settings, target, { environment, quiet: options.json === true })
      const { terminal, stop } = environment
      terminal.out(options.json === true ? JSON.stringify(report) : summaryText(report, terminal))
      const problem = folder && writeLoadReports(report, { kinds: settings.reports, folder })
      if (problem !== undefined) terminal.error(`handset load: ${stop.aborted ? 'stopped before the end.' : problem}`)
      if (options.json !== true) folder?.tell(terminal)
      if (report.outcome === 'stopped') return EXIT_STOPPED
      return problem !== undefined ? 3 : report.outcome === 'passed' ? 0 : 1
    } finally {
      await target.close()
    }
  },
)
