import { existsSync, readdirSync, statSync, watch } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** Changes within this time count as one, since an editor writes a file in several steps. */
const QUIET_MS = 100

/** Folders of packages and tools: they may be thousands, without a scenario of the user. */
const NOT_WATCHED = /^(node_modules|\..+)$/

const IS_PATTERN = /[*?[{]/

export type Watch = {
  readonly refused?: { readonly folder: string; readonly errno: string } | undefined
  changed(): Promise<void>
}

export const startWatch = (paths: readonly string[], stop: AbortSignal): Watch => {
  const { promise, resolve: done } = Promise.withResolvers<void>()
  const watchers: { close(): void }[] = []
  let refused: Watch['refused']
  const end = (): void => {
    for (const each of watchers.splice(0)) each.close()
    stop.removeEventListener('abort', end)
    done()
  }
  /** Watches each folder separately, since Node's recursive watch cannot exclude folders. */
  const watchFolder = (folder: string, withFolders: boolean): void => {
    try {
      const changed = (_: string, name: string | null): void => {
        if (name === null || /\.ya?ml$/i.test(name)) end()
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
    const folder = isFolder(path) ? path : nearestExistingFolder(dirname(path))
    const withFolders = isFolder(path) || IS_PATTERN.test(path)
    folders.set(folder, (folders.get(folder) ?? false) || withFolders)
  }
  for (const [folder, withFolders] of folders) watchFolder(folder, withFolders)
  stop.addEventListener('abort', end)
  if (stop.aborted) end()
  return {
    refused,
    changed: async () => {
      await promise
      await setTimeout(QUIET_MS, undefined, { signal: stop }).catch(() => undefined)
    },
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const nearestExistingFolder = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : nearestExistingFolder(dirname(path))
