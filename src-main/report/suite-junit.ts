import { SERVICE_FAULT_GROUPS, type ServiceFaultGroup } from '../contract/service-fault.ts'
import { serviceFaultOf } from '../contract/service-faults.ts'
import type { FaultFinding, SuiteReport } from '../contract/suite-findings.ts'
import { en } from '../messages/en/en.ts'
import { serviceFaultStories } from '../messages/en/service-faults.ts'
import { findingText } from '../messages/en/suite-findings.ts'
import { attributes, message, properties, seconds, text, timeOf } from './junit-xml.ts'

type Around = {
  readonly report: SuiteReport
  /** The command that plays one finding again. */
  readonly again: (finding: FaultFinding) => string
}

/** A walk of the service’s faults as JUnit’s XML: a suite for each group of faults, a case for each story of a fault. */
export const suiteJunit = (report: SuiteReport, again: Around['again']): string => {
  const suites = SERVICE_FAULT_GROUPS.map((group) => groupSuite(group, { report, again })).join('')
  const totals = attributes({ name: 'handset suite rp', ...countsOf(report.findings), time: seconds(report.took_ms) })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${totals}>\n${suites}</testsuites>\n`
}

const groupSuite = (group: ServiceFaultGroup, { report, again }: Around): string => {
  const own = report.findings.filter(({ fault }) => serviceFaultOf(fault).group === group)
  if (own.length === 0) return ''
  const head = attributes({
    ...{ name: `service-faults.${group}`, timestamp: timeOf(report.began), hostname: 'localhost' },
    ...countsOf(own),
    time: seconds(own.reduce((sum, { took_ms }) => sum + took_ms, 0)),
  })
  const about = properties({ handset: report.handset, config: report.config })
  return `<testsuite${head}>\n${about}${own.map((finding) => testCase(group, finding, again)).join('')}</testsuite>\n`
}

const countsOf = (findings: readonly FaultFinding[]) => {
  const count = (...verdicts: readonly FaultFinding['verdict'][]): string =>
    String(findings.filter(({ verdict }) => verdicts.includes(verdict)).length)
  return {
    tests: String(findings.length),
    failures: count('broke', 'let_in'),
    errors: '0',
    skipped: count('skipped'),
  }
}

const testCase = (group: ServiceFaultGroup, finding: FaultFinding, again: Around['again']): string => {
  const { fault, story, took_ms } = finding
  const head = attributes({
    ...{ name: `${fault}, ${story}`, classname: `service-faults.${group}`, time: seconds(took_ms) },
  })
  return `<testcase${head}>\n${outcomeOf(finding, again)}</testcase>\n`
}

const outcomeOf = (finding: FaultFinding, again: Around['again']): string => {
  if (finding.verdict === 'held') return ''
  const why = findingText(finding.reason)
  if (finding.verdict === 'skipped') return `<skipped${attributes({ message: message(why) })}/>\n`
  const { fault, story, verdict } = finding
  const lines = [
    `The service: ${en.serviceFaults[fault]}.`,
    `The story: ${serviceFaultStories[story]}.`,
    `The RP: ${why}`,
    `A careful RP: ${en.carefulActs[serviceFaultOf(fault).act]}.`,
    `Again: ${again(finding)}`,
  ]
  return `<failure${attributes({ message: message(why), type: verdict })}>${text(lines.join('\n'))}</failure>\n`
}
