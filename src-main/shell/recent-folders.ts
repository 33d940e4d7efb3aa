import { isAbsolute } from 'node:path'
import { readKept, writeKept } from './kept-file.ts'

const MOST = 5

/** The data directories that were used last, the newest first. */
export type RecentFolders = {
  list(): readonly string[]
  use(folder: string): void
  forget(folder: string): void
}

/** In one file for all instances, which is read each time: another one may have changed it. */
export const keepRecentFolders = (file: string): RecentFolders => {
  const list = (): readonly string[] => {
    const { v, folders } = readKept(file)
    if (v !== 1 || !Array.isArray(folders)) return []
    return folders.filter((folder) => typeof folder === 'string' && isAbsolute(folder)).slice(0, MOST)
  }
  const without = (folder: string): readonly string[] => list().filter((each) => each !== folder)
  const keep = (folders: readonly string[]): void => writeKept(file, { v: 1, folders: folders.slice(0, MOST) })
  return {
    list,
    use: (folder) => keep([folder, ...without(folder)]),
    forget: (folder) => keep(without(folder)),
  }
}
