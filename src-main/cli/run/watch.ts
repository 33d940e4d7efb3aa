import { existsSync, statSync, watch } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** An editor writes a file in several steps. */
const QUIET_MS = 100

/** Until one of the files, or something in one of the folders, changes. */
export const untilChanged = async (paths: readonly string[], stop: AbortSignal): Promise<void> => {
  const folders = new Map<string, boolean>()
  for (const path of paths.map((each) => resolve(each))) {
    const isFolder = existsSync(path) && statSync(path).isDirectory()
    const folder = isFolder ? path : lowestFolder(dirname(path))
    folders.set(folder, (folders.get(folder) ?? false) || isFolder)
  }
  await new Promise<void>((changed) => {
    const done = (): void => {
      for (const each of watchers) each.close()
      stop.removeEventListener('abort', done)
      changed()
    }
    const watchers = [...folders].map(([folder, recursive]) =>
      watch(folder, { recursive }, (_, name) => {
        if (name === null || /\.ya?ml$/i.test(name)) done()
      }).on('error', done),
    )
    stop.addEventListener('abort', done)
    if (stop.aborted) done()
  })
  await setTimeout(QUIET_MS, undefined, { signal: stop }).catch(() => undefined)
}

const lowestFolder = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : lowestFolder(dirname(path))
