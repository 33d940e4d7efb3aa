import type { RunReport, ScenarioResult } from '../../core/contract/run-report.ts'
import { escapeInvisible } from '../../core/protocol/visible.ts'
import { failedStep, failureLines, failureMessage, truncate } from './run-failure.ts'

/** GitHub shows at most ten annotations of a step; the summary contains the others. */
const MAX_ANNOTATIONS = 10
const MAX_FAILURES = 50
const LONGEST_TEXT = 2000

/** Workflow commands, one per line, that annotate the scenario files with the failures. */
export const githubCommands = ({ scenarios }: RunReport): readonly string[] =>
  scenarios.flatMap((scenario) => annotation(scenario)).slice(0, MAX_ANNOTATIONS)

const annotation = (scenario: ScenarioResult): readonly string[] => {
  const { outcome, attempts, file } = scenario
  if (outcome !== 'failed' && outcome !== 'flaky') return []
  const step = attempts.map(failedStep).find((each) => each !== undefined)
  if (step === undefined) return []
  const level = outcome === 'failed' ? 'error' : 'warning'
  const title = `${scenario.name}${outcome === 'flaky' ? ' (flaky)' : ''}`
  const where = `file=${property(step.file ?? file)},line=${Math.max(1, step.line)},title=${property(truncate(title, LONGEST_TEXT))}`
  return [`::${level} ${where}::${data(truncate(failureMessage(step), LONGEST_TEXT))}`]
}

const data = (content: string): string => content.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const property = (content: string): string => data(content).replaceAll(':', '%3A').replaceAll(',', '%2C')

export const githubSummary = (report: RunReport): string => {
  const { counts, scenarios, took_ms, seed } = report
  const counted = Object.entries(counts).filter(([, count]) => count > 0)
  const bad = scenarios.filter(({ outcome }) => outcome === 'failed' || outcome === 'flaky')
  const more = bad.length - MAX_FAILURES
  return [
    `### Handset: ${counted.map(([outcome, count]) => `${count} ${outcome}`).join(', ')}`,
    '',
    `${scenarios.length} scenario${scenarios.length === 1 ? '' : 's'} in ${(took_ms / 1000).toFixed(1)} s, seed ${seed}.`,
    '',
    ...bad.slice(0, MAX_FAILURES).flatMap(failureBlock),
    ...(more > 0 ? [`And ${more} more.`, ''] : []),
  ].join('\n')
}

const failureBlock = (scenario: ScenarioResult): readonly string[] => {
  const steps = scenario.attempts.flatMap((attempt) => failedStep(attempt) ?? [])
  const lines = steps.flatMap((step) => failureLines(scenario, step))
  const mark = scenario.outcome === 'failed' ? '❌' : '⚠️ flaky:'
  return [
    `<details><summary>${mark} ${html(scenario.name)}</summary><pre>`,
    html(truncate(lines.join('\n'), LONGEST_TEXT * 2)),
    '</pre></details>',
    '',
  ]
}

/** Blank lines are removed, since they would end the HTML block in Markdown. */
const html = (content: string): string =>
  escapeInvisible(content)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/\n\s*\n/g, '\n')
