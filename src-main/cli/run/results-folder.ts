import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { err, ok, type Result } from '../../protocol/result.ts'
import { makeFolder } from '../../service/store/data-directory.ts'
import { fileProblem } from '../../service/store/file-problem.ts'

const LAST_RUN = 'last-run.json'
/** As far as the user's own mask lets it. */
const FOR_ALL = 0o777

/** Where a run leaves its reports and traces, and what failed in it. */
export type ResultsFolder = {
  readonly path: string
  /** The folder is there and takes files. */
  prepare(): Result<null, string>
  /** Whole or not at all. */
  write(name: string, content: string | Uint8Array): Result<null, string>
  /** `file#case` of what failed in the last run. */
  lastFailed(): Result<ReadonlySet<string>, string>
  keepLastFailed(keys: readonly string[]): Result<null, string>
}

export const openResultsFolder = (out: string): ResultsFolder => {
  const path = resolve(out)
  const attempt = <T>(action: () => T): Result<T, string> => {
    try {
      return ok(action())
    } catch (reason) {
      const problem = fileProblem(reason)
      if (problem === undefined) throw reason
      return err(problem)
    }
  }
  const write = (name: string, content: string | Uint8Array): Result<null, string> => {
    const file = join(path, name)
    const written = attempt(() => {
      makeFolder(dirname(file), FOR_ALL)
      writeFileSync(`${file}.new`, content)
      renameSync(`${file}.new`, file)
      return null
    })
    if (!written.ok) attempt(() => rmSync(`${file}.new`, { force: true }))
    return written
  }
  return {
    path,
    write,
    prepare: () =>
      attempt(() => {
        makeFolder(path, FOR_ALL)
        // Some folders say only to those who try that they take no files.
        writeFileSync(join(path, '.handset.new'), '')
        rmSync(join(path, '.handset.new'))
        return null
      }),
    lastFailed: () => readLastFailed(join(path, LAST_RUN)),
    keepLastFailed: (failed) =>
      failed.length > 0
        ? write(LAST_RUN, `${JSON.stringify({ failed }, undefined, 2)}\n`)
        : attempt(() => {
            rmSync(join(path, LAST_RUN), { force: true })
            return null
          }),
  }
}

const readLastFailed = (file: string): Result<ReadonlySet<string>, string> => {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return err(`no run with this --out has failed: there is no ${file}.`)
  }
  try {
    const { failed } = JSON.parse(text) as { readonly failed?: unknown }
    if (Array.isArray(failed) && failed.every((key) => typeof key === 'string')) return ok(new Set(failed))
  } catch {
    // The same as a document without the field.
  }
  return err(`${file} does not say what failed the last time. Run without --last-failed.`)
}
