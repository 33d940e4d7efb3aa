import { realpathSync } from 'node:fs'
import { isAbsolute, relative } from 'node:path'

/** True if the path is in the folder, also when links are followed. */
export const isInsideFolder = (folder: string, path: string): boolean => {
  const inside = (from: string, to: string): boolean => {
    const way = relative(from, to)
    return way !== '' && !way.startsWith('..') && !isAbsolute(way)
  }
  if (!inside(folder, path)) return false
  try {
    return inside(realpathSync(folder), realpathSync(path))
  } catch {
    // A missing file is refused when it is read.
    return true
  }
}
