import type { RunReport, ScenarioResult } from '../../core/contract/run-report.ts'
import { block, code, prose } from './markdown.ts'
import { failedStep, failureLines } from './run-failure.ts'

const MAX_FAILURES = 20

export const runAgentReport = ({ counts, scenarios, outcome, seed, handset, clock }: RunReport): string => {
  const bad = scenarios.filter((each) => each.outcome === 'failed' || each.outcome === 'flaky')
  const counted = Object.entries(counts).filter(([, count]) => count > 0)
  const more = bad.length - MAX_FAILURES
  return [
    `# ${outcome === 'passed' ? '✓' : '✗'} ${counted.map(([word, count]) => `${count} ${word}`).join(', ')}`,
    `Handset ${code(handset)}, seed ${seed}, clocks ${clock}.`,
    ...bad.slice(0, MAX_FAILURES).flatMap(failureOf),
    ...(more > 0 ? [`${more} more are in the other reports.`] : []),
    '',
  ].join('\n\n')
}

const failureOf = (scenario: ScenarioResult): readonly string[] => {
  const attempt = scenario.attempts.find(({ ok }) => !ok)
  const step = attempt === undefined ? undefined : failedStep(attempt)
  return [
    `## ${prose(scenario.name)}${scenario.outcome === 'flaky' ? ' (flaky)' : ''}`,
    ...(step === undefined ? [] : [block(failureLines(scenario, step).join('\n'))]),
    ...(attempt?.trace === undefined ? [] : [`Everything that happened: ${code(`npx handset show ${attempt.trace}`)}`]),
  ]
}
