// Any Node version runs this, so it is plain JavaScript.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The sources of the command line. A folder counts too: its time shows that files were deleted. */
const SOURCES = ['src-main', 'electron.vite.config.ts', 'package-lock.json']

/** True if out/ is newer than all of the source, or there is no source. */
export const isBuilt = (/** @type {string} */ root) => {
  const built = join(root, 'out/main/cli.js')
  if (!existsSync(built)) return false
  if (!existsSync(join(root, 'src-main/cli.ts'))) return true
  const time = statSync(built).mtimeMs
  return SOURCES.every((source) => isOlder(join(root, source), time))
}

/** @type {(path: string, time: number) => boolean} */
const isOlder = (path, time) => {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return true
  if (stats.mtimeMs > time) return false
  return !stats.isDirectory() || readdirSync(path).every((name) => isOlder(join(path, name), time))
}
