import { closeSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { builtPageFolder, loadViewer } from '../../bench/control/page.ts'
import { isObject, parseJsonOrNothing } from '../../core/protocol/json.ts'
import { err, ok, orNothing, type Result } from '../../core/protocol/result.ts'
import { makeFolder } from '../../disk/data-directory.ts'
import { openReplacement } from '../../disk/owner-only.ts'
import type { Viewer } from '../../views/report/html-template.ts'
import { needed, notDone } from '../command-end.ts'
import { attempt } from '../problem-texts.ts'
import { paintFor, type Terminal } from '../terminal.ts'
import { writeWholeFile } from '../write-whole.ts'

/** The page of an HTML report; the command ends if it was not built. */
export const viewerFor = (kinds: readonly string[], { root }: { readonly root: string }): Viewer | undefined =>
  kinds.includes('html') ? needed(loadViewer(builtPageFolder(root)), notDone) : undefined

const LAST_RUN = 'last-run.json'
/** Mode of new folders, which the user's umask limits. */
const FOR_ALL = 0o777

export type ResultsFolder = ReturnType<typeof openResultsFolder>

type Played = { readonly played: readonly string[]; readonly failed: readonly string[] }

export const openResultsFolder = (out: string) => {
  const path = resolve(out)
  const names = new Set<string>()
  // A second run may write into the same folder: the last one wins, with whole files.
  const draftOf = (file: string): string => `${file}.${process.pid}.new`
  /** Writes the whole file or nothing. */
  const write = (name: string, content: string | Uint8Array): Result<null, string> => {
    const file = join(path, name)
    const made = attempt(() => makeFolder(dirname(file), FOR_ALL))
    const written = made.ok ? writeWholeFile(file, content, draftOf(file)) : made
    if (written.ok) names.add(name)
    return written
  }
  // Keys are relative to this folder, so that a later run finds them from any other folder.
  const fromHere = (key: string): string => relative(path, resolve(key))
  return {
    path,
    write,
    /** Says which files were written, if any was. */
    tell: (terminal: Terminal): void => {
      const reports = [...names].filter((name) => name !== LAST_RUN && !name.includes('/'))
      const traces = [...names].filter((name) => name.includes('/')).length
      const files = [...reports, ...(traces === 0 ? [] : [`${traces} trace${traces === 1 ? '' : 's'}`])]
      if (files.length > 0) terminal.out(paintFor(terminal).dim(`Written to ${out}: ${files.join(', ')}.`))
    },
    prepare: () =>
      attempt(() => {
        makeFolder(path, FOR_ALL)
        // Only a test write shows that some folders are read-only.
        const draft = draftOf(join(path, '.handset'))
        closeSync(openReplacement(draft))
        rmSync(draft)
      }),
    /** `file#case` of each scenario that failed when it was last played. */
    lastFailed: (): Result<Pick<ReadonlySet<string>, 'has'>, string> => {
      const failed = readLastFailed(join(path, LAST_RUN))
      return failed.ok ? ok({ has: (key) => failed.value.has(fromHere(key)) }) : failed
    },
    /** Scenarios that were not played this time keep their entry. */
    keepLastFailed: (now: Played): Result<unknown, string> => {
      const before = readLastFailed(join(path, LAST_RUN))
      const played = new Set(now.played.map(fromHere))
      const unplayed = before.ok ? [...before.value].filter((key) => !played.has(key)) : []
      const failed = [...new Set([...unplayed, ...now.failed.map(fromHere)])]
      if (failed.length > 0) return write(LAST_RUN, jsonFile({ failed }))
      return attempt(() => rmSync(join(path, LAST_RUN), { force: true }))
    },
  }
}

type ReportFiles<K extends string> = Readonly<Record<K, readonly [name: string, text: () => string]>>

/** Writes the file of each kind; returns the first problem. */
export const writeReports = <const K extends string>(
  folder: ResultsFolder,
  kinds: readonly K[],
  files: ReportFiles<K>,
): Result<null, string> => {
  for (const kind of kinds) {
    const [name, text] = files[kind]
    const written = folder.write(name, text())
    if (!written.ok) return written
  }
  return ok(null)
}

export const jsonFile = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

const readLastFailed = (file: string): Result<ReadonlySet<string>, string> => {
  const text = orNothing(() => readFileSync(file, 'utf8'))
  if (text === undefined) return err(`no run with this --out has failed: there is no ${file}.`)
  const document = parseJsonOrNothing(text)
  const failed = isObject(document) ? document.failed : undefined
  if (Array.isArray(failed) && failed.every((key) => typeof key === 'string')) return ok(new Set(failed))
  return err(`${file} does not say what failed the last time. Run without --last-failed.`)
}
