import { appendFileSync } from 'node:fs'
import type { RunReport } from '../../core/contract/run-report.ts'
import type { Viewer } from '../../views/report/html-template.ts'
import { githubCommands, githubSummary, junitReport, runAgentReport } from '../../views/report/run-reports.ts'
import type { Environment } from '../command.ts'
import { attempt } from '../problem-texts.ts'
import { jsonFile, type ResultsFolder, writeReports } from './results-folder.ts'
import type { ReportKind } from './settings.ts'
import { type NamedTrace, runPage } from './viewer-pages.ts'

type Writing = {
  readonly report: RunReport
  readonly kinds: readonly ReportKind[]
  /** Present if HTML is among the kinds. */
  readonly viewer: Viewer | undefined
  readonly traces: readonly NamedTrace[]
  readonly folder: ResultsFolder
  readonly environment: Pick<Environment, 'terminal' | 'env'>
}

/** Writes all that can be written; returns the first problem. */
export const writeRunReports = ({ report, kinds, viewer, traces, folder, environment }: Writing) => {
  const files = {
    html: ['report.html', () => (viewer === undefined ? '' : runPage(report, traces, viewer))],
    agent: ['agent-report.md', () => runAgentReport(report)],
    junit: ['junit.xml', () => junitReport(report)],
    json: ['run.json', () => jsonFile(report)],
  } as const
  const problems = kinds.map((kind) => {
    if (kind === 'github') return reportToGitHub(report, environment)
    const written = writeReports(folder, kind === 'html' ? [kind, 'agent'] : [kind], files)
    return written.ok ? undefined : written.error
  })
  return problems.find((problem) => problem !== undefined)
}

/** Prints GitHub's workflow commands, and appends the summary to the file that the runner names. */
const reportToGitHub = (report: RunReport, { terminal, env }: Writing['environment']): string | undefined => {
  for (const command of githubCommands(report)) terminal.out(command)
  const { GITHUB_STEP_SUMMARY: file = '' } = env
  if (file === '') return undefined
  const written = attempt(() => appendFileSync(file, githubSummary(report)))
  return written.ok ? undefined : `${file}: ${written.error}`
}
