import { statSync } from 'node:fs'
import type { FileProblem } from '../../../core/contract/scenario/file-problems.ts'
import { isObject } from '../../../core/protocol/json.ts'
import { ok, type Result } from '../../../core/protocol/result.ts'
import { LARGEST_FILE, loadScenarios, readText } from '../load-scenarios.ts'
import type { Scenario } from '../parse/scenario.ts'
import { readDocument } from '../read-document.ts'
import type { FoundFile } from './find-files.ts'

/** One scenario that can be played. */
export type Playable = {
  readonly file: string
  /** Its row, where the file has cases. */
  readonly case?: string
  readonly scenario: Scenario
}

/** The scenarios of files. Refusals name file and line; YAML that is there for something else is passed over. */
export const readScenarios = (files: readonly FoundFile[]): Result<readonly Playable[], FileProblem> => {
  const found: Playable[] = []
  for (const { path, name, named } of files) {
    if (!named && !mayBeScenario(path, mentionsSteps)) continue
    const scenarios = loadScenarios(path)
    if (!scenarios.ok) {
      // Read as YAML only now: most files are good.
      if (!named && !mayBeScenario(path, hasSteps)) continue
      return scenarios
    }
    for (const scenario of scenarios.value) {
      found.push({ file: name, scenario, ...(scenario.row === undefined ? {} : { case: String(scenario.row) }) })
    }
  }
  return ok(found)
}

/** For a file that the user did not name: it has steps, or should have some and cannot be read. */
const mayBeScenario = (path: string, has: (text: string) => boolean): boolean => {
  const text = isTooLarge(path) ? undefined : readText(path, path)
  if (text === undefined) return false
  return text.ok ? has(text.value) : true
}

const isTooLarge = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_FILE

const mentionsSteps = (text: string): boolean => /^["']?steps["']?\s*:/m.test(text)

const hasSteps = (text: string): boolean => {
  const document = readDocument(text)
  if (!document.ok) return true
  const { value } = document.value
  return isObject(value) && 'steps' in value
}
