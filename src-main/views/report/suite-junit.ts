import { findTrialRow, isRpCheckName, TRIAL_GROUPS, type TrialGroup } from '../../core/contract/rp-checks.ts'
import { serviceFaultStories } from '../../core/contract/service-faults.ts'
import {
  carefulAct,
  type FaultFinding,
  findingText,
  ruleNumber,
  type SuiteReport,
  TRIED_VERDICTS,
} from '../../core/contract/suite-findings.ts'
import { en } from '../../core/messages/en/en.ts'
import { attributes, junitTime, propertiesXml, seconds, shortMessage, text } from './junit-xml.ts'

type Around = { readonly report: SuiteReport; readonly again: (finding: FaultFinding) => string }

/** A test suite for each group of faults, a test case for each story of a fault. */
export const suiteJunit = (report: SuiteReport, again: Around['again']): string => {
  const suites = TRIAL_GROUPS.map((group) => groupSuite(group, { report, again })).join('')
  const totals = attributes({ name: 'handset suite rp', ...countsOf(report.findings), time: seconds(report.took_ms) })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${totals}>\n${suites}</testsuites>\n`
}

const groupSuite = (group: TrialGroup, { report, again }: Around): string => {
  const own = report.findings.filter(({ fault }) => findTrialRow(fault).group === group)
  if (own.length === 0) return ''
  const head = attributes({
    ...{ name: `service-faults.${group}`, timestamp: junitTime(report.began), hostname: 'localhost' },
    ...countsOf(own),
    time: seconds(own.reduce((sum, { took_ms }) => sum + took_ms, 0)),
  })
  const about = propertiesXml({ handset: report.handset, config: report.config })
  return `<testsuite${head}>\n${about}${own.map((finding) => testCase(group, finding, again)).join('')}</testsuite>\n`
}

const countsOf = (findings: readonly FaultFinding[]) => {
  const count = (...verdicts: readonly FaultFinding['verdict'][]): string =>
    String(findings.filter(({ verdict }) => verdicts.includes(verdict)).length)
  return {
    tests: String(findings.length),
    failures: count('broke', 'let_in'),
    errors: String(findings.filter(isUnjudged).length),
    skipped: String(findings.filter(isSkipped).length),
  }
}

/** True for a trial that ran when the RP crashed. It counts as an error, since JUnit readers ignore skipped cases. */
const isUnjudged = ({ reason }: FaultFinding): boolean => reason?.code === 'stopped_beside'
const isSkipped = (finding: FaultFinding): boolean => !TRIED_VERDICTS.has(finding.verdict) && !isUnjudged(finding)

const testCase = (group: TrialGroup, finding: FaultFinding, again: Around['again']): string => {
  const { fault, story, took_ms } = finding
  const head = attributes({
    ...{ name: `${fault}, ${story}`, classname: `service-faults.${group}` },
    // A skipped trial has no time.
    ...(took_ms === 0 ? {} : { time: seconds(took_ms) }),
  })
  return `<testcase${head}>\n${outcomeOf(finding, again)}</testcase>\n`
}

const outcomeOf = (finding: FaultFinding, again: Around['again']): string => {
  const { reason } = finding
  if (reason === undefined) return ''
  const why = findingText(reason)
  if (isUnjudged(finding))
    return `<error${attributes({ message: shortMessage(why), type: 'crash' })}>${text(`Again: ${again(finding)}`)}</error>\n`
  if (!TRIED_VERDICTS.has(finding.verdict)) return `<skipped${attributes({ message: shortMessage(why) })}/>\n`
  if (finding.verdict === 'warned')
    return `<system-out>${text(`WARNING (rule ${ruleNumber(finding)}): ${why}`)}</system-out>\n`
  const { fault, story, verdict, proof } = finding
  const lines = [
    `${isRpCheckName(fault) ? 'The rule' : 'The service'}: ${findTrialRow(fault).title}.`,
    `The story: ${serviceFaultStories[story]}.`,
    `The RP: ${why}`,
    `A careful RP (rule ${ruleNumber(finding)}): ${en.carefulActs[carefulAct(finding)]}.`,
    ...(proof?.struck === undefined
      ? []
      : [`It answered ${proof.struck.call} with HTTP ${proof.struck.status}: ${proof.struck.sent}`]),
    ...(proof?.shown === undefined ? [] : [`Then the RP showed: ${proof.shown.text}`]),
    `Again: ${again(finding)}`,
  ]
  return `<failure${attributes({ message: shortMessage(why), type: verdict })}>${text(lines.join('\n'))}</failure>\n`
}
