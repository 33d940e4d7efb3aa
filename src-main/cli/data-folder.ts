import { accessSync, closeSync, constants, existsSync, lstatSync, openSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { orNothing } from '../core/protocol/result.ts'
import { makeFolder } from '../disk/data-directory.ts'
import { misuse } from './command-end.ts'

/** Warns of a folder in which every user of the machine may write: any of them could take over the bench. */
export const prepareDataFolder = (path: string | undefined, name = '--data'): string | undefined => {
  if (path === undefined) return undefined
  const problem = problemWith(path)
  if (problem !== undefined) misuse(`${name}: ${problem}. Name a folder that can be made and written, or use --memory.`)
  // Windows has no mode bits for other users.
  const isOpen = process.platform !== 'win32' && (statSync(path).mode & constants.S_IWOTH) !== 0
  return isOpen ? `every user of this machine may write in ${path}. Keep others out: chmod o-w ${path}` : undefined
}

const problemWith = (path: string): string | undefined => {
  // A broken link counts as present: no folder can be made in its place.
  const lowest = nearestAbove(path, isThere)
  if (!isFolder(lowest)) {
    return lowest === path ? `${path} is not a folder` : `${path} cannot be made, for ${lowest} is not a folder`
  }
  try {
    makeFolder(path)
  } catch (reason) {
    return `${path} cannot be made: ${fileRefusal(reason, lowest)}`
  }
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    // Only a test write shows that some folders are read-only. A folder with a version was writable before.
    if (!existsSync(join(path, 'version'))) closeSync(openSync(join(path, 'lock'), 'a', 0o600))
    return undefined
  } catch (reason) {
    return `${path} cannot be written: ${fileRefusal(reason, path)}`
  }
}

/** This path or the nearest folder above it that fits; the root if none does. */
export const nearestAbove = (path: string, fits: (path: string) => boolean): string =>
  fits(path) || dirname(path) === path ? path : nearestAbove(dirname(path), fits)

const isThere = (path: string): boolean => orNothing(() => lstatSync(path)) !== undefined

export const isFolder = (path: string): boolean => orNothing(() => statSync(path))?.isDirectory() === true

export const fileRefusal = (reason: unknown, folder: string): string => {
  if (!(reason instanceof Error) || !('code' in reason)) throw reason
  const code = String(reason.code)
  if (code === 'EACCES' || code === 'EPERM') return `this user may not write in ${folder}`
  if (code === 'ENOENT') return `${folder} takes nothing new`
  return OF_THE_DISK[code] ?? reason.message
}

const OF_THE_DISK: Readonly<Record<string, string>> = {
  EISDIR: 'a folder stands where a file should be',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full for this user',
  ENAMETOOLONG: 'the name is too long',
}
