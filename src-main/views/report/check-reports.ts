import {
  CHECK_VERDICTS,
  type CheckedCase,
  type CheckedExchange,
  type CheckReport,
  isUnexpected,
  sourceQuote,
} from '../../core/contract/check-report.ts'
import { escapeHtml, type Html, html, plainPage } from './html-template.ts'
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

const STYLE = `
:root { color-scheme: light dark; --page: #fff; --text: #1a1c20; --line: #8885; --dim: #5f6672; --bad: #b3261e; --good: #1c6b34; --warn: #8a5300; --box: #8881; }
@media (prefers-color-scheme: dark) { :root { --page: #141518; --text: #e8eaee; --dim: #a3abb8; --bad: #ff8a80; --good: #7ed69a; --warn: #ffb066; } }
body { background: var(--page); color: var(--text); font: 14px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 68rem; padding: 0 1rem; }
h1 { font-size: 1.25rem; margin: 0 0 .25rem; } h2 { font-size: 1rem; margin: 2rem 0 .5rem; } p { margin: .3rem 0; } .dim { color: var(--dim); }
main > details { border-bottom: 1px solid var(--line); padding: .3rem 0; } summary { cursor: pointer; display: grid; grid-template-columns: 1rem 5.5rem 1fr; } summary b { font-size: 12px; line-height: 1.75; }
summary::before { content: '▸'; } details[open] > summary::before { content: '▾'; } summary .dim { grid-column: 3; } details details { margin: .3rem 0; } details details summary { grid-template-columns: 1rem 1fr; overflow-wrap: anywhere; font: 12px/1.5 ui-monospace, monospace; }
.failed b, .vacuous b { color: var(--bad); } .passed b { color: var(--good); } .warning b, .review b { color: var(--warn); } .skipped b { color: var(--dim); }
details > div { padding: .25rem 0 .75rem 6.5rem; } details details > div { padding: 0 0 0 1rem; } pre { background: var(--box); border-radius: .4rem; padding: .5rem .75rem; margin: .4rem 0; white-space: pre-wrap; overflow-wrap: anywhere; font: 12px/1.5 ui-monospace, monospace; }
@media (max-width: 40rem) { main > details > summary { grid-template-columns: 1rem 1fr; } summary span, summary .dim { grid-column: 2; } details > div { padding-left: 1rem; } details details > div { padding-left: 0; } }
`

export const checkPage = (report: CheckReport): string => {
  const headings = Map.groupBy(report.cases, ({ says }) => `${says.page}: ${says.heading}`)
  const counts = CHECK_VERDICTS.map((verdict) => [
    verdict,
    report.cases.filter((each) => each.verdict === verdict).length,
  ])
  return plainPage(
    `Handset check: ${report.base_url}`,
    STYLE,
    html`<h1>Check of ${report.base_url}</h1>
<p class="dim">${new Date(report.began).toISOString().replace('T', ' ').slice(0, 19)} UTC, Handset ${report.handset}, ${(report.took_ms / 1000).toFixed(1)} s</p>
<p>${counts
      .filter(([, count]) => count !== 0)
      .map(([verdict, count]) => `${count} ${verdict}`)
      .join(' · ')}</p>
${[...headings].toSorted(([, a], [, b]) => b.filter(isUnexpected).length - a.filter(isUnexpected).length).map(([heading, own]) => html`<h2>${heading}</h2>${own.toSorted(worstFirst).map(caseOf)}`)}`,
  )
}

const worstFirst = (a: CheckedCase, b: CheckedCase): number =>
  CHECK_VERDICTS.indexOf(a.verdict) - CHECK_VERDICTS.indexOf(b.verdict)

const caseOf = (
  each: CheckedCase,
): Html => html`<details class="${each.verdict}"${{ html: isUnexpected(each) ? ' open' : '' }}>
<summary><b>${each.verdict.toUpperCase()}</b><span>${each.name}</span>${each.text === undefined ? '' : html`<span class="dim">${each.text}</span>`}</summary>
<div>
<p>${each.says.sentence}</p>
${each.expected === undefined ? '' : html`<p>Expected to fail: ${each.expected}${each.verdict === 'passed' ? '. It passes now: take it out of the file.' : ''}</p>`}
<p class="dim">${each.again}</p>
${each.exchanges.map(exchangeOf)}
</div>
</details>`

const exchangeOf = (exchange: CheckedExchange): Html => {
  const { method, url, request_headers, request_body, status, response_headers, response_body, problem } = exchange
  const head = `${method} ${url}`
  const answered = status === 0 ? `Nothing whole came: ${problem}` : `HTTP ${status}, ${exchange.took_ms} ms`
  const sent = [head, ...request_headers.map((pair) => pair.join(': ')), ...bodyOf(request_body)]
  const came = [answered, ...response_headers.map((pair) => pair.join(': ')), ...bodyOf(response_body)]
  return html`<details><summary><span>${head} → ${answered}</span></summary><div><pre>${sent.join('\n')}</pre><pre>${came.join('\n')}</pre><pre>${escapeHtml(exchange.curl)}</pre></div></details>`
}

const bodyOf = (text: string): readonly string[] => (text === '' ? [] : ['', text])
