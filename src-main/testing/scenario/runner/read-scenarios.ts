import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { type FileProblem, withOuterPlace } from '../../../core/contract/scenario/file-problems.ts'
import { isObject } from '../../../core/protocol/json.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import { isInsideFolder } from '../is-below.ts'
import type { Scenario } from '../parse/scenario.ts'
import type { ReadInclude } from '../parse/step-problems.ts'
import { parseScenarios } from '../parse-scenario.ts'
import { readDocument } from '../read-document.ts'
import { REPORT_FILE, reportProblem, scenarioInReport } from '../report-scenario.ts'

export type PlayableScenario = {
  readonly file: string
  /** The scenario's row, if the file has cases. */
  readonly case?: string
  readonly scenario: Scenario
}

/** YAML files for other purposes are skipped. One problem for each file that cannot be read. */
export const readScenarios = (
  files: readonly FoundFile[],
): Result<readonly PlayableScenario[], readonly FileProblem[]> => {
  const found: PlayableScenario[] = []
  const problems: FileProblem[] = []
  for (const { path, name, named } of files) {
    if (!named && !mayBeScenario(path, mentionsSteps)) continue
    const scenarios = loadScenarios(path)
    if (!scenarios.ok) {
      // This check parses the YAML once more, so only a file that failed gets it.
      if (!named && !mayBeScenario(path, mayHaveSteps)) continue
      problems.push(scenarios.error)
      continue
    }
    for (const scenario of scenarios.value) {
      found.push({ file: name, scenario, ...(scenario.row === undefined ? {} : { case: String(scenario.row) }) })
    }
  }
  return problems.length === 0 ? ok(found) : err(problems)
}

/** For a file that the user did not name: true if it has steps, or may have some but cannot be read. */
const mayBeScenario = (path: string, has: (text: string) => boolean): boolean => {
  const text = isTooLarge(path) ? undefined : readText(path, path)
  if (text === undefined) return false
  return text.ok ? has(text.value) : true
}

const isTooLarge = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_FILE

const mentionsSteps = (text: string): boolean => /^["']?steps["']?\s*:/m.test(text)

const mayHaveSteps = (text: string): boolean => {
  const document = readDocument(text)
  if (!document.ok) return true
  const { value } = document.value
  return isObject(value) && 'steps' in value
}

type FoundFile = {
  /** The path that errors show. */
  readonly path: string
  /** Path relative to the folder of the run, with slashes: the same on every machine. */
  readonly name: string
  /** The user named the file; a folder or a glob may also match YAML files that are no scenarios. */
  readonly named: boolean
}

const IS_YAML = /\.ya?ml$/i
const PROGRAM = /\.([cm]?[jt]sx?|py|java|rb|go|php|sh)$/i
const TRACE = /\.handset$/i
const IS_PATTERN = /[*?[\]{}]/

/** Each path may be a file, a folder (all YAML below it) or a glob. Every file is returned once. */
export const findFiles = (paths: readonly string[]): Result<readonly FoundFile[], FileProblem> => {
  const found = new Map<string, FoundFile>()
  for (const path of paths) {
    const files = readableFilesAt(path)
    if (!files.ok) return files
    for (const file of files.value) {
      const name = relative('', file.path).replaceAll('\\', '/')
      if (found.get(name)?.named !== true) found.set(name, { ...file, name })
    }
  }
  return ok([...found.values()])
}

type AtPath = Omit<FoundFile, 'name'>

const readableFilesAt = (path: string): Result<readonly AtPath[], FileProblem> => {
  try {
    return filesAt(path)
  } catch (error) {
    const { path: which = path } = error as NodeJS.ErrnoException
    return err(unreadable(which, error))
  }
}

const filesAt = (path: string): Result<readonly AtPath[], FileProblem> => {
  if (existsSync(path)) {
    if (statSync(path).isDirectory()) return filesBelow(path)
    const kind = PROGRAM.test(path) ? 'program' : TRACE.test(path) ? 'trace' : undefined
    return kind === undefined
      ? ok([{ path, named: true }])
      : err({ code: 'other_kind', params: { path, kind }, at: [] })
  }
  if (!IS_PATTERN.test(path)) return err({ code: 'no_file', params: { path }, at: [] })
  const matched = globSync(path, { exclude: isLeftOut }).filter((name) => IS_YAML.test(name) && isFile(name))
  if (matched.length === 0) return err({ code: 'no_match', params: { path }, at: [] })
  return ok(matched.sort().map((name) => ({ path: name, named: false })))
}

const filesBelow = (path: string): Result<readonly AtPath[], FileProblem> => {
  const below = (part: string): readonly string[] =>
    readdirSync(part, { withFileTypes: true })
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .flatMap((entry) => {
        const name = join(part, entry.name)
        if (entry.isDirectory()) return isLeftOut(entry.name) ? [] : below(name)
        return IS_YAML.test(entry.name) && isFile(name) ? [name] : []
      })
  const files = below(path)
  return files.length === 0
    ? err({ code: 'no_yaml_in', params: { path }, at: [] })
    : ok(files.map((name) => ({ path: name, named: false })))
}

/** A broken link counts as a file: reading it reports the problem. */
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? true

/** Folders with files that are not the user's own. */
const isLeftOut = (name: string): boolean =>
  name === 'node_modules' || (name.startsWith('.') && name.length > 1 && name !== '..')

/** Longer than any handwritten file; the YAML parser takes many times as much memory. */
const LARGEST_FILE = 4 * 1024 * 1024

export const loadScenarios = (file: string): Result<readonly Scenario[], FileProblem> => {
  const text = readText(file, file)
  if (!text.ok) return text
  const folder = dirname(resolve(file))
  const read: ReadInclude = (included) => {
    const path = resolve(folder, included)
    return isInsideFolder(folder, path)
      ? readText(path, included)
      : err({ code: 'outside_folder', params: { path: included }, at: [] })
  }
  const scenarios = REPORT_FILE.test(file) ? reported(text.value) : parseScenarios(text.value, { folder, read })
  return scenarios.ok ? scenarios : err(withOuterPlace({ file }, scenarios.error))
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

const readText = (path: string, shown: string): Result<string, FileProblem> => {
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

const unreadable = (path: string, error: unknown): FileProblem => {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT'
    ? { code: 'no_file', params: { path }, at: [] }
    : { code: 'unreadable', params: { path, error: String(code) }, at: [] }
}
