import {
  type AttemptReport,
  type RunReport,
  type ScenarioResult,
  stepUnderWay,
} from '../../core/contract/run-report.ts'
import { attributes, junitTime, propertiesXml, seconds, shortMessage, text } from './junit-xml.ts'
import { failedStep, failureLines, failureMessage } from './run-failure.ts'

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
