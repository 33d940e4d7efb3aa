import { appendFileSync } from 'node:fs'
import type { RunReport } from '../../core/contract/run-report.ts'
import { toSystemRefusal } from '../../disk/system-refusal.ts'
import { githubCommands, githubSummary } from '../../views/report/github.ts'
import { junitReport } from '../../views/report/junit.ts'
import { runAgentReport } from '../../views/report/run-agent-report.ts'
import type { Viewer } from '../../views/report/viewer-page.ts'
import type { Environment } from '../command.ts'
import { systemRefusalText } from '../problem-texts.ts'
import type { ResultsFolder } from './results-folder.ts'
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

/** Writes each file whole or not at all; returns the first problem. */
export const writeReports = ({ report, kinds, viewer, traces, folder, environment }: Writing): string | undefined => {
  const problems = kinds.map((kind) => {
    if (kind === 'github') return reportToGitHub(report, environment)
    if (kind === 'html' && viewer === undefined) return undefined
    const [name, text] = fileOf(kind, { report, viewer, traces })
    const written = folder.write(name, text)
    const beside = written.ok && kind === 'html' ? folder.write('agent-report.md', runAgentReport(report)) : written
    return beside.ok ? undefined : beside.error
  })
  return problems.find((problem) => problem !== undefined)
}

type Content = Pick<Writing, 'report' | 'viewer' | 'traces'>

const fileOf = (
  kind: Exclude<ReportKind, 'github'>,
  { report, viewer, traces }: Content,
): readonly [string, string] => {
  if (kind === 'html' && viewer !== undefined) return ['report.html', runPage(report, traces, viewer)]
  if (kind === 'junit') return ['junit.xml', junitReport(report)]
  return ['run.json', `${JSON.stringify(report, undefined, 2)}\n`]
}

/** Prints commands on stdout, and writes the summary to the file that the GitHub runner names. */
const reportToGitHub = (report: RunReport, { terminal, env }: Writing['environment']): string | undefined => {
  for (const command of githubCommands(report)) terminal.out(command)
  const { GITHUB_STEP_SUMMARY: file = '' } = env
  if (file === '') return undefined
  try {
    appendFileSync(file, githubSummary(report))
    return undefined
  } catch (reason) {
    const problem = toSystemRefusal(reason)
    if (problem === undefined) throw reason
    return `${file}: ${systemRefusalText(problem)}`
  }
}
