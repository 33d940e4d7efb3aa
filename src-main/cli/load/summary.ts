import type { LoadReport } from '../../core/contract/load-report.ts'
import { loadPage } from '../../views/report/load-page.ts'
import {
  CEREMONY_NAMES,
  clientSentence,
  droppedSentence,
  milliseconds,
  STEP_NAMES,
} from '../../views/report/load-sentences.ts'
import { wrapText } from '../command.ts'
import type { ResultsFolder } from '../run/results-folder.ts'
import { paintFor, type Terminal } from '../terminal.ts'
import type { LoadReportKind } from './settings.ts'

const COLUMNS = [
  ['p50', 'p50_ms'],
  ['p90', 'p90_ms'],
  ['p99', 'p99_ms'],
  ['p99.9', 'p999_ms'],
  ['max', 'max_ms'],
] as const

export const summaryText = (report: LoadReport, terminal: Terminal): string => {
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

/** Writes each file whole or not at all; returns the first problem. */
export const writeLoadReports = (
  report: LoadReport,
  { kinds, folder }: { readonly kinds: readonly LoadReportKind[]; readonly folder: ResultsFolder },
): string | undefined => {
  for (const kind of kinds) {
    const text = kind === 'html' ? loadPage(report) : `${JSON.stringify(report, undefined, 2)}\n`
    const written = folder.write(`load.${kind}`, text)
    if (!written.ok) return written.error
  }
  return undefined
}
