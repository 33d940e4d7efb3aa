import { REPORT_BLOCK } from '../../core/contract/report-block.ts'
import type { FileProblem } from '../../core/contract/scenario/file-problems.ts'
import { ownRpSteps } from '../../core/contract/scenario/own-rp-steps.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { allSteps, type Scenario, type Step } from './parse/scenario.ts'

export type ReportScenario = {
  /** Begins with an empty line for each line above it, so that line numbers are those of the report. */
  readonly yaml: string
  readonly seed: number
}

export const REPORT_FILE = /\.(md|markdown)$/i

/** CommonMark: no backtick may follow a fence of backticks, or the line is a code span. */
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})[ \t]*(.*?)[ \t]*$/

/** The scenario in a report that the page or a test has written: one block, marked behind its fence. */
export const scenarioInReport = (markdown: string): Result<ReportScenario, FileProblem> => {
  const lines = markdown.replace(/^\uFEFF/, '').split(/\r\n|[\r\n]/)
  let found: ReportScenario | undefined
  for (let i = 0; i < lines.length; i++) {
    const [, fence = '', info = ''] = FENCE.exec(lines[i] ?? '') ?? []
    if (fence === '') continue
    const from = i + 1
    const isEnd = (line: string): boolean => {
      const [, mark = '', more] = FENCE.exec(line) ?? []
      return more === '' && mark.startsWith(fence)
    }
    i = lines.findIndex((line, at) => at >= from && isEnd(line))
    const at = [{ line: from, column: 1 }]
    const [language, mark, ...settings] = info.split(/[ \t]+/)
    const isOurs = language === 'yaml' && mark === REPORT_BLOCK
    if (i < 0) return err(isOurs ? { code: 'report_cut_off', at } : { code: 'no_report_scenario', at: [] })
    if (!isOurs) continue
    if (found !== undefined) return err({ code: 'second_report_scenario', at })
    const seed = seedIn(settings)
    if (seed === undefined) return err({ code: 'report_seed', params: { got: settings.join(' ') }, at })
    found = { yaml: '\n'.repeat(from) + lines.slice(from, i).join('\n'), seed }
  }
  return found === undefined ? err({ code: 'no_report_scenario', at: [] }) : ok(found)
}

const seedIn = (settings: readonly string[]): number | undefined => {
  const [, digits = ''] = /^seed=(\d{1,16})$/.exec(settings.join(' ')) ?? []
  const seed = Number(digits)
  return digits !== '' && Number.isSafeInteger(seed) ? seed : undefined
}

/** The first step that leaves the bench and its phones: it starts a program, opens a page or calls an address. */
export const findOutsideStep = (scenario: Scenario): Step | undefined =>
  allSteps(scenario).find(({ word }) => word !== 'check' && Object.hasOwn(ownRpSteps, word))

/** A report may come from anywhere: its steps stay within the bench and its phones. */
export const reportProblem = (scenario: Scenario): FileProblem | undefined => {
  const step = findOutsideStep(scenario)
  if (step === undefined) return undefined
  return { code: 'report_step', params: { word: step.word }, at: [{ line: step.line, column: 1 }] }
}
