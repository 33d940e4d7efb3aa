import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import type { StartProblem } from '../core/contract/start-problems.ts'
import { err, ok, type Result } from '../core/protocol/result.ts'
import { formatRfc3339 } from '../core/protocol/time.ts'
import { ensureOwnerOnly, writeOwnerOnly } from './owner-only.ts'
import { toSystemRefusal } from './system-refusal.ts'

/** Version of the directory's layout; the database has its own (migrations). */
export const LAYOUT_VERSION = 1

export type DataDirectory = { readonly database: string; release(): void }

/**
 * Only one process may use a data directory at a time. The operating system drops the lock when that process ends, so
 * it is never stale; `holder` only records the process ID. A directory of a newer version is refused untouched.
 */
export const openDataDirectory = (path: string, pid: number): Result<DataDirectory, StartProblem> => {
  try {
    return open(path, pid)
  } catch (reason) {
    const cause = toSystemRefusal(reason)
    if (cause === undefined) throw reason
    return err({ code: 'directory_refused', params: { path, cause } })
  }
}

const open = (path: string, pid: number): Result<DataDirectory, StartProblem> => {
  const version = readVersion(join(path, 'version'))
  if (!version.ok) return version
  makeFolder(path)
  const holder = join(path, 'holder')
  const lock = takeLock(join(path, 'lock'))
  if (lock === undefined) return err(inUseProblem(path, holder))
  try {
    writeOwnerOnly(holder, `${pid}\n`)
    // Atomic: with a half-written version, every later start would be refused.
    if (version.value === undefined) writeOwnerOnly(join(path, 'version'), `${LAYOUT_VERSION}\n`)
    return ok({
      database: ensureOwnerOnly(join(path, 'handset.db')),
      release: () => {
        rmSync(holder, { force: true })
        lock.close()
      },
    })
  } catch (reason) {
    lock.close()
    throw reason
  }
}

const readVersion = (file: string): Result<number | undefined, StartProblem> => {
  const text = readIfThere(file)
  if (text === undefined) return ok(undefined)
  const version = Number(text.trim())
  if (!Number.isInteger(version) || version < 1) return err({ code: 'no_version_in', params: { file } })
  if (version > LAYOUT_VERSION) return err({ code: 'directory_newer', params: { version, known: LAYOUT_VERSION } })
  return ok(version)
}

/** Level by level: Node's `recursive` option hangs in a folder that allows no subfolders (/proc). */
export const makeFolder = (path: string, mode = 0o700): void => {
  try {
    mkdirSync(path, { mode })
  } catch (reason) {
    if (codeOf(reason) === 'EEXIST' && statSync(path).isDirectory()) return
    if (codeOf(reason) !== 'ENOENT' || existsSync(dirname(path))) throw reason
    makeFolder(dirname(path), mode)
    mkdirSync(path, { mode })
  }
}

/** SQLite's exclusive lock, because Node has no flock: held as long as the transaction is open. */
const takeLock = (file: string): Database.Database | undefined => {
  const lock = new Database(ensureOwnerOnly(file), { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (reason) {
    lock.close()
    if (codeOf(reason) === 'SQLITE_BUSY') return undefined
    throw reason
  }
}

const inUseProblem = (path: string, holder: string): StartProblem => {
  const pid = readIfThere(holder)?.trim()
  const known = pid === undefined || pid === '' ? {} : { pid, since: formatRfc3339(statSync(holder).mtimeMs) }
  return { code: 'directory_in_use', params: { path, ...known } }
}

const readIfThere = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8')
  } catch (reason) {
    if (codeOf(reason) === 'ENOENT') return undefined
    throw reason
  }
}

const codeOf = (reason: unknown): string | undefined =>
  reason instanceof Error && 'code' in reason ? String(reason.code) : undefined
