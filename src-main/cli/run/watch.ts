import { readdirSync, statSync, watch } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { StepInput } from '../../core/contract/scenario.ts'
import { allSteps, type Scenario, type Step } from '../../testing/scenario/parse/scenario.ts'
import { findFiles, readScenarios } from '../../testing/scenario/runner/read-scenarios.ts'
import { isFolder, nearestAbove } from '../data-folder.ts'

/** Changes within this time count as one, since an editor writes a file in several steps. */
const QUIET_MS = 100

/** Folders of packages and tools: there may be thousands, without any scenario of the user. */
const NOT_WATCHED = /^(node_modules|\..+)$/

const IS_PATTERN = /[*?[{]/

export const startWatch = (paths: readonly string[], stop: AbortSignal) => {
  const { promise, resolve: done } = Promise.withResolvers<void>()
  const watchers: { close(): void }[] = []
  let refused: { readonly folder: string; readonly errno: string } | undefined
  const used = new Set(usedFiles(paths))
  const end = (): void => {
    for (const each of watchers.splice(0)) each.close()
    stop.removeEventListener('abort', end)
    done()
  }
  /** Watches each folder separately, since Node's recursive watch cannot exclude folders. */
  const watchFolder = (folder: string, withFolders: boolean): void => {
    try {
      const changed = (_: string, name: string | null): void => {
        if (name === null || /\.ya?ml$/i.test(name) || used.has(join(folder, name))) end()
        else if (withFolders && isFolder(join(folder, name)) && !NOT_WATCHED.test(name))
          watchFolder(join(folder, name), true)
      }
      watchers.push(watch(folder, changed).on('error', end))
      if (!withFolders) return
      for (const each of readdirSync(folder, { withFileTypes: true }))
        if (each.isDirectory() && !NOT_WATCHED.test(each.name)) watchFolder(join(folder, each.name), true)
    } catch (error) {
      const errno = (error as NodeJS.ErrnoException).code
      // A folder may be deleted in the meantime.
      if (errno !== 'ENOENT') refused ??= { folder, errno: String(errno) }
    }
  }
  const folders = new Map<string, boolean>()
  for (const path of paths.map((each) => resolve(each))) {
    // A link that leads nowhere cannot be watched.
    const folder = nearestAbove(path, isFolder)
    const withFolders = isFolder(path) || IS_PATTERN.test(path)
    folders.set(folder, (folders.get(folder) ?? false) || withFolders)
  }
  for (const folder of [...used].map(dirname)) folders.set(folder, folders.get(folder) ?? false)
  for (const [folder, withFolders] of folders) watchFolder(folder, withFolders)
  stop.addEventListener('abort', end)
  if (stop.aborted) end()
  return {
    refused,
    changed: async (): Promise<void> => {
      await promise
      await setTimeout(QUIET_MS, undefined, { signal: stop }).catch(() => undefined)
    },
  }
}

/** The files that the scenarios use: included files, and scripts of the programs that they start. */
const usedFiles = (paths: readonly string[]): readonly string[] => {
  const files = findFiles(paths)
  const found = files.ok ? readScenarios(files.value) : files
  return found.ok
    ? found.value.flatMap(({ scenario }) => allSteps(scenario).flatMap((step) => filesOf(step, scenario)))
    : []
}

const filesOf = ({ file, word, input }: Step, { folder }: Scenario): readonly string[] => {
  const included = file === undefined ? [] : [resolve(folder, file)]
  if (word !== 'exec') return included
  const { program, args = [], cwd = '.' } = input as StepInput<'exec'>
  const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true
  const pathOf = (word: string): string => resolve(folder, cwd, word)
  // Only the first file of the arguments is the script: the program may write into the others.
  const script = args.map((each) => pathOf(String(each))).filter(isFile)
  return [...included, ...[pathOf(program)].filter(isFile), ...script.slice(0, 1)]
}
