import { existsSync, globSync, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { FileProblem } from '../../../core/contract/scenario/file-problems.ts'
import { err, ok, type Result } from '../../../core/protocol/result.ts'
import { unreadable } from '../load-scenarios.ts'

export type FoundFile = {
  /** The name in errors. */
  readonly path: string
  /** Below the folder of the run, with slashes: the same on every machine. */
  readonly name: string
  /** The user named the file; a folder or a glob may also match YAML files that are no scenarios. */
  readonly named: boolean
}

const IS_YAML = /\.ya?ml$/i
const IS_PATTERN = /[*?[\]{}]/

/** The files that paths name: files themselves, all YAML below a folder, and matches of a glob. Each once. */
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
  if (existsSync(path)) return statSync(path).isDirectory() ? filesBelow(path) : ok([{ path, named: true }])
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

/** Folders of other people’s files. */
const isLeftOut = (name: string): boolean =>
  name === 'node_modules' || (name.startsWith('.') && name.length > 1 && name !== '..')
