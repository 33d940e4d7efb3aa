import { readFileSync } from 'node:fs'
import { isObject } from '../../protocol/json.ts'
import { ok, type Result } from '../../protocol/result.ts'
import { loadScenarios } from '../load-scenarios.ts'
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
export const readScenarios = (files: readonly FoundFile[]): Result<readonly Playable[], string> => {
  const found: Playable[] = []
  for (const { path, name, named } of files) {
    if (!named && !isScenario(readFileSync(path, 'utf8'))) continue
    const scenarios = loadScenarios(path)
    if (!scenarios.ok) return scenarios
    for (const scenario of scenarios.value) {
      found.push({ file: name, scenario, ...(scenario.row === undefined ? {} : { case: String(scenario.row) }) })
    }
  }
  return ok(found)
}

/** Of a file that was not named itself: it has steps, or should have some and cannot be read. */
const isScenario = (text: string): boolean => {
  if (!/^["']?steps["']?\s*:/m.test(text)) return false
  const document = readDocument(text)
  if (!document.ok) return true
  const { value } = document.value
  return isObject(value) && 'steps' in value
}
