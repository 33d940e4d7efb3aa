import {
  findingText,
  type ReportSuite,
  ruleNumber,
  type SuiteReport,
  sharedCauses,
  TRIED_VERDICTS,
} from '../../core/contract/suite-findings.ts'
import { suiteJunit } from '../../views/report/suite-junit.ts'
import type { Viewer } from '../../views/report/viewer-page.ts'
import { needed, notDone } from '../command-end.ts'
import { parseChoices } from '../option-values.ts'
import type { suiteOptions } from '../options.ts'
import type { ReadOptions } from '../read-options.ts'
import { openResultsFolder, type ResultsFolder } from '../run/results-folder.ts'
import { suitePage } from '../run/viewer-pages.ts'
import { repeatCommand } from './findings-text.ts'

const SUITE_REPORTS = ['html', 'junit', 'json'] as const

type SuiteReports = {
  readonly kinds: readonly (typeof SUITE_REPORTS)[number][]
  readonly folder: ResultsFolder | undefined
}

export const openReports = ({ options, named }: ReadOptions<typeof suiteOptions>): SuiteReports => {
  const kinds = parseChoices(options.report, { known: SUITE_REPORTS, name: named('report') })
  return { kinds, folder: kinds.length === 0 ? undefined : openResultsFolder(options.out) }
}

/** `viewer` is present if the kinds include HTML. */
export type SuiteWriting = SuiteReports & { readonly viewer: Viewer | undefined }

/** Writes each file whole or not at all. */
export const writeReports = (report: SuiteReport, { kinds, folder, viewer }: SuiteWriting): void => {
  for (const kind of kinds) {
    if (folder === undefined || (kind === 'html' && viewer === undefined)) continue
    needed(folder.write(...fileOf(kind, { report, viewer })), notDone)
  }
}

type Content = Pick<SuiteWriting, 'viewer'> & { readonly report: SuiteReport }

const fileOf = (kind: SuiteReports['kinds'][number], { report, viewer }: Content): readonly [string, string] => {
  if (kind === 'html' && viewer !== undefined) return ['suite.html', suitePage(addSentences(report), viewer)]
  if (kind === 'junit') return ['suite.xml', suiteJunit(report, (finding) => repeatCommand(finding, report.again))]
  return ['suite.json', `${JSON.stringify(addSentences(report), undefined, 2)}\n`]
}

/** Adds sentences and commands for a person to the codes for a program. */
export const addSentences = (report: SuiteReport): ReportSuite => ({
  ...report,
  causes: sharedCauses(report.findings).map(({ cause, findings }) => ({
    ...cause,
    places: findings.map(({ fault, story }) => ({ fault, story })),
  })),
  findings: report.findings.map((finding) => {
    const ruled = { ...finding, rule: ruleNumber(finding) }
    if (finding.reason === undefined) return ruled
    const why = findingText(finding.reason)
    return !TRIED_VERDICTS.has(finding.verdict) && finding.reason.code !== 'stopped_beside'
      ? { ...ruled, why }
      : { ...ruled, why, again: repeatCommand(finding, report.again) }
  }),
})
