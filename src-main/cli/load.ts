import type { LoadReport } from '../core/contract/load-report.ts'
import {
  CEREMONY_NAMES,
  clientSentence,
  droppedSentence,
  loadPage,
  milliseconds,
  STEP_NAMES,
} from '../views/report/load-page.ts'
import { makeCommand, reportEnd, wrapText } from './command.ts'
import { EXIT_NOT_DONE, EXIT_STOPPED, needed, notDone } from './command-end.ts'
import { measureLoad } from './load/measure.ts'
import { parseLoadSettings } from './load/settings.ts'
import { openTarget } from './load/target.ts'
import { jsonFile, openResultsFolder, writeReports } from './run/results-folder.ts'
import { paintFor, type Terminal } from './terminal.ts'

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
    const { reports } = settings
    const folder = openResultsFolder(settings.out)
    const target = await openTarget(parsed, environment)
    try {
      if (reports.length > 0) needed(folder.prepare(), notDone)
      const report = await measureLoad(settings, target, { environment, quiet: options.json === true })
      const { terminal } = environment
      terminal.out(options.json === true ? JSON.stringify(report) : summaryText(report, terminal))
      const files = {
        html: ['load.html', () => loadPage(report)],
        json: ['load.json', () => jsonFile(report)],
      } as const
      const written = await reportEnd('load', environment, async () => {
        needed(writeReports(folder, reports, files), notDone)
        return 0
      })
      if (options.json !== true) folder.tell(terminal)
      if (report.outcome === 'stopped') return EXIT_STOPPED
      return written !== 0 ? EXIT_NOT_DONE : report.outcome === 'passed' ? 0 : 1
    } finally {
      await target.close()
    }
  },
)

const COLUMNS = [
  ['p50', 'p50_ms'],
  ['p90', 'p90_ms'],
  ['p99', 'p99_ms'],
  ['p99.9', 'p999_ms'],
  ['max', 'max_ms'],
] as const

const summaryText = (report: LoadReport, terminal: Terminal): string => {
  const { bold, dim, green, red, yellow } = paintFor(terminal)
  const { counts, latency, steps, failures, server } = report
  const row = (name: string, figures: NonNullable<LoadReport['latency']['all']>): string =>
    `  ${name.padEnd(26)}${COLUMNS.map(([, key]) => milliseconds(figures[key]).padStart(11)).join('')}`
  const kinds = (['register', 'auth'] as const).filter((kind) => latency[kind] !== undefined)
  const counted = [
    green(`${counts.done} done`),
    ...(counts.failed > 0 ? [red(`${counts.failed} failed`)] : []),
    ...(counts.dropped > 0 ? [yellow(`${counts.dropped} dropped`)] : []),
  ].join(', ')
  const stopped = report.outcome === 'stopped' ? ' when it was ended' : ''
  return [
    '',
    `  ${counted} of ${counts.arrived}${stopped}  ${dim(`in ${(report.took_ms / 1000).toFixed(1)} s, ${report.per_second} a second, seed ${report.asked.seed}`)}`,
    '',
    ...(latency.all === undefined
      ? []
      : [dim(`  ${'From the scheduled arrival'.padEnd(26)}${COLUMNS.map(([name]) => name.padStart(11)).join('')}`)]),
    ...kinds.flatMap((kind) => {
      const figures = latency[kind]
      if (figures === undefined) return []
      return [
        bold(row(CEREMONY_NAMES[kind], figures)),
        ...steps.filter(({ ceremony }) => ceremony === kind).map((each) => row(`  ${STEP_NAMES[each.step]}`, each)),
      ]
    }),
    '',
    ...failures.map(
      ({ ceremony, step, code, count }) =>
        `  ${red(`${count} ×`)} ${CEREMONY_NAMES[ceremony]}: ${STEP_NAMES[step]}: ${code}`,
    ),
    ...(failures.length > 0 ? [''] : []),
    ...(server?.per_ceremony_ms === undefined
      ? []
      : [`  The service used ${milliseconds(server.per_ceremony_ms)} of processor time for each.`]),
    ...[droppedSentence(report), clientSentence(report)].flatMap((text) =>
      text === undefined ? [] : wrapText(text, terminal.width - 2).map((line) => `  ${line}`),
    ),
    '',
  ].join('\n')
}
