import { type CheckedCase, type CheckReport, isUnexpected, sourceQuote } from '../../core/contract/check-report.ts'
import { attributes, junitTime, propertiesXml, seconds, shortMessage, text } from './junit-xml.ts'

/** A suite for each heading of the document. */
export const checkJunit = (report: CheckReport): string => {
  const headings = Map.groupBy(report.cases, ({ says }) => `${says.page}: ${says.heading}`)
  const about = propertiesXml({ handset: report.handset, base_url: report.base_url })
  const suites = [...headings].map(([name, own]) => {
    const took = own.reduce((sum, { took_ms }) => sum + took_ms, 0)
    const head = attributes({ name, timestamp: junitTime(report.began), ...countsOf(own), time: seconds(took) })
    return `<testsuite${head}>\n${about}${own.map(testCase).join('')}</testsuite>\n`
  })
  const totals = attributes({ name: 'handset check', ...countsOf(report.cases), time: seconds(report.took_ms) })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${totals}>\n${suites.join('')}</testsuites>\n`
}

const isSkipped = (each: CheckedCase): boolean => !isUnexpected(each) && each.verdict !== 'passed'

const countsOf = (own: readonly CheckedCase[]) => ({
  tests: String(own.length),
  failures: String(own.filter(isUnexpected).length),
  errors: '0',
  skipped: String(own.filter(isSkipped).length),
})

const testCase = (each: CheckedCase): string => {
  const { id, says, took_ms } = each
  const head = attributes({ name: each.name, classname: `${says.page}.${id}`, time: seconds(took_ms) })
  return `<testcase${head}>\n${outcomeOf(each)}</testcase>\n`
}

const outcomeOf = (each: CheckedCase): string => {
  const { verdict, expected, again, exchanges } = each
  const why = `${verdict.toUpperCase()}${each.text === undefined ? '' : `: ${each.text}`}`
  if (isUnexpected(each)) {
    const reason = expected === undefined ? why : `It passes, though --expected says it fails: ${expected}`
    const last = exchanges.at(-1)
    const lines = [
      reason,
      sourceQuote(each.says),
      ...(last === undefined ? [] : [last.curl, `HTTP ${last.status}`, last.response_body]),
      again,
    ]
    return `<failure${attributes({ message: shortMessage(reason), type: verdict })}>${text(lines.join('\n'))}</failure>\n`
  }
  if (!isSkipped(each)) return ''
  return `<skipped${attributes({ message: shortMessage(expected === undefined ? why : `${why} (expected: ${expected})`) })}/>\n`
}
