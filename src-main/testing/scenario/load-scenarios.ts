import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type FileProblem, under } from '../../core/contract/scenario/file-problems.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { isBelow } from './is-below.ts'
import type { Scenario } from './parse/scenario.ts'
import type { ReadInclude } from './parse/step-problems.ts'
import { parseScenarios } from './parse-scenario.ts'
import { IS_REPORT, reportProblem, scenarioInReport } from './report-scenario.ts'

/** Longer than any handwritten file; the reader takes many times as much memory. */
export const LARGEST_FILE = 4 * 1024 * 1024

/** The scenarios of a file; a refusal begins with its name. */
export const loadScenarios = (file: string): Result<readonly Scenario[], FileProblem> => {
  const text = readText(file, file)
  if (!text.ok) return text
  const folder = dirname(resolve(file))
  const read: ReadInclude = (included) => {
    const path = resolve(folder, included)
    return isBelow(folder, path)
      ? readText(path, included)
      : err({ code: 'outside_folder', params: { path: included }, at: [] })
  }
  const scenarios = IS_REPORT.test(file) ? reported(text.value) : parseScenarios(text.value, { folder, read })
  return scenarios.ok ? scenarios : err(under({ file }, scenarios.error))
}

const reported = (markdown: string): Result<readonly Scenario[], FileProblem> => {
  const found = scenarioInReport(markdown)
  if (!found.ok) return found
  const { yaml, seed } = found.value
  const scenarios = parseScenarios(yaml)
  if (!scenarios.ok) return scenarios
  const problem = scenarios.value.map(reportProblem).find((one) => one !== undefined)
  return problem === undefined ? ok(scenarios.value.map((scenario) => ({ ...scenario, seed }))) : err(problem)
}

/** The text of a file; errors name it `shown`. */
export const readText = (path: string, shown: string): Result<string, FileProblem> => {
  try {
    const found = statSync(path)
    if (found.isDirectory()) return err({ code: 'is_folder', params: { path: shown }, at: [] })
    if (!found.isFile()) return err({ code: 'not_a_file', params: { path: shown }, at: [] })
    if (found.size > LARGEST_FILE)
      return err({ code: 'file_too_large', params: { path: shown, bytes: found.size, most: LARGEST_FILE }, at: [] })
    return ok(readFileSync(path, 'utf8'))
  } catch (error) {
    return err(unreadable(shown, error))
  }
}

/** The problem of a file that the system refused to read. */
export const unreadable = (path: string, error: unknown): FileProblem => {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT'
    ? { code: 'no_file', params: { path }, at: [] }
    : { code: 'unreadable', params: { path, error: String(code) }, at: [] }
}
