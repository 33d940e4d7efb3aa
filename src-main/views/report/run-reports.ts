import {
  type AttemptReport,
  type RunReport,
  type ScenarioResult,
  stepUnderWay,
} from '../../core/contract/run-report.ts'
import { escapeInvisible } from '../../core/protocol/visible.ts'
import { attributes, junitTime, propertiesXml, seconds, shortMessage, text, truncate } from './junit-xml.ts'
import { block, code, prose } from './markdown.ts'

/** With Surefire’s elements for retries, which Jenkins reads. */
export const junitReport = (report: RunReport): string => {
  const byFile = Map.groupBy(report.scenarios, ({ file }) => file)
  const suites = [...byFile].map(([file, scenarios]) => suite(file, scenarios, report))
  const totals = attributes({ name: 'handset', ...countsOf(report.scenarios), time: seconds(report.took_ms) })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${totals}>\n${suites.join('')}</testsuites>\n`
}

const suite = (file: string, scenarios: readonly ScenarioResult[], { seed, clock, handset, began }: RunReport) => {
  const first = Math.min(...scenarios.flatMap(({ attempts }) => attempts.map((attempt) => attempt.began)), began)
  const head = attributes({
    ...{ name: file, timestamp: junitTime(first), hostname: 'localhost' },
    ...countsOf(scenarios),
    time: seconds(scenarios.reduce((sum, scenario) => sum + tookOf(scenario), 0)),
  })
  const about = propertiesXml({ handset, seed: String(seed), clock })
  return `<testsuite${head}>\n${about}${scenarios.map(testCase).join('')}</testsuite>\n`
}

const countsOf = (scenarios: readonly ScenarioResult[]) => {
  const count = (...outcomes: readonly ScenarioResult['outcome'][]): number =>
    scenarios.filter(({ outcome }) => outcomes.includes(outcome)).length
  const errors = scenarios.filter((each) => stepUnderWay(each) !== undefined).length
  return {
    tests: String(scenarios.length),
    failures: String(count('failed')),
    errors: String(errors),
    skipped: String(count('skipped', 'stopped') - errors),
  }
}

const testCase = (scenario: ScenarioResult): string => {
  const { file, attempts, id, tags } = scenario
  const head = attributes({
    name: scenario.name,
    classname: file
      .replace(/\.ya?ml$/i, '')
      .replaceAll(/[/.]+/g, '.')
      .replace(/^\./, ''),
    file,
    time: seconds(tookOf(scenario)),
  })
  const ids = propertiesXml({ id, ...(tags.length === 0 ? {} : { tags: tags.join(',') }) })
  const parts = [
    ids,
    unplayed(scenario),
    ...attempts.flatMap((attempt, i) => (attempt.ok ? [] : [failure(scenario, attempt, i)])),
    attempts.length === 0 ? '' : `<system-out>${text(attempts.map(stepLines).join('\n'))}</system-out>\n`,
  ]
  return `<testcase${head}>\n${parts.join('')}</testcase>\n`
}

/** A scenario that the end of the run cut off has no verdict; one that had not begun was skipped. */
const unplayed = (scenario: ScenarioResult): string => {
  const { outcome, reason = 'The run was ended before.' } = scenario
  const step = stepUnderWay(scenario)
  if (step !== undefined) return `<error${attributes({ message: `The run was ended in step ${step}.` })}/>\n`
  return outcome === 'skipped' || outcome === 'stopped' ? `<skipped${attributes({ message: reason })}/>\n` : ''
}

/** The first failure, with those of retries. If the scenario passed in the end, no failure counts. */
const failure = (scenario: ScenarioResult, attempt: AttemptReport, index: number): string => {
  const step = failedStep(attempt)
  if (step === undefined) return ''
  const head = attributes({ message: shortMessage(failureMessage(step)), type: step.word })
  const body = text(failureLines(scenario, step).join('\n'))
  if (scenario.outcome === 'failed' && index === 0) return `<failure${head}>${body}</failure>\n`
  if (scenario.outcome === 'stopped') return ''
  const name = scenario.outcome === 'flaky' ? 'flakyFailure' : 'rerunFailure'
  return `<${name}${head}><stackTrace>${body}</stackTrace></${name}>\n`
}

const stepLines = ({ steps, ok }: AttemptReport): string =>
  [
    ...steps.map((step) => `${step.ok ? '✓' : '✗'} ${step.title}  ${step.said}`.trimEnd()),
    ok ? 'passed' : 'failed',
  ].join('\n')

const tookOf = ({ attempts }: ScenarioResult): number => attempts.reduce((sum, { took_ms }) => sum + took_ms, 0)

/** GitHub shows at most ten annotations of a step; the summary contains the others. */
const MAX_ANNOTATIONS = 10
const MAX_IN_SUMMARY = 50
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
  const more = bad.length - MAX_IN_SUMMARY
  return [
    `### Handset: ${counted.map(([outcome, count]) => `${count} ${outcome}`).join(', ')}`,
    '',
    `${scenarios.length} scenario${scenarios.length === 1 ? '' : 's'} in ${(took_ms / 1000).toFixed(1)} s, seed ${seed}.`,
    '',
    ...bad.slice(0, MAX_IN_SUMMARY).flatMap(failureBlock),
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

const MAX_IN_MARKDOWN = 20

export const runAgentReport = ({ counts, scenarios, outcome, seed, handset, clock }: RunReport): string => {
  const bad = scenarios.filter((each) => each.outcome === 'failed' || each.outcome === 'flaky')
  const counted = Object.entries(counts).filter(([, count]) => count > 0)
  const more = bad.length - MAX_IN_MARKDOWN
  return [
    `# ${outcome === 'passed' ? '✓' : '✗'} ${counted.map(([word, count]) => `${count} ${word}`).join(', ')}`,
    `Handset ${code(handset)}, seed ${seed}, clocks ${clock}.`,
    ...bad.slice(0, MAX_IN_MARKDOWN).flatMap(failureOf),
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

type RunStep = AttemptReport['steps'][number]

const failedStep = ({ steps }: AttemptReport): RunStep | undefined => steps.find(({ ok }) => !ok)

const failureMessage = (step: RunStep): string =>
  `${step.title}: expected ${step.expected ?? ''}, received ${step.received ?? ''}`

const failureLines = ({ file, id }: Pick<ScenarioResult, 'file' | 'id'>, step: RunStep): readonly string[] => [
  `at        ${step.file ?? file}:${step.line}`,
  `step      ${step.number}. ${step.title}`,
  `expected  ${step.expected ?? ''}`,
  `received  ${step.received ?? ''}`,
  ...(step.why ?? []).map((reason, i) => `${i === 0 ? 'why       ' : '          '}${reason}`),
  ...step.events.map((event, i) => `${i === 0 ? 'meanwhile ' : '          '}${event}`),
  `replay    npx handset run --replay ${id}`,
]
