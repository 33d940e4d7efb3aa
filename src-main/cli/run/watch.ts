import { existsSync, statSync, watch } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** An editor writes a file in several steps. */
const QUIET_MS = 100

/** What changes from now on. */
export type Watch = {
  /** Until one of the files, or something in one of the folders, has changed. */
  changed(): Promise<void>
}

export const startWatch = (paths: readonly string[], stop: AbortSignal): Watch => {
  const folders = new Map<string, boolean>()
  for (const path of paths.map((each) => resolve(each))) {
    const isFolder = existsSync(path) && statSync(path).isDirectory()
    const folder = isFolder ? path : lowestFolder(dirname(path))
    folders.set(folder, (folders.get(folder) ?? false) || isFolder)
  }
  const { promise, resolve: done } = Promise.withResolvers<void>()
  const end = (): void => {
    for (const each of watchers) each.close()
    stop.removeEventListener('abort', end)
    done()
  }
  const watchers = [...folders].map(([folder, recursive]) =>
    watch(folder, { recursive }, (_, name) => {
      if (name === null || /\.ya?ml$/i.test(name)) end()
    }).on('error', end),
  )
  stop.addEventListener('abort', end)
  if (stop.aborted) end()
  return {
    changed: async () => {
      await promise
      await setTimeout(QUIET_MS, undefined, { signal: stop }).catch(() => undefined)
    },
  }
}

const lowestFolder = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : lowestFolder(dirname(path))
