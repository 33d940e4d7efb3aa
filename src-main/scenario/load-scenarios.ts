import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { err, ok, type Result } from '../protocol/result.ts'
import { isBelow } from './is-below.ts'
import type { Scenario } from './parse/scenario.ts'
import { parseScenarios } from './parse-scenario.ts'

/** Longer than anybody writes by hand; the reader takes many times as much memory. */
const LARGEST_FILE = 4 * 1024 * 1024

/** The scenarios of a file; a refusal begins with its name. */
export const loadScenarios = (file: string): Result<readonly Scenario[], string> => {
  const text = readText(file, file)
  if (!text.ok) return text
  const folder = dirname(resolve(file))
  const read = (included: string): Result<string, string> => {
    const path = resolve(folder, included)
    return isBelow(folder, path) ? readText(path, included) : err(`${included} lies outside the scenario’s folder.`)
  }
  const scenarios = parseScenarios(text.value, { folder, read })
  return scenarios.ok ? scenarios : err(`${file}: ${scenarios.error}`)
}

const readText = (path: string, shown: string): Result<string, string> => {
  try {
    const found = statSync(path)
    if (found.isDirectory()) return err(`${shown} is a folder; name the files in it.`)
    if (!found.isFile()) return err(`${shown} is no file.`)
    if (found.size > LARGEST_FILE) return err(`${shown} has ${found.size} bytes; expected at most ${LARGEST_FILE}.`)
    return ok(readFileSync(path, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return err(code === 'ENOENT' ? `there is no file ${shown}.` : `${shown} cannot be read (${code}).`)
  }
}
